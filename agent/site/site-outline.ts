import type { NavigationItem, Site, SitePage } from '../../sites/kinds/site-kind.ts';

/** A site in a few lines, for a model that is new to it. */
export interface SiteOutline {
  /** Indented lines, or one sentence. */
  navigation: string;
  /** By folder; or how many there are in which folder. */
  pages: string;
}

/** Characters of each part. */
export interface OutlineRoom {
  navigation: number;
  pages: number;
}

const MAX_TITLE = 80;
const MOST_LEVELS = 8;
const MOST_LISTS = 12;

/** The outline of a site, each part within its room: what is deep is counted instead of named. */
export function siteOutline(site: Site, room: OutlineRoom): SiteOutline {
  const pages = site.pages.filter(page => !page.draft);
  if (site.isListedByFolder || site.navigation.length === 0)
    return {
      navigation: site.isListedByFolder
        ? 'Made from the folders.'
        : 'None that names pages was found.',
      pages: pageList(pages, room.pages + room.navigation),
    };
  const { text, isWhole } = navigationTree(site.navigation, room.navigation);
  const outside = pages.filter(page => !page.inNavigation);
  if (!isWhole) return { navigation: text, pages: pageList(pages, room.pages) };
  return {
    navigation: text,
    pages:
      outside.length === 0
        ? `${counted(pages.length, 'page')}, all of them in the navigation above.`
        : `${counted(pages.length, 'page')}. These are not in the navigation:\n` +
          pageList(outside, room.pages),
  };
}

interface Branch {
  title: string;
  target: string;
  entries: number;
  children: Map<string, Branch>;
}

function navigationTree(
  items: readonly NavigationItem[],
  room: number,
): { text: string; isWhole: boolean } {
  const lists = new Map<string, { item: NavigationItem; branch: Branch }>();
  for (const item of items) {
    const key = JSON.stringify([item.locale, item.version, item.plugin, item.sidebar]);
    const list = lists.get(key) ?? { item, branch: newBranch('') };
    lists.set(key, list);
    add(list.branch, item);
  }
  const [first] = items;
  // Other languages and versions mostly repeat the first one.
  const all = [...lists.values()];
  const own = all.filter(
    ({ item }) =>
      (item.locale ?? null) === (first?.locale ?? null) &&
      (item.version ?? null) === (first?.version ?? null),
  );
  const others = all
    .filter(list => !own.includes(list))
    .slice(0, MOST_LISTS)
    .map(({ item, branch }) => `- ${nameOf(item)}: ${counted(branch.entries, 'entry')}`);
  for (let levels = MOST_LEVELS; levels >= 1; levels -= 1) {
    const lines = own.flatMap(({ item, branch }) => [
      ...(own.length > 1 ? [`${nameOf(item)}:`] : []),
      ...linesOf(branch, levels, 0),
    ]);
    const text = [...lines, ...others].join('\n');
    if (text.length <= room) return { text, isWhole: levels === MOST_LEVELS };
    if (levels === 1) return { text: cutLines(text, room), isWhole: false };
  }
  return { text: '', isWhole: false };
}

function add(root: Branch, { title, crumbs, file, href, path }: NavigationItem): void {
  let at = root;
  at.entries += 1;
  for (const crumb of crumbs.slice(0, MOST_LEVELS - 1)) {
    const next = at.children.get(`group ${crumb}`) ?? newBranch(crumb);
    at.children.set(`group ${crumb}`, next);
    next.entries += 1;
    at = next;
  }
  const leaf = newBranch(title);
  leaf.target = file ?? href ?? path ?? '';
  leaf.entries = 1;
  at.children.set(`entry ${at.children.size}`, leaf);
}

function newBranch(title: string): Branch {
  return { title, target: '', entries: 0, children: new Map() };
}

function linesOf(branch: Branch, levels: number, depth: number): string[] {
  return [...branch.children.values()].flatMap(child => {
    const indent = '  '.repeat(depth);
    if (child.children.size === 0)
      return [
        `${indent}- ${shortened(child.title)}${child.target && ` (${oneLine(child.target)})`}`,
      ];
    if (levels <= 1)
      return [`${indent}- ${shortened(child.title)}/ (${counted(child.entries, 'entry')})`];
    return [`${indent}- ${shortened(child.title)}/`, ...linesOf(child, levels - 1, depth + 1)];
  });
}

function nameOf({ locale, version, plugin, sidebar }: NavigationItem): string {
  const parts = [
    ['language', locale],
    ['version', version],
    ['plugin', plugin],
    ['sidebar', sidebar],
  ].flatMap(([name, value]) => (value ? [`${name} ${shortened(value)}`] : []));
  return parts.length === 0 ? 'Main list' : parts.join(', ');
}

/** Files by folder if they fit; else the folders, as deep as they fit, with their numbers. */
function pageList(pages: readonly SitePage[], room: number): string {
  const files = pages.map(page => page.file);
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const end = file.lastIndexOf('/') + 1;
    const names = folders.get(file.slice(0, end)) ?? [];
    names.push(file.slice(end));
    folders.set(file.slice(0, end), names);
  }
  const named = [...folders].map(([folder, names]) => `${folder || './'}: ${names.join(', ')}`);
  const text = named.map(oneLine).join('\n');
  if (text.length <= room) return text;
  const total = `${counted(files.length, 'page')}; list_files names them:`;
  for (let depth = MOST_LEVELS; depth >= 1; depth -= 1) {
    const numbers = new Map<string, number>();
    for (const file of files) {
      const folder = file.split('/').slice(0, -1).slice(0, depth).join('/');
      numbers.set(folder, (numbers.get(folder) ?? 0) + 1);
    }
    const lines = [...numbers].map(([folder, n]) => oneLine(`${folder}/ (${counted(n, 'page')})`));
    const shape = [total, ...lines].join('\n');
    if (shape.length <= room) return shape;
    if (depth === 1) return cutLines(shape, room);
  }
  return total;
}

/** Whole lines within the room, and how many are left out. */
function cutLines(text: string, room: number): string {
  const lines = text.split('\n');
  const kept: string[] = [];
  let size = 0;
  for (const line of lines) {
    if ((size += line.length + 1) > room) break;
    kept.push(line);
  }
  return [...kept, `[${lines.length - kept.length} more]`].join('\n');
}

function shortened(text: string): string {
  const line = oneLine(text).trim();
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1)}…` : line;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function counted(number: number, noun: 'page' | 'entry'): string {
  const plural = noun === 'entry' ? 'entries' : 'pages';
  return `${number} ${number === 1 ? noun : plural}`;
}
