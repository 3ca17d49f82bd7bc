const BEGIN = ' ...run scheduler\n';
const END = ' ...execute Postsim callbacks\n';
/** What vvp tells of itself, on either output. */
const OWN = /^(?:Compiling VVP|Compile cleanup|Running \.\.\.| \.\.\.)|^ {5,}/;
const COUNT = /^ +(\d+) (?:time steps|thread schedule events|assign events|other events)\b/gm;

/** What a simulation printed, and how many events it had: a measure of its work that is the same on every machine, however busy. */
export interface CountedOutput {
  readonly printed: string;
  /** Undefined where the simulation was ended, or vvp does not tell. */
  readonly events: number | undefined;
}

/** Takes the standard output of `vvp -v` apart. */
export function readCounts(stdout: string): CountedOutput {
  const begin = stdout.indexOf(BEGIN);
  if (begin < 0) return { printed: withoutOwnLines(stdout), events: undefined };
  const end = stdout.lastIndexOf(END);
  const printed = stdout.slice(begin + BEGIN.length, end < begin ? undefined : end);
  const counts = end < begin ? [] : [...stdout.slice(end).matchAll(COUNT)];
  return { printed, events: counts.length === 0 ? undefined : counts.reduce((sum, [, count]) => sum + Number(count), 0) };
}

/** The standard error of `vvp -v` without what vvp tells of its own steps. */
export function withoutOwnLines(text: string): string {
  return text.split('\n').filter((line) => !OWN.test(line)).join('\n');
}
