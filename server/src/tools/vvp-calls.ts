import { scopeLine, unquote } from './vvp-file.ts';

/** A call of a system task or function, as a compiled `.vvp` file lists it: exactly what will run, macros and parameters being resolved. */
export interface SystemTaskCall {
  readonly name: string;
  /** The first argument where it is a string that is known now. */
  readonly text: string | undefined;
  /** As the compiler was given it, or as a `` `line`` directive claims. */
  readonly file: string;
  /** One-based. */
  readonly line: number;
}

const codeScope = /^\s+\.scope (S_\w+)\b/;
/** What begins a call of a system task or function, in this release or a later one. */
const callLike = /^\s+%vpi\S*\s|^\w+ \.sfunc\b/;
/** Stands for a call that cannot be read. It is the name of nothing, so that nothing allows it. */
export const UNREADABLE_CALL = '$?';
const stringParameter = /^(P_\w+) \.param\/str "(?:[^"\\]|\\.)*" .*?, "((?:[^"\\]|\\.)*)";/;
const call = /^(?:\s+%vpi_(?:call|func)\S*|L_\w+ \.sfunc\S*) (\d+) (\d+) "(\$(?:[^"\\]|\\.)*)"(?:[^",]*, (?:"((?:[^"\\]|\\.)*)"|(P_\w+)))?/;

/** Every system task and function call outside of the root module `except`. */
export function readSystemCalls(vvpText: string, except: string): SystemTaskCall[] {
  const calls: { name: string; text: string | undefined; fileIndex: number; line: number }[] = [];
  const parameters = new Map<string, string>();
  const excepted = new Set<string>();
  let current = '';
  const lines = vvpText.split('\n');
  for (const line of lines) {
    const first = line.charCodeAt(0);
    if (first === 83 /* S */) {
      const scope = scopeLine.exec(line);
      if (scope !== null) {
        const [, id = '', , name = '', parent] = scope;
        current = id;
        if (parent === undefined && unquote(name) === except) excepted.add(id);
      }
    } else if (first === 80 /* P */) {
      const parameter = stringParameter.exec(line);
      if (parameter !== null) parameters.set(parameter[1] ?? '', unquote(parameter[2] ?? ''));
    } else if (callLike.test(line)) {
      const found = call.exec(line);
      if (excepted.has(current)) continue;
      if (found === null) {
        calls.push({ name: UNREADABLE_CALL, text: undefined, fileIndex: -1, line: 1 });
        continue;
      }
      const [, fileIndex, number, name = '', literal, parameter] = found;
      const text = literal === undefined ? parameters.get(parameter ?? '') : unquote(literal);
      calls.push({ name: unquote(name), text, fileIndex: Number(fileIndex), line: Number(number) });
    } else if (first === 32 /* space */) {
      const scope = codeScope.exec(line);
      if (scope !== null) current = scope[1] ?? '';
    }
  }
  const names = fileNames(lines);
  return calls.map(({ fileIndex, ...rest }) => ({ ...rest, file: names[fileIndex] ?? '' }));
}

/** The table of file names that ends a `.vvp` file. */
function fileNames(lines: readonly string[]): string[] {
  const start = lines.findLastIndex((line) => line.startsWith(':file_names '));
  return start < 0 ? [] : lines.slice(start + 1).flatMap((line) => {
    const name = /^\s+"((?:[^"\\]|\\.)*)";$/.exec(line)?.[1];
    return name === undefined ? [] : [unquote(name)];
  });
}
