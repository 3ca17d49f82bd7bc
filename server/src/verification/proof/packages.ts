/**
 * Imports of packages (IEEE 1800, 26.3) as Yosys can read them: it knows no import, but sees in every module what is declared at the
 * level of the compilation unit.
 */
import { withEdits, type Edit } from './edits.ts';
import { constantNames, tokenize } from './tokens.ts';

interface Package {
  readonly file: string;
  readonly name: string;
  readonly body: string;
  /** Offset behind `endpackage` and its label. */
  readonly end: number;
  readonly declares: ReadonlySet<string>;
}

const PACKAGE = /\bpackage\s+(?:(?:automatic|static)\s+)?(\w+)\s*;([\s\S]*?)\bendpackage\b(?:\s*:\s*\w+)?/g;
const MODULE = /\b(?:module|interface|program)\b[\s\S]*?\bend(?:module|interface|program)\b/g;
const IMPORT = /\bimport\s+\w+\s*::\s*(?:\*|\w+)(?:\s*,\s*\w+\s*::\s*(?:\*|\w+))*\s*;/g;

/**
 * The files with the bodies of imported packages repeated behind their packages and every import blanked, at equal lines; the files as they
 * are where that could change what a name stands for: two packages with one name, or a module that has such a name without the import.
 */
export function withoutImports(files: Readonly<Record<string, string>>): Record<string, string> {
  const packages = Object.entries(files).flatMap(([file, text]) => packagesOf(file, text));
  const imported = packagesIn(Object.values(files).join('\n'));
  const hoisted = packages.filter(({ name }) => imported.has(name));
  if (hoisted.length === 0 || !mayBeHoisted(files, hoisted)) return { ...files };
  return Object.fromEntries(
    Object.entries(files).map(([file, text]) => {
      const behind = hoisted.filter((one) => one.file === file).map(({ end, body }): Edit => ({ start: end, end, replacement: ` ${body.replace(/\s+/g, ' ')}` }));
      return [file, withEdits(text, behind).replace(IMPORT, (part) => part.replace(/[^\n]/g, ' '))];
    }),
  );
}

function packagesOf(file: string, text: string): Package[] {
  return [...text.matchAll(PACKAGE)].map((match): Package => {
    const [all, name = '', body = ''] = match;
    return { file, name, body, end: match.index + all.length, declares: declaredNames(body) };
  });
}

/** Names of the packages from which something is imported. */
function packagesIn(text: string): Set<string> {
  return new Set([...text.matchAll(IMPORT)].flatMap(([part]) => [...part.matchAll(/(\w+)\s*::/g)].map(([, name]) => name ?? '')));
}

function declaredNames(body: string): Set<string> {
  const tokens = tokenize(body);
  const names = constantNames(tokens);
  tokens.forEach(({ text }, at) => {
    // The name of a type stands before the semicolon, that of a function before its ports.
    if (text === 'typedef' || text === 'function' || text === 'task') {
      let depth = 0;
      for (let end = at + 1; end < tokens.length; end++) {
        const here = tokens[end]?.text ?? '';
        if (depth === 0 && (here === ';' || (text !== 'typedef' && here === '('))) {
          names.add(tokens[end - 1]?.text ?? '');
          break;
        }
        if (here === '{' || here === '[') depth++;
        if (here === '}' || here === ']') depth--;
      }
    }
  });
  return names;
}

function mayBeHoisted(files: Readonly<Record<string, string>>, hoisted: readonly Package[]): boolean {
  if (hoisted.some(({ body }) => /`(?:if|else|end|include|define|undef)/.test(body))) return false;
  const all = hoisted.flatMap(({ declares }) => [...declares]);
  if (new Set(all).size < all.length) return false;
  return Object.values(files).every((text) => {
    const outside = text.replace(PACKAGE, ' ').replace(MODULE, ' ');
    const everywhere = packagesIn(outside);
    return [...text.replace(PACKAGE, ' ').matchAll(MODULE)].every(([module]) => {
      const here = packagesIn(module);
      const foreign = new Set(hoisted.filter(({ name }) => !here.has(name) && !everywhere.has(name)).flatMap(({ declares }) => [...declares]));
      const tokens = tokenize(module);
      return !tokens.some(({ text: word }, at) => foreign.has(word) && tokens[at - 1]?.text !== '.' && !(tokens[at - 1]?.text === ':' && tokens[at - 2]?.text === ':'));
    });
  });
}
