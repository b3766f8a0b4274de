import GithubSlugger from 'github-slugger';
import { type InlinePart, type PageOutline, plainText } from '../../outline/page-outline.ts';

/** Explicit targets of a page, `(name)=`, with their lines. */
function targetsOf(text: string): { name: string; line: number }[] {
  return text.split('\n').flatMap((line, index) => {
    const name = /^\(([^)\n]+)\)=\s*$/.exec(line.trim())?.[1];
    return name === undefined ? [] : [{ name, line: index + 1 }];
  });
}

/**
 * Ids of the sections as docutils makes them: those of the targets before a heading, then the
 * heading's own (`id1` if it is taken or empty), then GitHub's slug down to `slugDepth`.
 */
export function sectionIds(outline: PageOutline, slugDepth: number): string[] {
  const lines = outline.text.split('\n');
  const targets = targetsOf(outline.text);
  const used = new Set(targets.map(target => docutilsId(target.name)));
  const slugger = new GithubSlugger();
  let counter = 0;
  const ofHeadings = outline.headings.flatMap(({ parts, id: written, line, depth }) => {
    if (written !== undefined) return [written];
    const text = plainText(parts).replace(/\{[\w:.-]+\}(?=\S)/g, '');
    const before = targets.filter(
      target => target.line < line && isRightBefore(lines, target.line, line),
    );
    let own = docutilsId(text);
    if (own === '' || used.has(own)) own = `id${(counter += 1)}`;
    used.add(own);
    const ids = [...before.map(target => docutilsId(target.name)), own];
    const slug = slugger.slug(withoutRoles(parts));
    const module = moduleBehind(lines, line);
    if (module !== undefined) ids.unshift(`module-${module}`);
    return depth <= slugDepth && slug !== '' && !ids.includes(slug) ? [...ids, slug] : ids;
  });
  const modules = modulesOf(lines).filter(id => !ofHeadings.includes(id));
  return [...ofHeadings, ...modules];
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
  const next = lines.slice(heading).filter(line => line.trim() !== '');
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

export function docutilsId(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\u0000-\u007F]/g, '')
    .trim()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|-+$/g, '');
}

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
