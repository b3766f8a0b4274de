import type { Desk, Report, Work } from '../desk.ts';
import { spliced } from '../line-edits.ts';
import { findPhrase, type Found, replacement, searchPattern } from '../phrase.ts';
import { findPlace } from '../places.ts';
import { count, someOf } from '../wording.ts';
import { followHeadings } from './anchors.ts';

/**
 * Replaces a text in the pages of a place, wherever it can change without breaking something else;
 * says where it stays. Other files stay as they are.
 */
export function* replaceText(
  desk: Desk,
  [from = '', to = '', where]: (string | undefined)[],
  report: Report,
): Work<void> {
  if (from.trim() === '') return void report.failures.push('The text to replace is empty.');
  if (from === to) return void report.failures.push('The old and the new text are the same.');
  yield* change(desk, { from, to, where }, report);
}

/** Replaces a version number that is not part of a longer one. */
export function* bumpVersion(
  desk: Desk,
  [from = '', to = '', where]: (string | undefined)[],
  report: Report,
): Work<void> {
  if (![from, to].every(version => /^v?\d[\w.+-]*$/.test(version)) || from === to)
    return void report.failures.push('A version is a number such as "1.2.3", and the two differ.');
  const isIt = (before: string, after: string) =>
    !/[\w.+-]$/.test(before.replace(/v$/, '')) && !/^(?:[\w+-]|\.\w)/.test(after);
  yield* change(desk, { from, to, where, isIt }, report);
}

interface Change {
  from: string;
  to: string;
  where: string | undefined;
  /** Whether it is one, by what stands around it; as a whole word unless given. */
  isIt?: (before: string, after: string) => boolean;
}

function* change(desk: Desk, { from, to, where, isIt }: Change, report: Report): Work<void> {
  const place = yield* findPlace(desk, where ?? '');
  if (place.reason !== undefined) return void report.failures.push(place.reason);
  const hits = yield* desk.search(searchPattern(from), undefined, true);
  const holding = [...new Set(hits.map(({ path }) => path))];
  const texts = yield* desk.readAll(place.paths.filter(path => holding.includes(path)));
  const left: string[] = [];
  let places = 0;
  let changed = 0;
  for (const [path, lines] of texts) {
    const text = lines.join('\n');
    const found = findPhrase(lines, from, !isIt).filter(
      ({ start, end }) =>
        !isIt || isIt(text.slice(Math.max(0, start - 20), start), text.slice(end, end + 2)),
    );
    const inPlace = found.filter(one => one.mayChange);
    left.push(...found.filter(one => !one.mayChange).map(({ line }) => `${path}:${line}`));
    if (inPlace.length === 0) continue;
    places += inPlace.length;
    changed++;
    desk.change(path, replaced(text, inPlace, from, to).split('\n'), report);
  }
  const inPlace = where === undefined ? '' : ` in ${where}`;
  if (places > 0)
    report.sentences.push(
      `Replaced “${from}” with “${to}” in ${count(places, 'place')} on ` +
        `${count(changed, 'page')}${inPlace}.`,
    );
  else if (left.length === 0) report.sentences.push(notFound(from, inPlace, holding, texts));
  if (left.length > 0)
    report.sentences.push(
      `I left “${from}” in ${count(left.length, 'place')} where it is part of an address, a name ` +
        'in markup, a setting or an import, or wraps across lines outside a paragraph: ' +
        `${someOf(left)}.`,
    );
  yield* followHeadings(desk, texts, report);
}

function replaced(text: string, found: Found[], from: string, to: string): string {
  return spliced(
    text,
    found.map(({ start, end }) => ({
      start,
      end,
      text: replacement(text.slice(start, end), from, to),
    })),
  );
}

function notFound(
  from: string,
  inPlace: string,
  holding: string[],
  read: Map<string, string[]>,
): string {
  const elsewhere = holding.filter(path => !read.has(path));
  const files = elsewhere.length === 0 ? '' : ` A search finds it in ${someOf(elsewhere)}.`;
  return (
    `I found no “${from}” as words of their own${inPlace || ' on the pages of the docs'}; ` +
    `letter case counts.${files}`
  );
}
