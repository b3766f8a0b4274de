import { below, folderOf, isExternal, joinPath } from '../paths.ts';
import { textOf } from '../../values.ts';
import { type NavContext, type NavEntry, pagesBelow } from './nav-entry.ts';

/** The plugin literate-nav: lists in `SUMMARY.md` are the navigation of their folder. */
export function literateNavigation(
  context: NavContext,
  written: NavEntry[] | undefined,
): { entries: NavEntry[]; files: string[] } | undefined {
  const { source, config } = context;
  const name = textOf(config.plugins.get('literate-nav')?.nav_file) ?? 'SUMMARY.md';
  const files: string[] = [];
  const listed = new Set<string>();
  const readFolder = (folder: string, depth: number): NavEntry[] | undefined => {
    const file = joinPath(config.docsFolder, folder, name);
    const text = file === undefined || depth > 20 ? undefined : source.read(file);
    if (text === undefined || file === undefined) return undefined;
    files.push(file);
    return readList(text).map(item => resolved(item, folder, depth));
  };
  const resolved = (entry: NavEntry, folder: string, depth: number): NavEntry => {
    if (entry.children)
      return { ...entry, children: entry.children.map(one => resolved(one, folder, depth)) };
    const target = entry.target ?? '';
    if (isExternal(target)) return entry;
    const path = joinPath(folder, target) ?? target;
    if (target.includes('*'))
      return { title: entry.title, children: globbed(path, context, listed) };
    if (target.endsWith('/'))
      return {
        title: entry.title,
        children: readFolder(path, depth + 1) ?? implied(path, context),
      };
    listed.add(path);
    return { ...entry, target: path };
  };
  const entries = written ? written.map(entry => resolved(entry, '', 0)) : readFolder('', 0);
  return entries && { entries: entries.flatMap(withoutEmptyTitles), files };
}

/** Entries without a title of a glob belong to the level above. */
function withoutEmptyTitles(entry: NavEntry): NavEntry[] {
  if (!entry.children) return [entry];
  const children = entry.children.flatMap(withoutEmptyTitles);
  return entry.title === undefined ? children : [{ ...entry, children }];
}

/** `*` and `dir/*`: what no other entry names. */
function globbed(pattern: string, { pages }: NavContext, listed: ReadonlySet<string>): NavEntry[] {
  const folder = folderOf(pattern);
  return pagesBelow(folder, pages)
    .filter(path => pattern.includes('**') || !below(folder, path)?.includes('/'))
    .filter(path => !listed.has(path))
    .map(target => ({ title: undefined, target }));
}

function implied(folder: string, { pages }: NavContext): NavEntry[] {
  return pagesBelow(folder, pages).map(target => ({ title: undefined, target }));
}

/** A nested Markdown list of links; an item without a link is a section. */
function readList(text: string): NavEntry[] {
  const root: NavEntry = { title: undefined, children: [] };
  const above: { indent: number; entry: NavEntry }[] = [{ indent: -1, entry: root }];
  const body = /<!--nav-->([\s\S]*)/.exec(text)?.[1] ?? text;
  for (const line of body.split('\n')) {
    const item = /^(\s*)(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line);
    if (!item) continue;
    const [, indent = '', content = ''] = item;
    const link = /^\[((?:[^\]\\]|\\.)*)\]\(\s*<?([^)>\s]*)>?[^)]*\)/.exec(content);
    const isGlob = /\*/.test(content) && !link;
    const entry: NavEntry = link
      ? { title: link[1] ?? '', target: link[2] ?? '' }
      : isGlob
        ? { title: undefined, target: content.trim() }
        : { title: content.trim(), children: [] };
    while ((above.at(-1)?.indent ?? -1) >= indent.length) above.pop();
    const parent = above.at(-1)?.entry ?? root;
    if (!parent.children) {
      // A link with items below it is a section whose first page is the link.
      parent.children = [{ title: undefined, target: parent.target ?? '' }];
      delete parent.target;
    }
    parent.children.push(entry);
    above.push({ indent: indent.length, entry });
  }
  return root.children ?? [];
}
