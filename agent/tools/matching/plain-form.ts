import type { Range } from '../scope.ts';

/** A text in another form, which is searched, and where its parts are in the text itself. */
export interface SearchedForm {
  text: string;
  /** Undefined for a part that begins or ends within one character of the text. */
  original(start: number, end: number): Range | undefined;
}

/** Of one character each, so that every other one stays where it is. */
const OTHERS: [form: RegExp, plain: string][] = [
  [/[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g, ' '],
  [/[\u02BC\u2018-\u201B]/g, "'"],
  [/[\u201C-\u201F]/g, '"'],
  [/[\u2010\u2011]/g, '-'],
];
/** Soft hyphens, joiners, marks of direction and of byte order, which show nothing. */
const UNSEEN = String.raw`[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]`;
/** Letters with marks of their own, and Korean syllables in parts. */
const COMPOSABLE = String.raw`\P{M}\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11A8-\u11C2]?`;

const LINE_ENDS = /\r\n/g;
const LONGER = new RegExp(String.raw`\r\n|${COMPOSABLE}|${UNSEEN}`, 'gu');
/** Where a text without any of these has nothing of that, which takes a hundredth of the time. */
const MAY_BE_LONGER = new RegExp(
  String.raw`\r\n|[\u00AD\u0300-\u036F\u0483-\u0489\u0591-\u1DFF\u200B-\u200F\u202A-\u202E` +
    String.raw`\u2060-\u2069\u20D0-\u20FF\u3099\u309A\uA66F-\uABFF\uFE20-\uFE2F\uFEFF]`,
);
const IS_UNSEEN = new RegExp(`^${UNSEEN}$`, 'u');

/** With each CRLF as one line end: nobody sees which lines have which. */
export function withPlainLineEnds(text: string): SearchedForm {
  return formOf(text, LINE_ENDS);
}

/**
 * As people read it: spaces, quotes and hyphens of each width and shape are the ones of the
 * keyboard, accented letters are one character, and what shows nothing is left out.
 */
export function plainForm(text: string): SearchedForm {
  let same = text;
  for (const [form, plain] of OTHERS) same = same.replace(form, plain);
  return formOf(same, MAY_BE_LONGER.test(same) ? LONGER : LINE_ENDS);
}

/** Whether the text says more than quotes and spaces, which are looked for as they are written. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** The first characters of a text that have a plain form, such as `U+00A0`; '' without any. */
export function formsIn(text: string): string {
  const found = [...OTHERS.map(([form]) => form), LONGER]
    .flatMap(form => text.match(form) ?? [])
    .filter(part => part !== '\r\n' && plainForm(part).text !== part)
    .map(part => codePoint([...part].at(-1) ?? ''));
  return [...new Set(found)].slice(0, 4).join(', ');
}

export function codePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Of what is longer than it reads. */
function shortened(part: string): string {
  if (part === '\r\n') return '\n';
  return IS_UNSEEN.test(part) ? '' : part.normalize('NFC');
}

/** What became shorter: its place in the form, and how much the text is ahead of the form then. */
interface Shift extends Range {
  ahead: number;
}

function formOf(text: string, parts: RegExp): SearchedForm {
  const shifts: Shift[] = [];
  let ahead = 0;
  const plain = text.replace(parts, (part: string, offset: number) => {
    const read = shortened(part);
    if (read.length === part.length) return read;
    const start = offset - ahead;
    ahead += part.length - read.length;
    shifts.push({ start, end: start + read.length, ahead });
    return read;
  });
  const at = (offset: number, isEnd: boolean): number | undefined => {
    // What shows nothing stays outside the part, on both sides.
    const isBefore = ({ start, end }: Shift) => end <= offset && !(isEnd && start === offset);
    const index = firstIndex(shifts, shift => !isBefore(shift));
    const next = shifts[index];
    return next && next.start < offset && offset < next.end
      ? undefined
      : offset + (shifts[index - 1]?.ahead ?? 0);
  };
  return {
    text: plain,
    original(from, to) {
      const start = at(from, false);
      const end = to === from ? start : at(to, true);
      return start === undefined || end === undefined ? undefined : { start, end };
    },
  };
}

/** Where a condition begins to hold, which then holds to the end. */
function firstIndex<T>(list: readonly T[], holds: (one: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = list[middle];
    if (one !== undefined && holds(one)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * What to write in place of a part that reads like what was looked for. If the new text reads the
 * same at its ends, the part keeps its own characters there.
 */
export function keepingForms(
  part: string,
  by: string,
): { skip: number; text: string; end: number } {
  const [old, wanted] = [plainForm(part), plainForm(by)];
  const whole = { skip: 0, text: by, end: part.length };
  // Only the form is to change.
  if (old.text === wanted.text) return whole;
  const most = Math.min(old.text.length, wanted.text.length);
  let first = 0;
  while (first < most && old.text[first] === wanted.text[first]) first += 1;
  let last = 0;
  while (last < most - first && old.text.at(-1 - last) === wanted.text.at(-1 - last)) last += 1;
  const kept = old.original(first, old.text.length - last);
  const written = wanted.original(first, wanted.text.length - last);
  if (!kept || !written) return whole;
  return { skip: kept.start, text: by.slice(written.start, written.end), end: kept.end };
}
