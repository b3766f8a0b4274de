import { findSections } from '../area.ts';
import type { Desk, Report, Work } from '../desk.ts';
import type { Intent } from '../instruction.ts';
import { findPage } from '../pages.ts';
import { frontmatterEnd, headings, rewrite } from './markdown.ts';
import { escape, exactRule } from './terms.ts';

type Of<K extends Intent['kind']> = Extract<Intent, { kind: K }>;

/**
 * Adds lines at the end or the beginning of a page, or of a section's own text, before its
 * subsections.
 */
export function* addText(
  desk: Desk,
  { page, section, text, at }: Of<'add-text'>,
  report: Report,
): Work<void> {
  const open = yield* openPage(desk, page, report);
  if (!open) return;
  const { path, lines } = open;
  const added = text.split('\n');
  if (desk.again && added.every(line => lines.includes(line))) return;
  const [own, ...others] = section === undefined ? [] : findSections(path, lines, section);
  if (section !== undefined && (!own || others.length > 0))
    return void report.sentences.push(
      own
        ? `"${section}" is a section ${others.length + 1} times in ${path}.`
        : `${path} has no section "${section}".`,
    );
  const start = own?.headingEnd ?? contentStart(path, lines);
  const end = own
    ? lines.slice(0, own.ownEnd).findLastIndex(line => line !== '') + 1
    : lines.length;
  if (at === 'end' || end === start) {
    // A line after a heading or frontmatter, a paragraph of several lines, or one after a list or a
    // table needs a blank line before it.
    const last = lines[end - 1] ?? '';
    const apart =
      last !== '' &&
      (/^(?:#{1,6}\s|-+$|=+$)/.test(last) ||
        added.length > 1 ||
        (isParagraph(text) && (/\s/.test(text) || !isParagraph(last))));
    desk.insert(path, end, [...(apart ? [''] : []), ...added, ...(lines[end] ? [''] : [])], report);
  } else {
    const first = own && lines[start] === '' ? start + 1 : start;
    desk.insert(path, first, [...added, ...(isParagraph(text) ? [''] : [])], report);
  }
  report.sentences.push(
    `Added ${quote(text)} at the ${at} of ${section === undefined ? '' : `the section "${section}" of `}${path}.`,
  );
}

/** Adds a section at the end of a page, or after another section. */
export function* addSection(
  desk: Desk,
  { page, heading, text, after }: Of<'add-section'>,
  report: Report,
): Work<void> {
  const open = yield* openPage(desk, page, report);
  if (!open) return;
  const { path, lines } = open;
  const all = headings(path, lines);
  if (all.some(other => same(other.text, heading)))
    return void report.sentences.push(
      `${path} already has a section "${heading}"; I left it alone.`,
    );
  const before = after && all.find(other => same(other.text, after.text));
  if (after && !before)
    return void report.sentences.push(`${path} has no section "${after.text}".`);
  const level =
    before?.level ??
    Math.max(
      2,
      Math.min(...all.filter(other => other.level > 1).map(other => other.level), 7) % 7 || 2,
    );
  const next = before && all.find(other => other.line > before.line && other.level <= before.level);
  const at = next?.line ?? lines.length;
  const body = [`${'#'.repeat(level)} ${heading}`, '', ...text.split('\n')];
  const glue = (lines[at - 1] ?? '') === '' ? [] : [''];
  desk.insert(path, at, [...glue, ...body, ...(next ? [''] : [])], report);
  report.sentences.push(
    `Added the section "${heading}" to ${path}${before ? ` after "${before.text}"` : ''}.`,
  );
}

/** Removes a text as whole words; a line that holds nothing else goes with it. */
export function* removeText(
  desk: Desk,
  { page, text, ticked }: Of<'remove-text'>,
  report: Report,
): Work<void> {
  const open = yield* openPage(desk, page, report);
  if (!open) return;
  const { path, lines } = open;
  // What is written out with its markup is no mere word that code or an address may hold, too.
  const everywhere = ticked || /`|\]\(/.test(text);
  const pattern = removed(text, ticked);
  const shortened = rewrite(lines, { code: everywhere, prose: true, targets: everywhere }, part =>
    part.split(pattern).reduce(joinWords),
  );
  const after = shortened.flatMap((rest, index) => {
    const line = lines[index] ?? '';
    const whole = /\s/.test(text.trim()) && line.trim() === text.trim();
    return whole || (rest !== line && /^[\s>*+-]*$/.test(rest)) ? [] : [rest];
  });
  const left = after.some(line => line.includes(text));
  if (after.join('\n') === lines.join('\n'))
    return void report.sentences.push(
      left
        ? `${path} holds ${quote(text)} only within other words, code or links. ${ticked ? 'Name what stands around it, too.' : 'In backticks, it is removed from code and addresses, too.'}`
        : `${path} does not hold ${quote(text)}.`,
    );
  desk.change(path, after, report);
  report.sentences.push(
    `Removed ${quote(text)} from ${path}${left ? '; it is left within other words, code or links' : ''}.`,
  );
}

/**
 * To the letter, with the marks that would stand around nothing; not what is all that a link says.
 */
function removed(text: string, ticked: boolean): RegExp {
  const marks = ['**', '__', '*', '_', '~~', ...(ticked ? ['`'] : [])].map(mark =>
    escape(mark + text + mark),
  );
  return new RegExp(
    `(?<!\\[(?=${escape(text)}(?:\\]|$)))(?:${[...marks, exactRule(text, '').pattern.source].join('|')})`,
  );
}

