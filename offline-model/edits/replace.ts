import GithubSlugger from 'github-slugger';
import { LEFT_ALONE, REPLACED } from '../../shared/agent-text.ts';
import type { Desk, Report, Work } from '../desk.ts';
import { findPlace } from '../places.ts';
import { count, someOf } from '../wording.ts';
import { type Broken, brokenLinks, repairLinks } from './links.ts';

/**
 * Replaces a text on the pages of a place, as words of their own: in `all` that they are part of, or
 * where people read it and not in code, addresses or imports.
 */
export function* replaceText(
  scope: 'all' | 'prose',
  desk: Desk,
  [from = '', to = '', where]: (string | undefined)[],
  report: Report,
): Work<void> {
  if (from.trim() === '') return void report.failures.push('The text to replace is empty.');
  const place = yield* findPlace(desk, where);
  if (place.reason !== undefined) return void report.failures.push(place.reason);
  const { glob } = place;
  const inPlace = where === undefined ? '' : ` in ${where}`;
  const known = new Set((yield* brokenLinks(desk, {})).map(keyOf));
  const input = { find: from, replace: to, glob, whole_word: true, scope };
  const { text, isError } = yield* desk.call('replace_all', input);
  const refused = isError ? text : LEFT_ALONE.exec(text)?.[1];
  if (refused !== undefined) report.failures.push(...refused.split('\n'));
  const [done, places, files] = REPLACED.exec(text) ?? [];
  if (done !== undefined) {
    desk.forget();
    report.changed = true;
    const meant = (link: Broken) => (known.has(keyOf(link)) ? undefined : repaired(link, from, to));
    const { changed } = yield* repairLinks(desk, {}, meant, report);
    // A link that got its old address back holds what was replaced in it.
    const back = changed.filter(({ url, to: now }) => now === url.replace(to, from));
    const pages = back.length > 0 ? '' : ` on ${count(Number(files), 'page')}`;
    report.sentences.push(
      `Replaced “${from}” with “${to}” in ${count(Number(places) - back.length, 'place')}${pages}${inPlace}.`,
    );
    if (changed.length > back.length)
      report.sentences.push(
        `Pointed ${count(changed.length - back.length, 'link')} at the new heading.`,
      );
  }
  const left = yield* stillThere(desk, from, to, glob);
  if (left.length > 0)
    report.sentences.push(`“${from}” is still on ${count(left.length, 'line')}: ${someOf(left)}.`);
  else if (done === undefined && report.failures.length === 0)
    report.sentences.push(
      `I found no “${from}” as words of their own${inPlace || ' on the pages of the docs'}; ` +
        'letter case counts.',
    );
}

function keyOf({ path, url }: Broken): string {
  return `${path}\n${url}`;
}

/** A link that the change broke, with the anchor of the new heading or its old address. */
function repaired({ rule, url }: Broken, from: string, to: string): string | undefined {
  const [old = '', fresh = ''] = [from, to].map(text => new GithubSlugger().slug(text));
  const [path = '', anchor = ''] = url.split('#');
  const words = `-${anchor.toLowerCase()}-`;
  if (rule === 'anchor' && old !== '' && words.includes(`-${old}-`))
    return `${path}#${words.replaceAll(`-${old}-`, `-${fresh}-`).slice(1, -1)}`;
  // Of several it cannot be known which were replaced.
  return to !== '' && url.split(to).length === 2 ? url.replace(to, from) : undefined;
}

/** `path:line` of the words that were not replaced. */
function* stillThere(desk: Desk, from: string, to: string, glob: string): Work<string[]> {
  const word = /[\p{L}\p{N}_]/u;
  const start = word.test(from.charAt(0)) ? '(?:^|[^\\p{L}\\p{N}_\\n])' : '';
  const end = word.test(from.at(-1) ?? '') ? '(?:[^\\p{L}\\p{N}_]|$)' : '';
  const pattern = start + from.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + end;
  if (pattern.length > 1_000 || new RegExp(pattern, 'u').test(to)) return [];
  const input = { pattern, glob, case_sensitive: true, max_results: 100 };
  const { text } = yield* desk.call('search_text', input);
  return text.split('\n').flatMap(row => /^(.+?:\d+): /.exec(row)?.[1] ?? []);
}
