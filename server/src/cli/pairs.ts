import path from 'node:path';
import { replaceVariables, tokenize, type Token } from '../analysis/filelist-tokens.ts';
import type { ParsedArgs} from './args.ts';
import { parseCommandLine, UsageError, type CommandSpec } from './args.ts';
import type { CommandContext } from './context.ts';
import { placeText } from './places.ts';
import { verifySpec } from './verify-args.ts';

/** Options of the whole batch, which a line of a list cannot have. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set(['dut', 'golden', 'pairs', 'jobs', 'json', 'help']);
/** Options that show one counterexample. */
const OF_ONE: readonly string[] = ['wave', 'testbench', 'vcd', 'save-case'];

const lineSpec: CommandSpec = { ...verifySpec, options: verifySpec.options.filter(({ name }) => !OF_THE_WHOLE.has(name)) };

/** The command line of each pair, as if it were verified alone; undefined where only one is named. Throws a `UsageError`. */
export async function pairsOf(parsed: ParsedArgs, context: CommandContext): Promise<ParsedArgs[] | undefined> {
  const list = parsed.one('pairs');
  const duts = parsed.all('dut');
  if (list === undefined && duts.length < 2) return undefined;
  const common = parsed.replaced(['dut', 'pairs', 'jobs']);
  const pairs = [...duts.map((dut) => common.replaced([], { dut })), ...(list === undefined ? [] : await readPairs(list, common, context))];
  if (pairs.length === 0) throw new UsageError(`The list ${list ?? ''} names no pair; write one a line, a DUT and its golden.`);
  const showing = OF_ONE.find((name) => pairs.some((pair) => pair.flag(name)));
  if (showing !== undefined) throw new UsageError(`--${showing} shows one counterexample, and there may be one of each pair here; verify that pair alone with it.`);
  return pairs;
}

async function readPairs(list: string, common: ParsedArgs, { cwd, files, variables }: CommandContext): Promise<ParsedArgs[]> {
  const text = await files.read(path.resolve(cwd, list));
  if (text === undefined) throw new UsageError(`The list of pairs ${list} cannot be read; check its path.`);
  return rowsOf(tokenize(text)).map((tokens) => {
    try {
      return pairOfLine(tokens.map(({ text: word }) => expanded(word, variables)), common);
    } catch (error) {
      if (error instanceof UsageError) throw new UsageError(`${placeText(list, tokens[0]?.line, undefined)}: ${error.message}`);
      throw error;
    }
  });
}

/** Words by the lines on which they stand. */
function rowsOf(tokens: readonly Token[]): Token[][] {
  const rows = new Map<number, Token[]>();
  for (const token of tokens) {
    const row = rows.get(token.row);
    if (row === undefined) rows.set(token.row, [token]);
    else row.push(token);
  }
  return [...rows.values()];
}

/** A line names a DUT, its golden unless the command line does, and options of this pair. */
function pairOfLine(words: readonly string[], common: ParsedArgs): ParsedArgs {
  const whole = words.find((word) => OF_THE_WHOLE.has(word.replace(/^-+|=.*$/gs, '')) && word.startsWith('-'));
  if (whole !== undefined) throw new UsageError(`${whole} is no option of one pair; give it on the command line.`);
  const own = parseCommandLine(lineSpec, words);
  const [dut, golden = common.one('golden'), stray] = own.positionals;
  if (dut === undefined) throw new UsageError('The line has options and no DUT; begin it with a DUT and its golden.');
  if (stray !== undefined) throw new UsageError(`"${stray}" is one name too many; write a DUT, its golden, and then options of this pair.`);
  if (golden === undefined) throw new UsageError(`The golden of ${dut} is missing; write it behind the DUT, or name one for all with --golden.`);
  return common.with(own, lineSpec).replaced([], { dut, golden });
}

function expanded(word: string, variables: CommandContext['variables']): string {
  return replaceVariables(word, (name, written) => variables[name] ?? written);
}
