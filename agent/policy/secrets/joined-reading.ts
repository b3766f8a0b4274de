/**
 * What stands within a word and does not show, or ends one text of a program and begins the next: a
 * comment, an invisible character, a tag that formats, marks of Markdown, an escape, `" + "`.
 */
const JOINT = new RegExp(
  [
    String.raw`(?<=[\w+/=.-])(?:`,
    [
      String.raw`<!--[^>]{0,200}?-->`,
      String.raw`\{\/\*[^}]{0,200}?\*\/\}`,
      String.raw`<\/?[a-z][^<>]{0,100}>`,
      String.raw`[\p{Cf}\p{Default_Ignorable_Code_Point}]`,
      String.raw`&(?:zwn?j|shy|ZeroWidthSpace|NoBreak);`,
      String.raw`\*|~~|\\(?!n)|` + '`',
      String.raw`["'` + '`' + String.raw`][ \t]{0,20}(?:[+.&]|\\\n|\n)?[ \t]{0,20}["'` + '`]',
    ].join('|'),
    String.raw`){1,20}(?=[\w&+/=-]|\.\w)`,
  ].join(''),
  'giu',
);
/** A letter, a digit or a sign of a key, by its number. */
const REFERENCE = /&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi;
/** Signs that keys have, by their names. */
const NAMED: readonly [RegExp, string][] = [
  [/&lowbar;/g, '_'],
  [/&(?:hyphen|dash);/g, '-'],
  [/&period;/g, '.'],
  [/&equals;/g, '='],
  [/&plus;/g, '+'],
  [/&sol;/g, '/'],
];

export interface JoinedReading {
  text: string;
  /** Where each of its characters begins and ends in the text that was read. */
  begins: number[];
  ends: number[];
}

/** A text as it is once its pieces are joined; undefined if it is the same. */
export function joinedReading(content: string): JoinedReading | undefined {
  const changes = [...joints(content)].toSorted((a, b) => a.start - b.start);
  if (changes.length === 0) return undefined;
  const joined: JoinedReading = { text: '', begins: [], ends: [] };
  const pieces: string[] = [];
  let from = 0;
  const keep = (to: number): void => {
    pieces.push(content.slice(from, to));
    for (; from < to; from++) {
      joined.begins.push(from);
      joined.ends.push(from + 1);
    }
  };
  for (const { start, end, text } of changes) {
    if (start < from) continue;
    keep(start);
    if (text !== '') {
      pieces.push(text);
      joined.begins.push(start);
      joined.ends.push(end);
    }
    from = end;
  }
  keep(content.length);
  return { ...joined, text: pieces.join('') };
}

function* joints(content: string): Generator<{ start: number; end: number; text: string }> {
  for (const { index, 0: found } of content.matchAll(JOINT))
    yield { start: index, end: index + found.length, text: '' };
  for (const { index, 0: found, 1: hex, 2: decimal } of content.matchAll(REFERENCE)) {
    const text = String.fromCodePoint(
      Math.min(hex === undefined ? Number(decimal) : parseInt(hex, 16), 0x10ffff),
    );
    if (/[\w+/=.:-]/.test(text)) yield { start: index, end: index + found.length, text };
  }
  for (const [pattern, text] of NAMED)
    for (const { index, 0: found } of content.matchAll(pattern))
      yield { start: index, end: index + found.length, text };
}
