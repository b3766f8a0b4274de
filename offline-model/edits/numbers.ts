import type { Desk, Report, Work } from '../desk.ts';
import type { Intent, Scope } from '../instruction.ts';
import { findArea } from '../area.ts';
import { count, search } from '../pages.ts';
import { reachOf, rewrite } from './markdown.ts';
import { escape } from './terms.ts';

/** Words before a number that make it a limit. */
const CUE =
  /\b(?:up to|more than|at most|no more than|fewer than|less than|maximum(?: number)?(?: of| is)?|max(?: of|:)?|minimum(?: of)?|limit(?:ed)?(?: to| of| is| at|:)?|exceeds?|exceeding|over|above|beyond|only|a total of|defaults? to|default(?: is|:)?)[\s*_`"|]{1,3}$/i;

/**
 * Changes a limit, such as "tags limit of 5 (up from 3)": only numbers that count the named thing.
 */
export function* changeLimit(
  desk: Desk,
  { noun, from, to, scope }: Extract<Intent, { kind: 'limit' }>,
  report: Report,
): Work<void> {
  const key = escape((noun.split(' ').at(-1) ?? noun).replace(/s$/i, ''));
  const number = `(?:^|[^\\w.])${escape(from)}(?:[^\\w]|$)`;
  const hits = yield* search(desk, `${key}.*${number}|${number}.*${key}`, false);
  const topic = new RegExp(`\\b${key}`, 'i');
  const changed = yield* changeLines(
    desk,
    hits.map(hit => hit.path),
    scope,
    report,
    line => {
      if (!topic.test(line)) return line;
      return line
        .split(/(?<=[.!?])(?=\s)/)
        .map(sentence => (topic.test(sentence) ? limits(sentence, topic, from, to) : sentence))
        .join('');
    },
  );
  if (changed.reason !== undefined) report.sentences.push(changed.reason);
  else if (changed.places > 0)
    report.sentences.push(
      `Changed the ${noun} limit from ${from} to ${to} in ${count(changed.places, 'line')} on ${count(changed.pages, 'page')}.`,
    );
  else report.sentences.push(`I found no ${noun} limit of ${from} in the docs.`);
}

function limits(sentence: string, topic: RegExp, from: string, to: string): string {
  return sentence.replace(
    new RegExp(`(?<![\\w.$#/,-])${escape(from)}(?![\\w]|[.,]\\d|-\\w)`, 'g'),
    (match, offset: number) => {
      const before = sentence.slice(0, offset);
      const after = sentence.slice(offset + match.length);
      const counted = new RegExp(
        `^[\\s*_\`|-]*(?:\\w+\\s+)?${topic.source.replace('\\b', '')}`,
        'i',
      ).test(after);
      const told = new RegExp(
        `${topic.source}[^.]{0,40}\\b(?:is|are|of|to|at)[\\s*_\`:=]*$|${topic.source}\\w*[\\s*_\`]*[:=][\\s*_\`]*$`,
        'i',
      ).test(before);
      const tabled = before.includes('|') && topic.test(before);
      return CUE.test(before) || counted || told || tabled ? to : match;
    },
  );
}

const TOKEN = String.raw`(v?)(\d+(?:\.\d+)*(?:-[a-z][\w.]*)?)((?:\.x)?)`;

/**
 * Puts a new version where the old one, or any, stands behind the name; everywhere where only
 * versions are named.
 */
export function* bumpVersion(
  desk: Desk,
  { name, from, to, scope }: Extract<Intent, { kind: 'bump' }>,
  report: Report,
): Work<void> {
  const subject = name?.text.replace(/\.js$/i, '');
  const old = from?.replace(/^v/i, '').replace(/\.x$/i, '');
  const fresh = to.replace(/^v/i, '').replace(/\.x$/i, '');
  const hits = yield* search(desk, subject ? escape(subject) : `v?${escape(old ?? '')}`, false);
  const behind = subject
    ? String.raw`(${escape(subject)}(?:\.js)?(?:[ -]?version)?["'\`]?(?:\s*[:=@]\s*|\s+|\^|~)["'\`^~>=]{0,4}\s?)`
    : String.raw`()`;
  const versions = new RegExp(
    `${subject ? behind : '(?<![\\w.-])()'}${TOKEN}(?![\\w])(?!\\.\\d)`,
    'gi',
  );
  const change = (line: string) =>
    line.replace(versions, (match, lead: string, v: string, version: string, wild: string) => {
      if (old !== undefined ? version !== old : version === fresh) return match;
      return `${lead}${v}${fresh}${wild}`;
    });
  // Where the name's line carries the old version without standing right before it.
  const nearby =
    subject && old && /\d\.\d/.test(old)
      ? new RegExp(`(?<![\\w.-])(v?)${escape(old)}(?![\\w]|\\.\\d)`, 'g')
      : undefined;
  const changed = yield* changeLines(
    desk,
    hits.map(hit => hit.path),
    scope,
    report,
    line => {
      const first = change(line);
      if (!nearby || !subject || !line.toLowerCase().includes(subject.toLowerCase())) return first;
      return first.replace(nearby, (_, v: string) => `${v}${fresh}`);
    },
  );
  const what = `${name ? `${name.text} ` : ''}${from ? `${from} ` : ''}`;
  if (changed.reason !== undefined) report.sentences.push(changed.reason);
  else if (changed.places > 0)
    report.sentences.push(
      `Bumped ${what}to ${to} in ${count(changed.places, 'line')} on ${count(changed.pages, 'page')}.`,
    );
  else report.sentences.push(`I found no ${what.trim() || 'version'} to bump.`);
}

/** Changes lines of the pages in scope one by one. */
function* changeLines(
  desk: Desk,
  holding: string[],
  scope: Scope,
  report: Report,
  change: (line: string) => string,
): Work<{ places: number; pages: number; reason?: never } | { reason: string }> {
  const candidates = [...new Set(holding)].filter(path => /\.mdx?$/i.test(path));
  const area = yield* findArea(desk, scope, candidates, true);
  if (area.reason !== undefined) return { reason: area.reason };
  const texts = yield* desk.readAll(area.paths);
  let places = 0;
  let pages = 0;
  for (const [path, lines] of texts) {
    const within = area.lines?.get(path);
    const after =
      scope.kind === 'code' || scope.kind === 'prose'
        ? rewrite(lines, reachOf(scope, false), change, within)
        : lines.map((line, index) => ((within?.has(index) ?? true) ? change(line) : line));
    const differing = after.filter((line, index) => line !== lines[index]).length;
    if (differing === 0) continue;
    places += differing;
    pages++;
    desk.change(path, after, report);
  }
  return { places, pages };
}
