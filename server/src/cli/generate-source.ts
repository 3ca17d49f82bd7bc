import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { LineIndex } from '../base/text.ts';
import { commentAt, withoutMarks, type CommentPlace } from '../generation/comment.ts';
import { UsageError, type ParsedArgs } from './args.ts';
import type { CommandContext } from './context.ts';

/** A text with a comment, and where it came from. */
export interface Source extends CommentPlace {
  /** Words for a place in a text that is no file. */
  readonly label: string;
  /** Absolute path; undefined for a text that is no file. */
  readonly file: string | undefined;
  /** The whole text that offsets count in. */
  readonly whole: string;
}

/** The text that the command line names. Throws a `UsageError`. */
export async function readSource(parsed: ParsedArgs, { cwd, files }: CommandContext): Promise<Source> {
  const [from, spec, dash] = [parsed.one('from'), parsed.one('spec'), parsed.positionals[0]];
  if (dash !== undefined && dash !== '-') throw new UsageError(`"${dash}" belongs to no option; name the comment with --from FILE:LINE.`);
  if ([from, spec, dash].filter((given) => given !== undefined).length !== 1) throw new UsageError('Name one text to generate from: --from FILE:LINE, --spec TEXT, or - for standard input.');
  if (from === undefined) {
    const whole = spec ?? (await readAll(process.stdin));
    const lead = /^\s*/.exec(whole)?.[0].length ?? 0;
    const marked = /^\s*\/[/*]/.test(whole) ? commentAt(whole, new LineIndex(whole).position(lead).line) : undefined;
    return { label: spec === undefined ? 'standard input' : 'spec', file: undefined, whole, ...(marked ?? { text: withoutMarks(whole), start: 0, header: undefined, place: { start: 0, end: 0 } }) };
  }
  const [, name = '', line] = /^(.+):(\d+)$/s.exec(from) ?? [];
  if (line === undefined || Number(line) < 1) throw new UsageError(`--from ${from}: write FILE:LINE, where LINE is a line of the comment.`);
  const file = path.resolve(cwd, name);
  const whole = await files.read(file);
  if (whole === undefined) throw new UsageError(`--from ${from}: the file ${name} cannot be read.`);
  if (Number(line) > new LineIndex(whole).lineCount) throw new UsageError(`--from ${from}: the file has only ${new LineIndex(whole).lineCount} lines.`);
  const comment = commentAt(whole, Number(line) - 1);
  if (comment === undefined) throw new UsageError(`--from ${from}: there is no comment at this line or right above it.`);
  return { label: name, file, whole, ...comment };
}
