import { LineIndex } from '../../base/text.ts';

/** Lines (zero-based, inclusive) in which some rules are silent. */
interface Silence {
  /** Rule ids and Verilator names; `*` stands for all rules. */
  readonly names: readonly string[];
  readonly from: number;
  to: number;
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"/g;
const OURS = /^\/[/*]\s*rtl-copilot\s+(off-next-line|off-line|off|on)\b([^*\n]*)/;
const VERILATOR = /^\/[/*]\s*verilator\s+lint_(off|on|save|restore)\b\s*([A-Z0-9_]*)/;

/**
 * Reads the comments that silence rules: `// rtl-copilot off RULE …` up to `// rtl-copilot on RULE …` or the end of the file,
 * `off-line` for the line of the comment, `off-next-line` for the one below, and Verilator's `lint_off`, `lint_on`,
 * `lint_save` and `lint_restore`. Without a name all rules are meant; what follows `--` is the reason.
 */
export class Suppressions {
  readonly #silences: readonly Silence[];
  readonly #lines: LineIndex | undefined;

  constructor(text: string) {
    this.#lines = text.includes('rtl-copilot') || text.includes('verilator') ? new LineIndex(text) : undefined;
    this.#silences = this.#lines ? read(text, this.#lines) : [];
  }

  /** `offset` is a place in the text, `names` are the rule's id and its Verilator names. */
  covers(offset: number, names: readonly string[]): boolean {
    if (!this.#lines || this.#silences.length === 0) return false;
    const { line } = this.#lines.position(offset);
    return this.#silences.some((silence) => line >= silence.from && line <= silence.to && silence.names.some((name) => name === '*' || names.includes(name)));
  }
}

function read(text: string, lines: LineIndex): Silence[] {
  const silences: Silence[] = [];
  let open: Silence[] = [];
  const saved: Silence[][] = [];
  const close = (names: readonly string[], line: number): void => {
    const isClosed = (silence: Silence): boolean => names.includes('*') || silence.names.some((name) => names.includes(name));
    for (const silence of open.filter(isClosed)) silence.to = line;
    open = open.filter((silence) => !isClosed(silence));
  };
  const begin = (names: readonly string[], line: number): void => {
    // One silence a name, so that each can end on its own.
    for (const name of names) open.push({ names: [name], from: line, to: Number.POSITIVE_INFINITY });
    silences.push(...open.slice(-names.length));
  };
  for (const match of text.matchAll(COMMENT)) {
    const { line } = lines.position(match.index);
    const [, ours, rest = ''] = OURS.exec(match[0]) ?? [];
    if (ours !== undefined) {
      const listed = (rest.split('--')[0] ?? '').split(/[\s,]+/).filter((name) => /^[a-z][a-z0-9-]*$/.test(name));
      const names = listed.length > 0 ? listed : ['*'];
      if (ours === 'off') begin(names, line);
      else if (ours === 'on') close(names, line);
      else silences.push({ names, from: ours === 'off-line' ? line : line + 1, to: ours === 'off-line' ? line : line + 1 });
    }
    const [, theirs, name = ''] = VERILATOR.exec(match[0]) ?? [];
    if (theirs === 'off') begin([name === '' ? '*' : name], line);
    else if (theirs === 'on') close([name === '' ? '*' : name], line);
    else if (theirs === 'save') saved.push([...open]);
    else if (theirs === 'restore') restore(saved.pop() ?? [], line);
  }
  function restore(before: readonly Silence[], line: number): void {
    for (const silence of open) if (!before.includes(silence)) silence.to = line;
    const reopened = before.map((silence) => (open.includes(silence) ? silence : { ...silence, from: line, to: Number.POSITIVE_INFINITY }));
    silences.push(...reopened.filter((silence) => !before.includes(silence)));
    open = reopened;
  }
  return silences;
}
