/** A comment; one that is not closed goes on to the end of the text. */
const COMMENT = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`;

/** A string literal; one that is not closed ends with its line. Between three quotes it goes over several lines (IEEE 1800-2023, 5.9). */
export const STRING_PIECE = String.raw`"""[\s\S]*?"""|"(?:[^"\\\n]|\\[\s\S])*"?`;

/** A comment or a string literal, as the source of a pattern. */
export const COMMENT_OR_STRING = `${COMMENT}|${STRING_PIECE}`;

/** A comment, a string literal or an escaped identifier, in which no other word or sign stands. */
export const OPAQUE_PIECE = String.raw`${COMMENT_OR_STRING}|\\\S+`;
