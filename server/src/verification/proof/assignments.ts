/** What the statements of a text assign, and how: at once, with `=` and its kin, or later, with `<=`. */
import { groupsAt, outerTokens } from './memories.ts';
import { afterGroup, afterStatement, isPlainName, type Token } from './tokens.ts';

export interface AlwaysBlock {
  readonly control: readonly Token[];
  readonly body: readonly Token[];
}

export function alwaysBlocks(tokens: readonly Token[]): AlwaysBlock[] {
  const blocks: AlwaysBlock[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (!['always', 'always_ff'].includes(tokens[i]?.text ?? '') || tokens[i + 1]?.text !== '@') continue;
    const bodyStart = tokens[i + 2]?.text === '(' ? afterGroup(tokens, i + 2) : i + 3;
    const end = afterStatement(tokens, bodyStart);
    blocks.push({ control: tokens.slice(i + 2, bodyStart), body: tokens.slice(bodyStart, end) });
    i = end - 1;
  }
  return blocks;
}

const assigns = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '<<<=', '>>>=', '++', '--']);

/** Names that the statements assign with `=` and its kin. */
export function blockingTargets(body: readonly Token[]): Set<string> {
  return new Set(blockingPlaces(body).values());
}

/** The same by their places. */
export function blockingPlaces(body: readonly Token[]): Map<number, string> {
  return targetPlaces(body, '=', (at) => assigns.has(body[afterTarget(body, at)]?.text ?? ''));
}

/** Where names stand as targets: in a concatenation before the sign, or by themselves. */
function targetPlaces(body: readonly Token[], sign: '=' | '<=', isTarget: (at: number) => boolean): Map<number, string> {
  const targets = new Map<number, string>();
  for (const [at, token] of body.entries()) {
    if (token.text === '{') {
      const after = afterGroup(body, at);
      if (body[after]?.text === sign) for (const [part, t] of body.slice(at, after).entries()) if (isPlainName(t)) targets.set(at + part, t.text);
    }
    if (isPlainName(token) && isTarget(at)) targets.set(at, token.text);
  }
  return targets;
}

/** Behind the selects and members of a name. */
export function afterTarget(body: readonly Token[], name: number): number {
  let after = name + 1;
  while (body[after]?.text === '[' || body[after]?.text === '.') after = body[after]?.text === '[' ? afterGroup(body, after) : after + 2;
  return after;
}

/** Whether a nonblocking assignment to a name begins there, and no comparison. */
export function isAssigned(body: readonly Token[], name: number): boolean {
  const sign = groupsAt(body, name).at(-1)?.end ?? name + 1;
  if (body[sign]?.text !== '<=' || !beginsStatement(body, name)) return false;
  const behind = outerTokens(body, sign + 1, afterStatement(body, sign)).map(({ text }) => text);
  // The label of a case item ends with a colon that belongs to no choice.
  return behind.filter((word) => word === ':').length <= behind.filter((word) => word === '?').length;
}

function beginsStatement(body: readonly Token[], name: number): boolean {
  const before = body[name - 1]?.text;
  if (body[name - 2]?.text === ':' && body[name - 3]?.text === 'begin') return true;
  if (before !== ':') return before === undefined || [';', ')', 'else', 'begin', 'end', 'endcase'].includes(before);
  // A colon ends the label of a case item, or stands in a choice.
  for (let at = name - 2; at >= 0 && ![';', 'begin', 'end', 'endcase'].includes(body[at]?.text ?? ''); at--) if (['=', '<=', '?'].includes(body[at]?.text ?? '')) return false;
  return true;
}

export function isClocked({ control }: AlwaysBlock): boolean {
  return control.some((t) => t.text === 'posedge' || t.text === 'negedge');
}

/** Names in calls of tasks, some of which a task may set as it ends. */
export function handedNames(body: readonly Token[]): string[] {
  return body.flatMap((token, at) => (isPlainName(token) && body[at + 1]?.text === '(' && beginsStatement(body, at) ? body.slice(at + 2, afterGroup(body, at + 1)).filter(isPlainName).map(({ text }) => text) : []));
}

/** Names that the statements assign at once, or that a task may. */
export function setAtOnce(body: readonly Token[]): Set<string> {
  return new Set([...blockingTargets(body), ...handedNames(body)]);
}

/** Whether a place lies in the parentheses behind a `for`, where `<=` compares. */
function isInLoopHead(body: readonly Token[], at: number): boolean {
  return body.some(({ text }, start) => text === 'for' && start < at && at < afterGroup(body, start + 1));
}

/** Names that the statements assign with `<=`, by their places; where it may be a comparison as well, it is taken for an assignment. */
export function nonblockingPlaces(body: readonly Token[]): Map<number, string> {
  return targetPlaces(body, '<=', (at) => body[afterTarget(body, at)]?.text === '<=' && beginsStatement(body, at) && !isInLoopHead(body, at));
}

/** Where names stand as targets of continuous assignments. */
export function assignedPlaces(tokens: readonly Token[]): Set<number> {
  const places = new Set<number>();
  tokens.forEach(({ text }, at) => {
    if (text !== 'assign') return;
    if (tokens[at + 1]?.text !== '{') places.add(at + 1);
    else for (let part = at + 2; part < afterGroup(tokens, at + 1); part = tokens[part]?.text === '[' ? afterGroup(tokens, part) : part + 1) places.add(part);
  });
  return places;
}
