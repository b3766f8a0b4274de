/** What an instruction names: a term, a page, a value. */
export interface Operand {
  text: string;
  /** It stood in quotes or backticks: take it to the letter. */
  quoted: boolean;
  /** It stood with a noun that says that it is text (`the word foo`). */
  named: boolean;
  /** It stood in backticks: a name, which has no other forms. */
  ticked?: boolean;
}

/**
 * An instruction whose quoted parts are replaced by marks, so that patterns cannot reach into them.
 */
export interface Lifted {
  text: string;
  /** The quoted parts without their quotes, and as they stood. */
  parts: string[];
  raw: string[];
}

const OPEN = '\uE000';
const CLOSE = '\uE001';

/**
 * No part holds the mark that opens it: a search for the end that begins anew at each of 100,000
 * marks would take minutes.
 */
const QUOTES = new RegExp(
  [
    /^```[^\n]*\n(?<fence>(?:(?!```)[^\n]*\n)*)```[ \t]*$/,
    /`(?<tick>[^`\n]+)`/,
    /(?<!\S)``(?<none>)(?=[\s.,;:!?)]|$)/,
    /"(?<double>[^"]*)"/,
    /“(?<curly>[^“”]*)”/,
    /«(?<angle>[^«»]*)»/,
    /(?<![\w.])['‘](?<single>[^'‘’\n]*)['’](?!\w)/,
  ]
    .map(pattern => pattern.source)
    .join('|'),
  'gm',
);

/** Replaces each quoted part by a mark. */
export function liftQuotes(text: string): Lifted {
  const parts: string[] = [];
  const raw: string[] = [];
  const marked = text.replace(QUOTES, (...match) => {
    const groups = match.at(-1) as Record<string, string | undefined>;
    const content =
      groups['fence']?.replace(/\n$/, '') ??
      Object.values(groups).find(value => value !== undefined) ??
      '';
    raw.push(match[0]);
    return `${OPEN}${parts.push(content) - 1}${CLOSE}`;
  });
  return { text: marked, parts, raw };
}

/** Puts the quoted parts back, without their quotes. */
export function restore(text: string, lifted: Lifted): string {
  return text.replace(
    /\uE000(\d+)\uE001/g,
    (_, index: string) => lifted.parts[Number(index)] ?? '',
  );
}

/** The text as it was written, quotes included. */
export function original(text: string, lifted: Lifted): string {
  return text.replace(/\uE000(\d+)\uE001/g, (_, index: string) => lifted.raw[Number(index)] ?? '');
}

const NOUNS = String.raw`(?:terms?|words?|phrases?|strings?|texts?|names?|(?:cli )?commands?|options?|flags?|packages?|modules?|parameters?|params?|props?|propert(?:y|ies)|fields?|functions?|methods?|classes|class|components?|hooks?|(?:env(?:ironment)? )?variables?|settings?|identifiers?|urls?|domains?|hosts?|hostnames?|labels?|headings?|keys?|values?|links?|lines?|sentences?|paragraphs?|bullets?|rows?|numbers?|entry|entries)`;
const JUDGED =
  '(?:old|new|current|deprecated|legacy|outdated|obsolete|former|wrong|incorrect|misspelled)';
const BEFORE = new RegExp(
  String.raw`^(?:(?:all|every|each|any|the|our|${JUDGED})\s+)*(?:(?:instances?|occurrences?|mentions?|references?|uses?|usages?)\s+(?:of|to)\s+)?(?:(?:the|our|${JUDGED})\s+)*`,
  'i',
);
const NOUN_BEFORE = new RegExp(String.raw`^${NOUNS}\s+(?=\S)`, 'i');
/** `pipe name FooPipe`: up to two words may say what kind of name follows. */
const KIND_BEFORE = new RegExp(
  String.raw`^(?:[a-z-]+\s+){1,2}${NOUNS}\s+(?=\S*(?:[._/@#\d]|[a-z][A-Z])\S*$)`,
);
const NOUN_AFTER = new RegExp(String.raw`\s+${NOUNS}$`, 'i');

/**
 * Reads an operand: quoted to the letter, else without articles and the nouns that only describe
 * it.
 */
export function readOperand(raw: string, lifted: Lifted): Operand {
  let text = raw.trim().replace(/[.,;:]$/, '');
  const inner = text.match(/\uE000\d+\uE001/g) ?? [];
  // `the "foo" option` means foo; two quoted parts in one operand are no operand.
  if (inner.length === 1) {
    const rest = text
      .replace(inner[0] ?? '', ' ')
      .replace(BEFORE, '')
      .trim();
    if (
      rest === '' ||
      new RegExp(
        String.raw`^(?:(?:[\w-]+\s+){0,2}${NOUNS}|pages?|sections?|titles?|tabs?|buttons?|menus?|npm tag|tag)$`,
        'i',
      ).test(rest)
    ) {
      return {
        text: restore(inner[0] ?? '', lifted),
        quoted: true,
        named: true,
        ...(original(inner[0] ?? '', lifted).startsWith('`') ? { ticked: true } : {}),
      };
    }
  }
  text = text.replace(BEFORE, '');
  const bare = text.replace(KIND_BEFORE, '').replace(NOUN_BEFORE, '').replace(NOUN_AFTER, '');
  return { text: restore(bare, lifted), quoted: false, named: bare !== text };
}

/**
 * A name rather than a word of the language: `noCopy`, `@scope/pkg`, `v2`, `app.example.com`,
 * `max_age`.
 */
export function isIdentifier(text: string): boolean {
  return /^\S+$/.test(text) && /[._/@:#\d\\$-]|[a-z][A-Z]/.test(text);
}

/** No text at all, or these words: only quotes tell. */
export const NOTHING =
  /^(?:nothing|none|blank|empty|(?:an?|the) (?:empty|blank)(?: (?:string|text|value|line))?)$/i;

/** `docs/install.md`, `/guides/x`, `README.md`: something that can only be a file or page. */
export function isPath(text: string): boolean {
  return /^[\w@.()[\]-]*(?:\/[\w@.()[\]-]+)+\/?$/.test(text) || /^[\w.-]+\.mdx?$/i.test(text);
}
