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

/** What a compiled simulation calls. */
export interface SystemCalls {
  /** Every call outside of one root module. */
  readonly calls: readonly SystemTaskCall[];
  /** The names of what that root module calls itself. */
  readonly own: ReadonlySet<string>;
  /** The text is whole, and all in it that may be a call could be read as one. */
  readonly complete: boolean;
}

const codeScope = /^\s+\.scope (S_\w+)\b/;
/** What begins a call of a system task or function, in this release or a later one. */
const callLike = /^\s+%vpi\S*\s|^\w+ \.sfunc\b/;
/** Lines besides calls in which a quoted name or text may begin as the name of a system task does: declarations, texts that are built, and what only lists names. */
const naming = /^(?:\w+\s+\.(?:scope|net8?|var|array|event|param|udp|class)\b|\s+(?:\.scope|\.port_info|%pushi\/str|%concati\/str)\b|[\s,]*(?:\d+: )?"|:)/;
const stringParameter = /^(P_\w+) \.param\/str "(?:[^"\\]|\\.)*" .*?, "((?:[^"\\]|\\.)*)";/;
const call = /^(?:\s+%vpi_(?:call|func)\S*|L_\w+ \.sfunc\S*) (\d+) (\d+) "(\$(?:[^"\\]|\\.)*)"(?:[^",]*, (?:"((?:[^"\\]|\\.)*)"|(P_\w+)))?/;

/**
 * Every system task and function call, apart from those of the root module `except`. vvp finds a task by its quoted name, so a line that has such a name and is of no
 * known kind may be a call as well.
 */
export function readSystemCalls(vvpText: string, except: string): SystemCalls {
  const calls: { name: string; text: string | undefined; fileIndex: number; line: number }[] = [];
  const own = new Set<string>();
  let complete = true;
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
      if (found === null) {
        complete = false;
        continue;
      }
      const [, fileIndex, number, name = '', literal, parameter] = found;
      if (excepted.has(current)) {
        own.add(unquote(name));
        continue;
      }
      // What follows the name of a function outside of any block is the type of its result.
      const text = first !== 32 /* space */ ? undefined : literal === undefined ? parameters.get(parameter ?? '') : unquote(literal);
      calls.push({ name: unquote(name), text, fileIndex: Number(fileIndex), line: Number(number) });
    } else {
      const scope = first === 32 /* space */ ? codeScope.exec(line) : null;
      if (scope !== null) current = scope[1] ?? '';
      else if (line.includes('"$') && !naming.test(line)) complete = false;
    }
  }
  const names = fileNames(lines);
  return { calls: calls.map(({ fileIndex, ...rest }) => ({ ...rest, file: names?.[fileIndex] ?? '' })), own, complete: complete && names !== undefined };
}

/** The table of file names that ends a `.vvp` file; undefined where it is cut off. */
function fileNames(lines: readonly string[]): string[] | undefined {
  const start = lines.findLastIndex((line) => line.startsWith(':file_names '));
  if (start < 0) return undefined;
  const names = lines.slice(start + 1).flatMap((line) => {
    const name = /^\s+"((?:[^"\\]|\\.)*)";$/.exec(line)?.[1];
    return name === undefined ? [] : [unquote(name)];
  });
  return names.length === Number(/\d+/.exec(lines[start] ?? '')?.[0]) ? names : undefined;
}
