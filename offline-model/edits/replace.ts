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
  const place = yield* findPlace(desk, where ?? '');
  if (place.reason !== undefined) return void report.failures.push(place.reason);
  const hits = yield* desk.search(searchPattern(from), undefined, true);
  const holding = [...new Set(hits.map(({ path }) => path))];
  const texts = yield* desk.readAll(place.paths.filter(path => holding.includes(path)));
  const left: string[] = [];
  const changed = new Map<string, number>();
  for (const [path, lines] of texts) {
    const found = findPhrase(lines, from);
    const inPlace = found.filter(one => one.mayChange);
    left.push(...found.filter(one => !one.mayChange).map(({ line }) => `${path}:${line}`));
    if (inPlace.length === 0) continue;
    changed.set(path, inPlace.length);
    desk.change(path, replaced(lines.join('\n'), inPlace, from, to).split('\n'), report);
  }
  yield* leaveOutRefused(desk, changed, from, report);
  const places = [...changed.values()].reduce((sum, number) => sum + number, 0);
  const inPlace = where === undefined ? '' : ` in ${where}`;
  // Of a page with a refused edit, a new text that contains the old one hides what has changed.
  const least = report.refused.size > 0 && findPhrase([to], from).length > 0 ? 'at least ' : '';
  if (places > 0)
    report.sentences.push(
      `Replaced “${from}” with “${to}” in ${least}${count(places, 'place')} on ` +
        `${count(changed.size, 'page')}${inPlace}.`,
    );
  else if (left.length === 0 && report.refused.size === 0)
    report.sentences.push(notFound(from, inPlace, holding, texts));
  if (left.length > 0)
    report.sentences.push(
      `I left “${from}” in ${count(left.length, 'place')} where it is part of an address, a name ` +
        'in markup, a setting or an import, or wraps across lines outside a paragraph: ' +
        `${someOf(left)}.`,
    );
  yield* followHeadings(desk, texts, report);
}

/** Counts only what has changed: an edit may have been refused, of some pages all of them. */
function* leaveOutRefused(
  desk: Desk,
  changed: Map<string, number>,
  from: string,
  report: Report,
): Work<void> {
  yield* desk.flush();
  const refused = [...report.refused].filter(path => changed.has(path));
  const now = yield* desk.readAll(refused);
  for (const path of refused) {
    const lines = now.get(path);
    const still = lines && findPhrase(lines, from).filter(one => one.mayChange).length;
    const done = still === undefined ? 0 : (changed.get(path) ?? 0) - still;
    if (done > 0) changed.set(path, done);
    else changed.delete(path);
  }
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
