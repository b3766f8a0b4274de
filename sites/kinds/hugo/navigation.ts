import { folderOf, sitePathOf } from '../paths.ts';
import type { NavigationItem } from '../site-kind.ts';
import type { HugoConfig, HugoLanguage } from './config.ts';
import { humanized, type HugoPage, urlized } from './pages.ts';

/** A page or section as it is sorted. */
interface Entry {
  title: string;
  path: string;
  /** Null where Hugo makes the section's page. */
  page: HugoPage | null;
  /** The section that it is, with what is in it. */
  section: string | null;
  weight: number;
  time: number;
  children: Entry[];
}

/** One language's pages by section: weight, then the newest, then by title, as Hugo sorts. */
export function navigationOf(
  pages: readonly HugoPage[],
  config: HugoConfig,
  language: HugoLanguage,
): NavigationItem[] {
  const items: NavigationItem[] = [];
  const isOne = config.languages.length === 1;
  const visit = (entries: readonly Entry[], crumbs: string[], menu: readonly string[]): void => {
    for (const { page, title, path, section, children } of sorted(entries, language, menu)) {
      const place = { title, path, crumbs, ...(!isOne && { locale: language.key }) };
      if (page === null) items.push({ ...place, generated: true });
      else if (!page.unlisted) items.push({ ...place, file: page.file });
      if (section !== null) visit(children, [...crumbs, title], []);
    }
  };
  visit(treeOf(pages, config, language), [], config.menu);
  return items;
}

function treeOf(
  pages: readonly HugoPage[],
  config: HugoConfig,
  { segment }: HugoLanguage,
): Entry[] {
  const home: Entry = {
    ...{ title: '', path: '/', page: null, weight: 0, time: 0 },
    ...{ section: '', children: [] },
  };
  const sections = new Map([['', home]]);
  const entries = pages
    .filter(page => !(page.isSection && page.section === ''))
    .map(page => entryOf(page));
  for (const entry of entries) if (entry.section !== null) sections.set(entry.section, entry);
  for (const { page } of entries) {
    // A folder at the top is a section, with or without a page of its own.
    const [name = ''] = page?.section.split('/') ?? [];
    if (sections.has(name)) continue;
    const made = { page: null, section: name, weight: 0, time: 0, children: [] };
    const path = sitePathOf(segment, urlized(name, config.keepsCase));
    sections.set(name, { ...made, title: humanized(name), path });
  }
  for (const entry of new Set([...sections.values(), ...entries])) {
    if (entry === home) continue;
    const folder = entry.section === null ? (entry.page?.section ?? '') : folderOf(entry.section);
    sections.get(nearestSection(folder, sections))?.children.push(entry);
  }
  takeDates(home);
  return home.children;
}

function entryOf(page: HugoPage): Entry {
  const { path, weight, time, linkTitle: title } = page;
  const section = page.isSection ? page.section : null;
  return { title, path, page, section, weight, time, children: [] };
}

/** A folder without a section page belongs to the section above it. */
function nearestSection(folder: string, sections: ReadonlyMap<string, Entry>): string {
  let section = folder;
  while (section !== '' && !sections.has(section)) section = folderOf(section);
  return section;
}

/** A section without a date is as new as the newest of its pages. */
function takeDates(entry: Entry): number {
  const newest = Math.max(0, ...entry.children.map(takeDates));
  if (entry.section !== null && entry.time === 0) entry.time = newest;
  return Math.max(entry.time, newest);
}

function sorted(
  entries: readonly Entry[],
  { key, segment }: HugoLanguage,
  menu: readonly string[],
): Entry[] {
  const weight = (entry: Entry) => {
    const own = segment === '' ? entry.path : entry.path.slice(segment.length + 1);
    const inMenu = menu.indexOf(own);
    if (inMenu >= 0) return inMenu - 1e6;
    return entry.weight === 0 ? Number.MAX_SAFE_INTEGER : entry.weight;
  };
  const collator = collatorOf(key);
  return entries.toSorted(
    (a, b) =>
      weight(a) - weight(b) ||
      b.time - a.time ||
      Number(isOtherScript(a.title)) - Number(isOtherScript(b.title)) ||
      collator.compare(a.title, b.title) ||
      (a.path < b.path ? -1 : 1),
  );
}

/** Go puts Latin letters first in every language; ICU puts some languages' own script first. */
function isOtherScript(title: string): boolean {
  return /^(?!\p{Script=Latin})\p{L}/u.test(title);
}

function collatorOf(language: string): Intl.Collator {
  try {
    return new Intl.Collator(language);
  } catch {
    return new Intl.Collator('en');
  }
}
