import { type InlinePart, type PageOutline, plainText } from '../../outline/page-outline.ts';

/** What the configuration says of ids. */
export interface IdRules {
  /** Headings down to this level get a slug as well. */
  slugDepth: number;
  /** `myst_heading_slug_func` is a function of the site. */
  hasOwnSlugs: boolean;
  /** `myst_heading_slug_func` is docutils' own. */
  slugsAreIds: boolean;
  /** Quotes are typographic before ids are made. */
  smartQuotes: boolean;
}

/** Explicit targets of a page, `(name)=`, with their lines. */
function targetsOf(text: string): { name: string; line: number }[] {
  return text.split('\n').flatMap((line, index) => {
    const name = targetIn(line);
    return name === undefined ? [] : [{ name, line: index + 1 }];
  });
}

function targetIn(line: string): string | undefined {
  return /^\(([^)\n]+)\)=\s*$/.exec(line.trim())?.[1];
}

/**
 * Ids of the sections as docutils makes them: those of the targets before a heading, then the
 * heading's own (`id1` if it is taken or empty), then its slug.
 */
export function sectionIds(outline: PageOutline, rules: IdRules): string[] {
  const lines = outline.text.split('\n');
  const events = namesOf(lines);
  const ids = new PageIds();
  const slugs = new Set<string>();
  let at = 0;
  const ofHeadings = outline.headings.flatMap(({ parts, id: written, line, depth }) => {
    if (written !== undefined) return [written];
    const before: string[] = [];
    for (let event = events[at]; event && event.line < line; event = events[(at += 1)]) {
      const id = ids.give(event.name);
      if (event.isTarget && isRightBefore(lines, event.line, line)) before.push(id);
    }
    const text = plainText(parts).replace(/\{[\w:.-]+\}(?=\S)/g, '');
    const own = ids.give(rules.smartQuotes ? text.replace(/['"]/g, '') : text);
    // Of several targets the nearest is the section's.
    const [nearest, ...farther] = before.toReversed();
    const all = [...(nearest === undefined ? [] : [nearest]), own, ...farther];
    const module = moduleBehind(lines, line);
    if (module !== undefined) all.unshift(`module-${module}`);
    if (depth > rules.slugDepth) return all;
    const slug = unusedSlug(slugOf(withoutRoles(parts), rules), slugs);
    return slug !== '' && !all.includes(slug) ? [...all, slug] : all;
  });
  const modules = modulesOf(lines).filter(id => !ofHeadings.includes(id));
  return [...ofHeadings, ...modules];
}

/** The ids of one page, in the order in which they are given. */
class PageIds {
  readonly #used = new Set<string>();
  #counter = 0;

  /** A reference to a footnote has no name. */
  give(name: string | null): string {
    let id = name === null ? '' : docutilsId(name);
    while (id === '' || this.#used.has(id)) id = `id${(this.#counter += 1)}`;
    this.#used.add(id);
    return id;
  }
}

interface Named {
  /** Null: a reference to a footnote. */
  name: string | null;
  line: number;
  isTarget: boolean;
}

/** What gets an id beside headings: targets, `:name:` options, references to footnotes. */
function namesOf(lines: readonly string[]): Named[] {
  let fence: string | undefined;
  return lines.flatMap((text, index): Named[] => {
    const line = index + 1;
    const mark = /^\s*(`{3,}|~{3,}|:{3,})/.exec(text)?.[1];
    if (mark && fence === undefined) fence = mark;
    else if (mark && fence !== undefined && text.trim().startsWith(fence)) fence = undefined;
    if (fence !== undefined) {
      const option = /^\s*:(?:name|label):\s*(\S.*)$/.exec(text)?.[1];
      return option === undefined ? [] : [{ name: option, line, isTarget: false }];
    }
    const target = targetIn(text);
    if (target !== undefined) return [{ name: target, line, isTarget: true }];
    if (!text.includes('[^')) return [];
    const references = text.replace(/`[^`]*`/g, '').match(/\[\^[^\]\s]+\](?!:)/g) ?? [];
    return references.map(() => ({ name: null, line, isTarget: false }));
  });
}

function slugOf(text: string, { slugsAreIds }: IdRules): string {
  if (slugsAreIds) return docutilsId(text);
  const dashed = text.toLowerCase().replaceAll(' ', '-');
  return dashed.replace(/[^\p{L}\p{N}_-]/gu, '');
}

/** As MyST counts: `a`, `a-1`, `a-1-2`. */
function unusedSlug(slug: string, used: Set<string>): string {
  let unused = slug;
  for (let count = 1; used.has(unused); count++) unused = `${unused}-${count}`;
  used.add(unused);
  return unused;
}

/** Targets of the modules that blocks of reStructuredText describe, wherever they are. */
function modulesOf(lines: readonly string[]): string[] {
  const ids: string[] = [];
  let fence: string | undefined;
  for (const line of lines) {
    const [, marks = '', name] = /^\s*([`:]{3,})(?:\{([\w-]+)\})?/.exec(line) ?? [];
    if (fence !== undefined && marks.startsWith(fence.split(' ')[0] ?? '')) fence = undefined;
    else if (fence === undefined && marks !== '') fence = `${marks} ${name ?? ''}`;
    const module = fence?.endsWith(' eval-rst') ? moduleOf(line) : undefined;
    if (module !== undefined) ids.push(`module-${module}`);
  }
  return ids;
}

function moduleOf(line: string): string | undefined {
  return /^\.\. (?:py:)?(?:auto)?module:: (\S+)/.exec(line.trim())?.[1];
}

/** The text without roles such as `{class}` and what they name. */
function withoutRoles(parts: readonly InlinePart[]): string {
  const kept = parts.filter(
    (part, index) => part.kind !== 'code' || !/\{[\w:.-]+\}$/.test(parts[index - 1]?.value ?? ''),
  );
  return plainText(kept).replace(/\{[\w:.-]+\}(?=\s|$)/g, '');
}

/** The module whose directive follows a heading at once. */
function moduleBehind(lines: readonly string[], heading: number): string | undefined {
  const next: string[] = [];
  for (let at = heading; at < lines.length && next.length < 2; at++)
    if (lines[at]?.trim() !== '') next.push(lines[at] ?? '');
  const [first = '', second = ''] = next;
  const directive = /^[`:]{3,}\{eval-rst\}/.test(first) ? second : '';
  return moduleOf(directive);
}

/** Only blank lines and other targets stand between. */
function isRightBefore(lines: readonly string[], from: number, to: number): boolean {
  return lines
    .slice(from, to - 1)
    .every(line => line.trim() === '' || /^\([^)]+\)=\s*$/.test(line.trim()));
}

/** `make_id` of docutils. */
export function docutilsId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[ßæœøđħıłŧ]/g, letter => LETTERS[letter] ?? '')
    .normalize('NFKD')
    .replace(/[^\u0000-\u007F]/g, '')
    .trim()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|-+$/g, '');
}

/** Letters that cannot be taken apart. */
const LETTERS: Record<string, string> = {
  ...{ ß: 'sz', æ: 'ae', œ: 'oe' },
  ...{ ø: 'o', đ: 'd', ħ: 'h', ı: 'i', ł: 'l', ŧ: 't' },
};

/** Every name that a reference may use: targets, `:name:` options, ids in attributes. */
export function labelsOf(text: string): string[] {
  const options = Array.from(
    text.matchAll(/^\s*:(?:name|label):\s*(\S+)/gm),
    match => match[1] ?? '',
  );
  const figures = Array.from(text.matchAll(/^\s*[`:~]{3,}\{figure-md\} (\S+)/gm), m => m[1] ?? '');
  const attributes = Array.from(text.matchAll(/\{[^}\n]*#([\w:.-]+)[^}\n]*\}/g), m => m[1] ?? '');
  const classic = Array.from(text.matchAll(/^\s*\.\. _([^:\n]+):/gm), match => match[1] ?? '');
  return [
    ...targetsOf(text).map(target => target.name),
    ...figures,
    ...options,
    ...attributes,
    ...classic,
  ];
}
