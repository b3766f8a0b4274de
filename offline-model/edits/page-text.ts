import type { Desk, Report, Work } from '../desk.ts';
import { type Heading, headings, isParagraph } from '../markdown.ts';
import { findPage } from '../places.ts';
import { clip } from '../wording.ts';

type Values = (string | undefined)[];

/** Adds lines at the end of a page, or of a section's own text, before its subsections. */
export function* appendText(
  desk: Desk,
  [text = '', name = '', section]: Values,
  report: Report,
): Work<void> {
  const page = yield* openPage(desk, name, report);
  if (!page) return;
  const { path, lines } = page;
  const added = text.split('\n');
  if (desk.again && added.every(line => lines.includes(line))) return;
  const all = headings(lines);
  const own = section === undefined ? undefined : oneSection(all, section, path, report);
  if (section !== undefined && !own) return;
  const bodyEnd = own ? sectionEnd(own, all, lines) : lines.length;
  const last = lines.slice(0, bodyEnd).findLastIndex(line => line.trim() !== '');
  const end = own ? last + 1 : lines.length;
  const before = lines[end - 1] ?? '';
  const apart = before !== '' && (own?.end === end - 1 || startsParagraph(text, before));
  desk.insert(path, end, [...(apart ? [''] : []), ...added, ...(lines[end] ? [''] : [])], report);
  const place = section === undefined ? path : `the section “${section}” of ${path}`;
  report.sentences.push(`Added “${clip(text, 60)}” at the end of ${place}.`);
}

/** Where a section's own text ends: before the next heading, or with the element it is in. */
function sectionEnd(own: Heading, all: Heading[], lines: string[]): number {
  const next = all[all.indexOf(own) + 1]?.line ?? lines.length;
  let depth = 0;
  for (let line = own.end + 1; line < next; line++) {
    const text = lines[line] ?? '';
    if (/^\s*<[A-Za-z][^>]*[^/>]>\s*$|^\s*<[A-Za-z]>\s*$/.test(text)) depth++;
    if (/^\s*<\/[A-Za-z]/.test(text) && --depth < 0) return line;
  }
  return next;
}

/** A line can continue a list or a table; a paragraph needs a blank line before it. */
function startsParagraph(text: string, before: string): boolean {
  return text.includes('\n') || !/^\s*(?:[-*+]\s|\d+[.)]\s|\|)/.test(before) || isParagraph(text);
}

/** Adds a section at the end of a page. */
export function* addSection(
  desk: Desk,
  [heading = '', name = '', text = '']: Values,
  report: Report,
): Work<void> {
  const page = yield* openPage(desk, name, report);
  if (!page) return;
  const { path, lines } = page;
  const all = headings(lines);
  if (desk.again && all.some(other => isCalled(other, heading))) return;
  if (all.some(other => isCalled(other, heading)))
    return void report.failures.push(
      `${path} already has a section “${heading}”; I left it as it is.`,
    );
  const levels = all.map(({ level }) => level).filter(level => level > 1);
  const marks = '#'.repeat(levels.length > 0 ? Math.min(...levels) : 2);
  const gap = (lines.at(-1) ?? '') === '' ? [] : [''];
  desk.insert(path, lines.length, [...gap, `${marks} ${heading}`, '', ...text.split('\n')], report);
  report.sentences.push(`Added the section “${heading}” to ${path}.`);
}

function oneSection(
  all: Heading[],
  name: string,
  path: string,
  report: Report,
): Heading | undefined {
  const found = all.filter(heading => isCalled(heading, name));
  if (found.length === 1) return found[0];
  report.failures.push(
    found.length === 0
      ? `${path} has no section “${name}”.`
      : `${path} has ${found.length} sections “${name}”; I cannot tell which one.`,
  );
  return undefined;
}

function isCalled({ text }: Heading, name: string): boolean {
  return text.toLowerCase() === name.trim().toLowerCase();
}

/** A page that an instruction names, with its lines; reports why there is none. */
export function* openPage(
  desk: Desk,
  name: string,
  report: Report,
): Work<{ path: string; lines: string[] } | undefined> {
  const found = yield* findPage(desk, name);
  if ('reason' in found) return void report.failures.push(found.reason);
  const lines = yield* desk.read(found.path);
  if (!lines) return void report.failures.push(`${found.path} cannot be read.`);
  return { path: found.path, lines };
}
