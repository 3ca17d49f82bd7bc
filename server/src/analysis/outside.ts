import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { FileReader } from '../base/files.ts';
import type { IncludeDirective } from '../syntax/preprocessed.ts';
import type { DesignInput } from './design.ts';

/** A place of a preprocessed text where a design may reach for something outside of itself. */
export interface OutsideMatch {
  readonly kind: 'task' | 'import';
  /** The task's name with its `$`, or what is imported. */
  readonly name: string;
  /** The first argument, where it is a plain string literal. */
  readonly text: string | undefined;
  readonly offset: number;
}

const interesting = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[\s\S])*"?|\\\S+|\$[A-Za-z_][\w$]*|\bimport\s+"DPI[^"\n]*"/g;

/** Every system task or function call and every import of a foreign function, in the order of the text, macros being expanded already. */
export function outsideMatches(text: string): OutsideMatch[] {
  const found: OutsideMatch[] = [];
  for (const { 0: piece, index: offset } of text.matchAll(interesting)) {
    if (piece.startsWith('import')) found.push({ kind: 'import', name: piece.replace(/\s+/g, ' '), text: undefined, offset });
    if (!piece.startsWith('$')) continue;
    const argument = /^\s*\(\s*"([^"\\\n]*)"\s*[,)]/.exec(text.slice(offset + piece.length, offset + piece.length + 500));
    found.push({ kind: 'task', name: piece, text: argument?.[1], offset });
  }
  return found;
}

/** Names that a Verilog source or header has. */
const SOURCE_NAME = /\.(?:vh?|vp|vlib|svh?|svp|svi|inc|h|def|defs|params?|macros?)$/i;
/** What stands in the root folder of a project. */
const PROJECT_MARKS = ['.git/HEAD', '.rtl-copilot.json', '.hg/requires', '.svn/wc.db'];
const MOST_FOLDERS_UP = 12;

/**
 * Which files the sources of a design may include: everything in the folders that the user names (that of the file, of its libraries
 * and the include folders), and Verilog files elsewhere in its project, which without a mark reaches one folder up.
 */
export class IncludeFence {
  readonly #named: readonly string[];
  readonly #includeDirs: readonly string[];
  readonly #project: string;

  private constructor(named: readonly string[], includeDirs: readonly string[], project: string) {
    this.#named = named;
    this.#includeDirs = includeDirs;
    this.#project = project;
  }

  static async around({ file, includeDirs = [], libraryFiles = [], units = [] }: DesignInput, files: FileReader): Promise<IncludeFence> {
    const home = dirname(file);
    let project = dirname(home);
    for (let dir = home, up = 0; up < MOST_FOLDERS_UP && dirname(dir) !== dir; dir = dirname(dir), up++) {
      const marks = await Promise.all(PROJECT_MARKS.map((mark) => files.read(join(dir, mark))));
      if (marks.every((mark) => mark === undefined)) continue;
      project = dir;
      break;
    }
    const listed = units.flatMap(({ sources, libraries }) => [...sources, ...libraries]);
    return new IncludeFence([...new Set([home, ...includeDirs, ...[...libraryFiles, ...listed].map((each) => dirname(each))])], includeDirs, project);
  }

  allows(path: string): boolean {
    return this.#named.some((dir) => isInside(path, dir)) || (SOURCE_NAME.test(path) && isInside(path, this.#project));
  }

  /** Whether a directive names only files that may not be included. */
  refuses({ name, file }: Pick<IncludeDirective, 'name' | 'file'>): boolean {
    const candidates = isAbsolute(name) ? [name] : [dirname(file), ...this.#includeDirs].map((dir) => resolve(dir, name));
    return candidates.every((path) => !this.allows(path));
  }
}

function isInside(path: string, dir: string): boolean {
  const inner = relative(dir, path);
  return inner !== '' && inner.split(/[\\/]/)[0] !== '..' && !isAbsolute(inner);
}
