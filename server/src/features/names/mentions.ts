import type { NamedSource } from '../../analysis/names/source.ts';
import { finish } from '../../base/steps.ts';
import type { Steps } from '../../base/steps.ts';
import { macroMentionsInSteps } from '../../syntax/mentions.ts';
import type { MacroMention } from '../../syntax/mentions.ts';

const known = new WeakMap<NamedSource, readonly MacroMention[]>();

/** `macroMentions` of a source, looked for once. */
export function mentionsIn(source: NamedSource): readonly MacroMention[] {
  return known.get(source) ?? finish(mentionsInSteps(source));
}

/** As `mentionsIn`, step by step. */
export function* mentionsInSteps(source: NamedSource): Steps<readonly MacroMention[]> {
  const found = yield* macroMentionsInSteps(source.text);
  known.set(source, found);
  return found;
}
