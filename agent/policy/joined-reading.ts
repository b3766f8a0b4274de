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
  /** Where a place of the joined text is in the text that was read. */
  before(offset: number): number;
  after(offset: number): number;
}

/** A text as it is once its pieces are joined; undefined if it is the same. */
export function joinedReading(content: string): JoinedReading | undefined {
  const changes = [...joints(content)].toSorted((a, b) => a.start - b.start);
  if (changes.length === 0) return undefined;
  const pieces: string[] = [];
  /** Of each piece: its place in the joined text, and in the original. */
  const places: { joined: number; original: number; end: number }[] = [];
  let joined = 0;
  const add = (start: number, end: number, text: string): void => {
    pieces.push(text);
    places.push({ joined, original: start, end });
    joined += text.length;
  };
  let from = 0;
  for (const { start, end, text } of changes) {
    if (start < from) continue;
    if (start > from) add(from, start, content.slice(from, start));
    if (text !== '') add(start, end, text);
    from = end;
  }
  add(from, content.length, content.slice(from));
  const placeOf = (offset: number) => {
    let low = 0;
    let high = places.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((places[middle]?.joined ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return places[low] ?? { joined: 0, original: 0, end: 0 };
  };
  return {
    text: pieces.join(''),
    before(offset) {
      const place = placeOf(offset);
      return Math.min(place.original + offset - place.joined, place.end);
    },
    after(offset) {
      const place = placeOf(offset - 1);
      return Math.min(place.original + offset - place.joined, place.end);
    },
  };
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
