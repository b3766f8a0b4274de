/** What Docent says in a text of others: between two comments that nobody sees, found by a word. */
export function marked(marker: string, text: string): string {
  return `${open(marker)}\n${text}\n${close(marker)}`;
}

/** Whether the whole text is ours. */
export function isMarked(body: string, marker: string): boolean {
  return body.startsWith(open(marker));
}

/** The body with our part replaced, or added at its end; without it if the text is empty. */
export function withMarked(body: string, marker: string, text: string): string {
  const start = body.indexOf(open(marker));
  const end = body.indexOf(close(marker), start);
  const part = text === '' ? '' : marked(marker, text);
  if (start === -1 || end === -1) return [body.trimEnd(), part].filter(Boolean).join('\n\n');
  return body.slice(0, start) + part + body.slice(end + close(marker).length);
}

const open = (marker: string) => `<!-- ${marker} -->`;
const close = (marker: string) => `<!-- /${marker} -->`;