/** What stood around a removed text, with one of the two spaces that were beside it. */
function joinWords(left: string, right: string): string {
  return / $/.test(left) && /^(?: |$)/.test(right) ? left.slice(0, -1) + right : left + right;
}

/** Sets a member of a page's frontmatter; the title of a page without one is its first heading. */
export function* setFrontmatter(
  desk: Desk,
  { page, member, value }: Of<'frontmatter'>,
  report: Report,
): Work<void> {
  const open = yield* openPage(desk, page, report);
  if (!open) return;
  const { path, lines } = open;
  const end = frontmatterEnd(lines);
  const key = new RegExp(`^(["']?)${escape(member)}\\1\\s*:`);
  const at =
    end < 0 ? -1 : lines.findIndex((line, index) => index > 0 && index < end && key.test(line));
  const [title] = headings(path, lines);
  const after = [...lines];
  const mark = after[0]?.startsWith('\uFEFF') ? '\uFEFF' : '';
  if (at > 0) {
    const next = lines.slice(at + 1, end).find(line => line.trim() !== '') ?? '';
    if (/^\S+\s*:\s*(?:[>|][+-]?\d?)?\s*$/.test(lines[at] ?? '') || /^\s/.test(next))
      return void report.sentences.push(
        `The ${member} of ${path} is of several lines; I change only single ones.`,
      );
    after[at] = `${key.exec(lines[at] ?? '')?.[0] ?? ''} ${scalar(value, lines[at] ?? '')}`;
  } else if (member === 'title' && title?.level === 1) {
    const first = title.line === 0 ? mark : '';
    // An underlined one keeps its line.
    after.splice(
      title.line,
      Math.max(1, title.end - title.line),
      first + (title.end > title.line ? value : `# ${value}`),
    );
  } else if (end > 0) {
    after.splice(end, 0, `${member}: ${scalar(value, lines[end - 1] ?? '')}`);
  } else {
    after.splice(
      0,
      1,
      `${mark}---`,
      `${member}: ${scalar(value, '')}`,
      '---',
      '',
      ...lines.slice(0, 1).map(line => line.slice(mark.length)),
    );
  }
  if (after.join('\n') === lines.join('\n'))
    return void report.sentences.push(`The ${member} of ${path} is "${value}" already.`);
  desk.change(path, after, report);
  report.sentences.push(`Set the ${member} of ${path} to "${value}".`);
}

function* openPage(
  desk: Desk,
  page: Of<'add-text'>['page'],
  report: Report,
): Work<{ path: string; lines: string[] } | undefined> {
  const found = yield* findPage(desk, page);
  if (found.reason !== undefined) {
    report.sentences.push(found.reason);
    return undefined;
  }
  const lines = yield* desk.read(found.path);
  if (!lines) report.sentences.push(`${found.path} cannot be read.`);
  return lines && { path: found.path, lines };
}

/** After frontmatter, imports and the first heading. */
function contentStart(path: string, lines: string[]): number {
  const title = headings(path, lines).find(({ level }) => level === 1);
  let at = frontmatterEnd(lines) + 1;
  while (
    at < lines.length &&
    (lines[at] === '' || title?.line === at || /^(?:import|export)\s/.test(lines[at] ?? ''))
  )
    at = title?.line === at ? title.end + 1 : at + 1;
  return at;
}

function isParagraph(text: string): boolean {
  return !/^(?:\s*(?:[-*+]|\d+[.)])\s|\||\s*$|\d+$)/.test(text);
}

/**
 * A YAML scalar in the quotes that the old value had (of a new member: the one above it), or that
 * it needs.
 */
function scalar(value: string, old: string): string {
  const quoted = /:\s*(["'])/.exec(old)?.[1];
  if (quoted === "'" && !value.includes("'")) return `'${value}'`;
  const plain =
    quoted === undefined &&
    /^[\p{L}\p{N}](?:[^:#\n]|:(?=\S)|(?<=\S)#)*$/u.test(value) &&
    !/^(?:true|false|null|yes|no|on|off|~|[\d.]+)$/i.test(value) &&
    !/[\s:]$/.test(value);
  return plain || /^(?:true|false|\d+)$/.test(value) ? value : JSON.stringify(value);
}

function same(a: string, b: string): boolean {
  return a.toLowerCase().trim() === b.toLowerCase().trim();
}

function quote(text: string): string {
  return text.length <= 60 && !text.includes('\n')
    ? `"${text}"`
    : `${text.split('\n').length} lines`;
}
