/** One replacement in a text; an insertion has `start` at `end`. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** Applies edits that do not overlap; those at one place in their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** The line end that a text uses. */
export function lineEndOf(text: string): string {
  return /\r\n/.test(text) ? '\r\n' : '\n';
}

/** Whole lines put in at an offset that begins a line, or is the end of the text. */
export function insertLines(text: string, at: number, lines: string): TextEdit {
  const lineEnd = lineEndOf(text);
  const written = lines.replace(/\r?\n/g, lineEnd);
  const startsLine = at === 0 || text[at - 1] === '\n';
  return { start: at, end: at, text: startsLine ? written + lineEnd : lineEnd + written };
}
