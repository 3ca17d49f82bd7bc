/** Markdown that a model wrote, as far as it may be shown: no pictures and no HTML, since both can load from elsewhere. Code stays as it is. */
export function plainMarkdown(text: string): string {
  return text
    .split(/(```[\s\S]*?(?:```|$)|`[^`\n]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll('![', '[').replaceAll('<', '&lt;')))
    .join('');
}
