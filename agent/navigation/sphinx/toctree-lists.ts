import type { EntryList, ListEntry, ListStyle } from '../entry-lists/entry-list.ts';
import { relativePath } from '../entry-lists/markdown-list.ts';
import { pageTitle } from '../page-title.ts';
import { below, folderOf, isExternal, joinPath } from '../../../sites/kinds/paths.ts';
import type { Site, SitePage, SiteSource } from '../../../sites/kinds/site-kind.ts';
import { withoutLiterals } from '../../../sites/kinds/sphinx/toctree.ts';

const SUFFIX = /\.(?:md|markdown|rst|txt|ipynb)$/;

/** Every toctree of the site's documents, in the order of the navigation. */
export function toctreeLists(source: SiteSource, site: Site): EntryList[] {
  const root = site.pages.find(page => page.path === '/' && !page.crumbs.length);
  const listed = site.navigation.flatMap(({ file }) => file ?? []);
  const files = [...new Set([...(root ? [root.file] : []), ...listed])];
  const byFile = new Map(site.pages.map(page => [page.file, page]));
  return files.flatMap(file => {
    const page = byFile.get(file);
    const text = source.read(file);
    if (!page || text === undefined || !/toctree/.test(text)) return [];
    const crumbs =
      page === root ? [] : [...page.crumbs, page.title ?? pageTitle(source, file) ?? ''];
    return listsOf(source, site, page, text, crumbs);
  });
}

function listsOf(
  source: SiteSource,
  site: Site,
  { file }: SitePage,
  text: string,
  crumbs: string[],
): EntryList[] {
  const isMarkdown = !/\.(?:rst|txt)$/.test(file);
  const pattern = isMarkdown
    ? /^[ \t]*([`:~]{3,})\{toctree\}[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*\r?$/gm
    : /^([ \t]*)\.\. toctree::[^\n]*\n((?:[ \t]*\r?\n|\1[ \t]+[^\n]*(?:\n|$))*)/gm;
  const shown = isMarkdown ? withoutLiterals(text) : text;
  return Array.from(shown.matchAll(pattern), match => {
    const body = match[2] ?? '';
    const start =
      match.index + match[0].length - body.length - (isMarkdown ? closing(match[0]) : 0);
    const { entries, caption, indent, isGlob } = entriesOf(body, start, file, site, source);
    const end = lastLineEnd(body, start);
    return {
      file,
      text,
      crumbs: caption === undefined ? crumbs : [...crumbs, caption],
      ...(caption !== undefined && { otherCrumbs: crumbs }),
      entries,
      style: styleOf(source, file, site.root, isGlob),
      empty: { at: end, prefix: indent },
    };
  });
}

/** Characters of the closing fence with what is before it on its line. */
function closing(directive: string): number {
  return directive.length - (directive.lastIndexOf('\n') + 1);
}

function entriesOf(body: string, start: number, from: string, site: Site, source: SiteSource) {
  const entries: ListEntry[] = [];
  let caption: string | undefined;
  let isGlob = false;
  let inYaml = false;
  let indent = from.endsWith('.rst') ? '   ' : '';
  let offset = start;
  for (const line of body.split('\n')) {
    const text = line.trim();
    const lineStart = offset;
    const lineEnd = Math.min(start + body.length, offset + line.length + 1);
    offset += line.length + 1;
    const option = /^:([\w-]+):\s*(.*)$/.exec(text) ?? (inYaml && /^([\w-]+):\s*(.*)$/.exec(text));
    if (text === '---') inYaml = !inYaml;
    else if (option) {
      if (option[1] === 'caption') caption = (option[2] ?? '').replace(/^(["'])(.*)\1$/, '$2');
      isGlob ||= option[1] === 'glob';
      indent = /^[ \t]*/.exec(line)?.[0] ?? indent;
    } else if (text !== '' && !inYaml && !text.startsWith('%')) {
      entries.push(
        entryOf(text, lineStart + line.indexOf(text), [lineStart, lineEnd], from, site, source),
      );
      indent = /^[ \t]*/.exec(line)?.[0] ?? indent;
    }
  }
  return { entries, caption, indent, isGlob };
}

function entryOf(
  text: string,
  at: number,
  span: ListEntry['span'],
  from: string,
  site: Site,
  source: SiteSource,
): ListEntry {
  const [, label = '', named] = /^(.*?)\s*<([^<>]+)>$/.exec(text) ?? [];
  const target = (named ?? text).trim();
  const targetStart = at + (named === undefined ? 0 : text.lastIndexOf('<') + 1);
  const file = documentOf(target, from, site, source);
  return {
    title: named === undefined ? null : label,
    ...(named !== undefined && { titleAt: [at, at + label.length] as const }),
    target,
    targetAt: [targetStart, targetStart + target.length],
    ...(file !== undefined && { file }),
    span,
    ...(/[*?[]/.test(target) && { fixed: 'it is a pattern' }),
  };
}

function documentOf(
  target: string,
  from: string,
  site: Site,
  source: SiteSource,
): string | undefined {
  if (isExternal(target) || target === 'self') return undefined;
  const base = target.startsWith('/') ? site.root : folderOf(from);
  const path = joinPath(base, target);
  if (path === undefined) return undefined;
  const bare = path.replace(SUFFIX, '');
  return ['.md', '.markdown', '.rst', '.txt', '.ipynb']
    .map(suffix => bare + suffix)
    .find(one => source.has(one));
}

/** Behind the last line that holds something. */
function lastLineEnd(body: string, start: number): number {
  const used = body.trimEnd().length;
  const end = body.indexOf('\n', used);
  return start + (end < 0 ? body.length : end + 1);
}

function styleOf(source: SiteSource, from: string, root: string, isGlob: boolean): ListStyle {
  const target = (file: string, written: string) => {
    const isRooted = written.startsWith('/');
    const path = isRooted ? `/${below(root, file) ?? file}` : relativePath(folderOf(from), file);
    return SUFFIX.test(written) ? path : path.replace(SUFFIX, '');
  };
  return {
    entry: (file, title, model) => {
      const path = target(file, model?.target ?? '');
      return title === undefined ? path : `${title} <${path}>`;
    },
    group: () => null,
    title: title => title,
    target,
    addTitle: ({ targetAt, target: written }, title) =>
      targetAt && !isGlob
        ? { start: targetAt[0], end: targetAt[1], text: `${title} <${written ?? ''}>` }
        : null,
    deeper: () => null,
  };
}
