/** What an instruction asks for. */
export type Kind =
  'replace' | 'rename' | 'links' | 'frontmatter' | 'append' | 'add-page' | 'add-section';

/**
 * Every instruction that the offline model carries out; the list is closed. "x" is a text in
 * quotes, PAGE and PATH are written with or without them, [...] may be left out, a|b is one of the
 * two. docs/agent/offline-model.md shows the same list, and so does an answer that declines.
 */
export const FORMS: readonly { kind: Kind; form: string }[] = [
  { kind: 'replace', form: 'Replace "old" with "new" [in PATH]' },
  { kind: 'rename', form: 'Rename "old" to "new" [in PATH]' },
  { kind: 'links', form: 'Fix broken links [in PATH]' },
  { kind: 'frontmatter', form: 'Set the FIELD of PAGE to "value"' },
  { kind: 'append', form: 'Append the line|text "text" to PAGE' },
  { kind: 'add-page', form: 'Add a page PATH titled "title" [with the text "text"]' },
  { kind: 'add-section', form: 'Add a section "heading" to PAGE with the text "text"' },
];

/** One thing asked for: its quoted texts, fields and paths in the order of the form. */
export interface Request {
  kind: Kind;
  /** As it was written. */
  text: string;
  values: (string | undefined)[];
}

const QUOTED = '"[^"]*"|“[^“”]*”|`[^`]*`';
const PATH = `(${QUOTED}|[^\\s"“”\`]+?)`;
const PARTS: Record<string, string> = { PATH, PAGE: PATH, FIELD: `(${QUOTED}|[\\w-]+)` };
const PATTERNS = FORMS.map(({ kind, form }) => ({ kind, pattern: patternOf(form) }));

/** What may stand before a form and says nothing: a bullet, a number, "please", "then". */
const OPENING = /\s*(?:(?:[-*•]|\d+[.)])\s+)?(?:(?:then|please)\s+)*/iy;
/** What stands between two forms. */
const SEPARATOR = /[.!;]?\s*$|[.!;]\s+|[.!;]?[^\S\n]*\n|[.,]?\s+(?:and\s+)?then\s+/iy;

/**
 * Reads an instruction that consists of nothing but these forms; undefined where any word of it
 * belongs to none, since that word may limit the rest.
 */
export function readInstruction(text: string): Request[] | undefined {
  const requests: Request[] = [];
  let at = 0;
  while (at < text.length) {
    at += lengthAt(OPENING, text, at);
    const request = readForm(text, at);
    if (!request) return undefined;
    requests.push(request);
    at += request.text.length;
    const separator = lengthAt(SEPARATOR, text, at);
    if (separator === 0 && at < text.length) return undefined;
    at += separator;
  }
  return requests.length > 0 ? requests : undefined;
}

function readForm(text: string, at: number): Request | undefined {
  for (const { kind, pattern } of PATTERNS) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) return { kind, text: found[0], values: found.slice(1).map(unquoted) };
  }
  return undefined;
}

/** The same words in any case, with any space between them. */
function patternOf(form: string): RegExp {
  const source = form
    .replace(/"[^"]*"/g, 'QUOTED')
    .replace(/\s*\[([^\]]*)\]/g, '(?: $1)?')
    .replace(/\b\w+(?:\|\w+)+/g, '(?:$&)')
    .replace(/ /g, '\\s+')
    .replace(/QUOTED|PATH|PAGE|FIELD/g, name => PARTS[name] ?? `(${QUOTED})`);
  return new RegExp(`${source}(?=[.,!;]?(?:\\s|$))`, 'iy');
}

function unquoted(value: string | undefined): string | undefined {
  return value && /^["“`]/.test(value) ? value.slice(1, -1) : value;
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
