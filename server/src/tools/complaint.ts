/**
 * What a compiler means by refusing a source. `unsupported`: it knows the construct and does not handle it. `syntax`: its grammar ends there, be the text a mistake
 * or newer than the grammar. `missing-name`: a name stands for nothing or for something else, which is no limit of the compiler. `never-waits`: a block runs for
 * ever at one time. `mistake`: anything else that is wrong.
 */
export type Complaint = 'unsupported' | 'syntax' | 'missing-name' | 'never-waits' | 'mistake';

const KNOWN: readonly (readonly [Complaint, RegExp])[] = [
  ['never-waits', /runtime infinite loop/i],
  ['missing-name', /^(?:.+ is not a valid l-value\b|parameter `.*` not found in|port .* is not a port of|Could not find variable|Unable to bind|Unknown module type|Could not resolve hierarchical reference|No function named)/i],
  ['syntax', /^(?:(?:invalid|malformed|missing(?! value)|error|errors|syntax)\b|.*\bsyntax error\b)/i],
];

/** Reads the words of a compiler for a message that it does not mark as `unsupported`. */
export function complaintOf(message: string): Complaint {
  return KNOWN.find(([, words]) => words.test(message))?.[0] ?? 'mistake';
}
