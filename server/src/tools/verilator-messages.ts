import type { LintMessage } from './lint-message.ts';

const HEAD = /^%(Error|Warning)(?:-([A-Z0-9_]+))?: (.*)$/;
const CARET = /^\s*\|\s?( *)\^(~*)/;
const FURTHER = /^\s+(.+?):(\d+):(?:\d+:)? \.\.\. (.+)$/;
const UNKNOWN_MODULE = /^Cannot find file containing (?:module|interface)|^This may be because there's no search path|^Looked in:/;
const UNSUPPORTED = /^(?:Ignoring )?unsupported:|^(?:Loop unrolling|Unrolling generate loop) took too long/i;
/** Elaboration system tasks by which a source says that it is not to be used so (IEEE 1800 20.11); they are warnings where warnings do not end a run. */
const FAILED_CHECKS: ReadonlySet<string> = new Set(['USERERROR', 'USERFATAL']);

/**
 * Reads what `verilator --lint-only` prints: a head line with file, line and column, the source line, and a row of `^~~~`
 * under what is meant. `files` are the names it was given.
 */
export function parseVerilatorMessages(output: string, files: readonly string[]): LintMessage[] {
  const known = [...files].sort((a, b) => b.length - a.length);
  const messages: LintMessage[] = [];
  /** What of the last message may still come: a row under its own place, or further places only. Nothing where it was not taken. */
  let open: 'own' | 'further' | undefined;
  for (const text of output.split(/\r?\n/)) {
    const head = HEAD.exec(text);
    const last = messages.at(-1);
    if (head) {
      const message = messageOf(head[1] === 'Error', head[2] ?? '', head[3] ?? '', known);
      open = message === undefined ? undefined : 'own';
      if (message) messages.push(message);
    } else if (text.startsWith('-')) open = undefined;
    else if (open !== undefined && last) {
      const caret = CARET.exec(text);
      const further = FURTHER.exec(text);
      if (caret && open === 'own') {
        messages[messages.length - 1] = { ...last, length: 1 + (caret[2]?.length ?? 0) };
        open = 'further';
      } else if (further && further[2] !== undefined && !/^(?:For|See|Use)\b/.test(further[3] ?? '')) {
        open = 'further';
        messages[messages.length - 1] = { ...last, related: [...last.related, { file: further[1] ?? '', line: Number(further[2]), message: further[3] ?? '' }] };
      }
    }
  }
  return messages;
}

function messageOf(isError: boolean, code: string, rest: string, files: readonly string[]): LintMessage | undefined {
  // A known name comes first: a file's own path may hold what looks like a place.
  const file = files.find((name) => rest.startsWith(`${name}:`)) ?? /^(.+?):\d+:/.exec(rest)?.[1];
  const place = file === undefined ? null : /^:(\d+):(?:(\d+):)? (.*)$/.exec(rest.slice(file.length));
  if (file === undefined || !place) return undefined;
  const message = (place[3] ?? '').replace(/^\.\.\. /, '');
  const about = code === 'UNSUPPORTED' || UNSUPPORTED.test(message) ? 'unsupported' : /^syntax error/.test(message) ? 'syntax' : UNKNOWN_MODULE.test(message) ? 'unknown-module' : 'other';
  return { file, line: Number(place[1]), column: place[2] === undefined ? undefined : Number(place[2]), length: undefined, severity: isError || FAILED_CHECKS.has(code) ? 'error' : 'warning', code, message, about, related: [] };
}
