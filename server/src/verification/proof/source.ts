/**
 * A proof reads a source as synthesis does, a simulator as the standard does. This file removes what makes the two differ where
 * that can be done in the text, and finds what cannot be removed, so that no proof is claimed on it.
 */
import { OPAQUE_PIECE } from '../../syntax/pieces.ts';
import { afterTarget, alwaysBlocks, assignedPlaces, blockingPlaces, blockingTargets, handedNames, isAssigned, isClocked, nonblockingPlaces, setAtOnce, type AlwaysBlock } from './assignments.ts';
import { flowOf } from './flow.ts';
import { steeredLoop } from './loop-variables.ts';
import { isWithin, mayFollow, processesIn, subroutinesIn, type Range } from './processes.ts';
import { subroutineDoubt } from './subroutines.ts';
import { afterGroup, afterStatement, constantNames, isPlainName, tokenize, type Token } from './tokens.ts';

/** Blanks comments and attributes at equal length: tools read orders such as `full_case` or `translate_off` in them. */
export function withoutPragmas(text: string): string {
  return text.replace(PRAGMA, (part) => (/^["\\]/.test(part) ? part : part.replace(/[^\r\n]/g, ' ')));
}

const PRAGMA = new RegExp(String.raw`${OPAQUE_PIECE}|\(\*(?!\s*\))[\s\S]*?\*\)|\b(?:unique0?|priority)(?=\s+(?:case[xz]?|if)\b)`, 'g');

/** First name that a level-sensitive block reads but does not wait for, or undefined. */
function missingFromSensitivity(block: AlwaysBlock, constants: ReadonlySet<string>): string | undefined {
  const { control, body } = block;
  if (control.some((t) => t.text === '*' || t.text === 'posedge' || t.text === 'negedge')) return undefined;
  if (control.some((t) => t.text === '[' || t.kind === 'directive')) return control.find(isPlainName)?.text;
  const listed = new Set(control.filter(isPlainName).map((t) => t.text));
  const targets = blockingTargets(body);
  for (const [i, token] of body.entries()) {
    if (token.kind === 'directive') return token.text;
    if (!isPlainName(token) || listed.has(token.text) || targets.has(token.text) || constants.has(token.text)) continue;
    const before = body[i - 1]?.text;
    if (before === ':' && body[i - 2]?.text === 'begin') continue;
    // What a nonblocking assignment sets is not read there.
    if (isAssigned(body, i)) continue;
    return token.text;
  }
  return undefined;
}

export interface ClockedAssignments {
  /** Variables that a block assigns with `=` at a clock edge and that something beside it mentions. */
  readonly shared: ReadonlySet<string>;
  /** Those that only the first branch of a block with several edges assigns so, as for an asynchronous reset. */
  readonly atReset: ReadonlySet<string>;
  /** Blocks that wait for an edge. */
  readonly blocks: number;
  /** One block of the source may stand for several: there are generate loops. */
  readonly repeated: boolean;
}

/** What is assigned so that another block may see it before or after, as the simulator likes (IEEE 1800, 4.8). */
export function clockedAssignments(text: string): ClockedAssignments {
  const tokens = tokenize(withoutPragmas(text));
  const blocks = alwaysBlocks(tokens);
  const clocked = blocks.filter(isClocked);
  // Latches are made of blocks without an edge.
  const isOne = clocked.length <= 1 && blocks.length === clocked.length && !tokens.some((t) => t.text === 'always_latch' || t.text === 'always_comb');
  const repeated = tokens.some((t) => t.text === 'genvar');
  const modules = tokens.filter((t) => t.text === 'module').length;
  // Whether a task or function is called at an edge is not followed.
  const shared = new Set(subroutines(tokens).flatMap((body) => [...setAtOnce(body)]));
  if (isOne && modules <= 1 && !repeated) return { shared: new Set(), atReset: new Set(), blocks: clocked.length, repeated };
  const elsewhereThanAtReset = new Set(shared);
  for (const block of clocked) {
    for (const name of setAtOnce(behindReset(block))) elsewhereThanAtReset.add(name);
    for (const name of setAtOnce(block.body)) {
      const elsewhere = tokens.filter((t) => t.text === name).length - block.body.filter((t) => t.text === name).length;
      // A declaration is one mention.
      if (repeated || elsewhere > 1) shared.add(name);
    }
  }
  return { shared, atReset: new Set([...shared].filter((name) => !elsewhereThanAtReset.has(name))), blocks: clocked.length, repeated };
}

export interface OrderedAssignments {
  /** Variables assigned with `=` at a clock edge: what they clock moves before nonblocking assignments do. */
  readonly blocking: ReadonlySet<string>;
  /** Variables assigned with `<=` elsewhere: what they clock moves with or behind nonblocking assignments. */
  readonly nonblocking: ReadonlySet<string>;
  /** Names that are declared and continuously assigned, and stand nowhere else. */
  readonly unread: ReadonlySet<string>;
}

/** What is assigned in another order than registers and logic mostly are; of tasks and functions both. */
export function orderedAssignments(text: string): OrderedAssignments {
  const tokens = tokenize(withoutPragmas(text));
  const blocks = alwaysBlocks(tokens);
  const timeless = tokens.flatMap(({ text: word }, at) => (word === 'always_comb' || word === 'always_latch' ? [tokens.slice(at + 1, afterStatement(tokens, at + 1))] : []));
  const called = subroutines(tokens);
  const atEdges = blocks.filter(isClocked).map(({ body }) => body);
  const elsewhere = [...blocks.filter((block) => !isClocked(block)).map(({ body }) => body), ...timeless];
  return {
    blocking: new Set([...atEdges, ...called].flatMap((body) => [...setAtOnce(body)])),
    nonblocking: new Set([...elsewhere, ...called].flatMap((body) => [...nonblockingPlaces(body).values()])),
    unread: unreadNames(tokens),
  };
}

function unreadNames(tokens: readonly Token[]): Set<string> {
  const names = new Set(tokens.filter(isPlainName).map(({ text }) => text));
  const targets = assignedPlaces(tokens);
  tokens.forEach((token, at) => {
    if (isPlainName(token) && !targets.has(at) && !isDeclared(tokens, at)) names.delete(token.text);
  });
  return names;
}

/** A net that two continuous assignments of a module set to constants as a whole, of which a netlist keeps one. */
function assignedTwice(tokens: readonly Token[], constants: ReadonlySet<string>): string | undefined {
  const isConstant = (at: number): boolean => tokens.slice(at, afterStatement(tokens, at)).every((token) => !isPlainName(token) || constants.has(token.text));
  const places = [...assignedPlaces(tokens)].filter((at) => tokens[at + 1]?.text === '=' && isConstant(at + 2));
  const ends = tokens.flatMap(({ text }, at) => (text === 'endmodule' ? [at] : []));
  const isRepeated = (first: number, second: number): boolean => first !== second && tokens[first]?.text === tokens[second]?.text && !ends.some((end) => end > first && end < second);
  const found = places.find((second) => places.some((first) => first < second && isRepeated(first, second) && !inOtherScope(tokens, first, second) && mayFollow(tokens, first, second)));
  return found === undefined ? undefined : tokens[found]?.text;
}

/** A block of a generate construct stands around one of two places only: it may hold a net of its own with that name. */
function inOtherScope(tokens: readonly Token[], first: number, second: number): boolean {
  return tokens.some(({ text }, at) => {
    if (text !== 'begin') return false;
    const range = { from: at, to: afterStatement(tokens, at) };
    return isWithin(range, first) !== isWithin(range, second);
  });
}

const DECLARING: ReadonlySet<string> = new Set(['input', 'output', 'inout', 'wire', 'reg', 'logic']);

/** Whether a name stands in a list of declarations, or of the ports of a module. */
function isDeclared(tokens: readonly Token[], name: number): boolean {
  if (![',', ';', ')', '['].includes(tokens[name + 1]?.text ?? '')) return false;
  let depth = 0;
  for (let at = name - 1; at >= 0; at--) {
    const token = tokens[at];
    if (token === undefined) return false;
    if (token.text === ']') depth++;
    else if (token.text === '[') depth--;
    else if (depth > 0) continue;
    else if (DECLARING.has(token.text)) return true;
    else if (token.text === '(') return tokens[at - 2]?.text === 'module';
    else if (token.text !== ',' && token.text !== 'signed' && !isPlainName(token)) return false;
    // Behind another name without a comma it is the target of an assignment to a type or an instance.
    else if (isPlainName(token) && tokens[at + 1]?.text !== ',' && tokens[at + 1]?.text !== '[') return false;
    if (depth < 0) return false;
  }
  return false;
}

/** What a block holds beside the first branch of the `if` that it is, where it waits for several edges. */
function behindReset({ control, body }: AlwaysBlock): readonly Token[] {
  let start = 0;
  while (body[start]?.text === 'begin') start += body[start + 1]?.text === ':' ? 3 : 1;
  const edges = control.filter((t) => t.text === 'posedge' || t.text === 'negedge').length;
  return edges < 2 || body[start]?.text !== 'if' ? body : body.slice(afterStatement(body, afterGroup(body, start + 1)));
}

function subroutines(tokens: readonly Token[]): (readonly Token[])[] {
  return subroutinesIn(tokens).map(({ from, to }) => tokens.slice(from, to));
}

/**
 * A variable that one run of a process sets with `<=` and then with `=`: the last value is that of `<=` (IEEE 1800, 10.4.2), but a netlist keeps what stands last.
 * Whether a subroutine that sets one so is called before or behind is not followed.
 */
function assignedBothWays(tokens: readonly Token[]): string | undefined {
  const called = subroutines(tokens);
  const [lateInCalls, atOnceInCalls] = [new Set(called.flatMap((body) => [...nonblockingPlaces(body).values()])), new Set(called.flatMap((body) => [...setAtOnce(body)]))];
  for (const { from, to } of processesIn(tokens)) {
    const body = tokens.slice(from, to);
    const [late, atOnce, handed] = [nonblockingPlaces(body), blockingPlaces(body), new Set(handedNames(body))];
    const mixed = [...late].find(([first, name]) => handed.has(name) || atOnceInCalls.has(name) || [...atOnce].some(([second, other]) => other === name && mayFollow(body, first, second)));
    const name = mixed?.[1] ?? [...atOnce.values(), ...handed, ...atOnceInCalls].find((one) => lateInCalls.has(one));
    if (name !== undefined) return name;
  }
  return undefined;
}

export interface SourceDoubt {
  /** Why a proof on this source would not say what a simulation says; one full sentence. */
  readonly reason: string;
}

function isTiming(token: Token): boolean {
  return token.text === '#' || token.text === '@' || token.text === 'wait';
}

/** Some `initial` block lets time pass, so that what it sets is no initial value. */
function initialTakesTime(tokens: readonly Token[]): boolean {
  return tokens.some((token, i) => token.text === 'initial' && tokens.slice(i + 1, afterStatement(tokens, i + 1)).some(isTiming));
}

/**
 * A variable that a process without an edge reads before it sets it: what it sets then wakes nobody that runs already, so that what was read is an older value than that
 * on which a netlist settles. Of a variable that is set part by part, only what stands before all that sets it is taken for such a read.
 */
function readAhead(tokens: readonly Token[]): string | undefined {
  for (const { from, to } of processesIn(tokens)) {
    const word = tokens[from]?.text;
    const [block] = word === 'always' ? alwaysBlocks(tokens.slice(from, to)) : [];
    const body = word === 'always_comb' || word === 'always_latch' ? tokens.slice(from + 1, to) : block !== undefined && !isClocked(block) ? block.body : [];
    const places = blockingPlaces(body);
    for (const name of new Set(places.values())) {
      const own = [...places].flatMap(([at, other]) => (other === name ? [at] : []));
      const isWhole = own.every((at) => afterTarget(body, at) === at + 1);
      const first = Math.min(...own);
      const { reads } = flowOf(body, 0, body.length, name);
      if (reads.some((read) => (isWhole ? own.some((at) => at !== read && mayFollow(body, read, at)) : read < first))) return name;
    }
  }
  return undefined;
}

function assignedIn(tokens: readonly Token[], { from, to }: Range): Map<number, string> {
  const body = tokens.slice(from, to);
  return new Map([...blockingPlaces(body), ...nonblockingPlaces(body)].map(([at, name]) => [from + at, name]));
}

/** Whether a place lies in a process that wakes at an edge, runs once, or knows what the subroutines that it calls look at. */
function timedPlaces(tokens: readonly Token[]): (at: number) => boolean {
  const isTimed = ({ from, to }: Range): boolean => {
    const word = tokens[from]?.text ?? '';
    return word === 'always' ? alwaysBlocks(tokens.slice(from, to)).some(isClocked) : true;
  };
  const timed = processesIn(tokens).filter(isTimed);
  return (at) => timed.some((range) => isWithin(range, at));
}

/** Looks through the text of one side, macros expanded, for what synthesis and simulation read differently. */
export function findDoubt(text: string): SourceDoubt | undefined {
  const tokens = tokenize(withoutPragmas(text));
  const constants = constantNames(tokens);
  const blocks = alwaysBlocks(tokens);
  for (const block of blocks) {
    const name = missingFromSensitivity(block, constants);
    if (name !== undefined) return { reason: `An always block reads '${name}' but may not wake when it changes, which a proof cannot follow.` };
    if (block.body.some((t) => t.text === '@' || t.text === 'wait')) return { reason: 'An always block waits in its middle, which a proof cannot follow.' };
  }
  if (tokens.some((token, i) => token.text === 'always' && tokens[i + 1]?.text !== '@')) {
    return { reason: 'An always block runs without waiting for an event, which a proof cannot follow.' };
  }
  const mixed = assignedBothWays(tokens);
  if (mixed !== undefined) return { reason: `A process assigns '${mixed}' both with '<=' and with '=', of which the last in the text need not be the last in time, which a proof cannot follow.` };
  const steered = steeredLoop(tokens, blockingPlaces(tokens));
  if (steered !== undefined) return { reason: `A loop counts with '${steered}', and what it repeats sets that as well, which a proof cannot follow.` };
  const twice = assignedTwice(tokens, constants);
  if (twice !== undefined) return { reason: `'${twice}' is assigned constants continuously in more than one place, of which a proof sees one only.` };
  const ahead = readAhead(tokens);
  if (ahead !== undefined) return { reason: `A process without an edge reads '${ahead}' before it sets it, which is an older value than that on which a proof settles.` };
  const beside = subroutineDoubt(tokens, assignedIn, timedPlaces(tokens));
  if (beside !== undefined) return { reason: beside };
  if (tokens.some(({ kind, text: word }) => kind === 'string' && word === '""')) return { reason: 'An empty string stands for eight zero bits, which a proof loses.' };
  if (initialTakesTime(tokens)) return { reason: 'An initial block lets time pass, which a proof cannot follow.' };
  return undefined;
}

/** Some number has a digit that is unknown or undriven. */
export function hasUnknownNumber(text: string): boolean {
  return tokenize(withoutPragmas(text)).some(({ kind, text: number }) => kind === 'number' && /'.*[xz?]/i.test(number));
}

/** Some delay is written in the text; a proof takes every delay as zero. */
export function hasDelays(text: string): boolean {
  const tokens = tokenize(withoutPragmas(text));
  return tokens.some((token, i) => {
    if (token.text !== '#') return false;
    const [before, next] = [tokens[i - 1], tokens[i + 1]];
    // The parameters of an instance follow a name, those of a module its own.
    return next?.kind === 'number' || next?.kind === 'name' || (next?.text === '(' && !(before !== undefined && isPlainName(before)));
  });
}
