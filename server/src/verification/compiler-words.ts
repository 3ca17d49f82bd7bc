/** What a compiler says of a common mistake, and what is to be done about it. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^'?([^\s'[]+)\S* is not a valid l-value\b.*$/, "'$1' is no variable, and only variables can be assigned in a procedural block; declare it as reg or logic."],
  [/^Unable to bind (?:wire\/reg\/memory|parameter) [`'](\S+?)' in [`'](.+?)'\.?$/, "'$1' is not declared in '$2'; declare it, or correct the name."],
  [/^parameter `(.+)` not found in `(.+)`\.$/, "'$2' has no parameter '$1'; correct the name."],
  [/^Unknown module type: (\S+)$/, 'Module $1 is not defined in these files, beside them or in the include folders; add the file that defines it.'],
];

/** A message of a compiler in words that say what to do, where there are better ones than its own. */
export function plainWords(message: string): string {
  for (const [pattern, words] of WORDS) if (pattern.test(message)) return message.replace(pattern, words);
  return message;
}
