import { firstTitle, type PageOutline } from '../../outline/page-outline.ts';
import { basePathOf, below, folderOf, joinPath, nameOf, sitePathOf, withBase } from '../paths.ts';
import { textOf } from '../../values.ts';
import { UNPLACED } from '../navigation.ts';
import type { SitePage, SiteSource } from '../site-kind.ts';
import type { HugoConfig, HugoLanguage } from './config.ts';
import {
  cascades,
  datesOf,
  filenameDate,
  ignoredFiles,
  isBuilt,
  isHidden,
  isOnlyLinked,
  type Matter,
  ownMatter,
  timeOf,
} from './front-matter.ts';

export interface HugoPage extends SitePage {
  languageKey: string;
  /** Path below the content folder, without ending and language: `docs/guide/_index`. */
  source: string;
  /** The folder whose section page this is, or that it is in. */
  section: string;
  isSection: boolean;
  weight: number;
  /** Milliseconds; 0 without a date. */
  time: number;
  linkTitle: string;
  aliases: string[];
  /** With what sections hand down. */
  matter: Matter;
}

export function readPages(source: SiteSource, config: HugoConfig) {
  const pages: HugoPage[] = [];
  const excluded: string[] = [];
  /** Addresses of pages without a file of their own. */
  const linked: string[] = [];
  const isIgnored = ignoredFiles(config.ignoreFiles);
  const found = source.paths
    .filter(path => /\.(?:md|markdown)$/i.test(path))
    .flatMap(file => {
      const place = placeOf(file, config);
      return place ? [{ file, place, outline: source.outline(file) }] : [];
    });
  const handedDown = cascades(
    found
      .filter(({ place }) => nameOf(place.source) === '_index')
      .map(({ place, outline }) => ({ place: matterPlace(place), outline })),
    config,
  );
  const bundles = leafBundles(source);
  for (const { file, place, outline } of found) {
    const matter = { ...handedDown(matterPlace(place)), ...ownMatter(outline) };
    const isPage =
      !isIgnored(file) &&
      !isResource(file, bundles, place.language) &&
      isBuilt(matter, config, place.source);
    if (isPage) pages.push(pageAt(file, place, outline, matter, config));
    else excluded.push(file);
    if (isOnlyLinked(matter)) linked.push(pageAt(file, place, outline, matter, config).path);
  }
  return { pages, excluded, linked };
}

function matterPlace({ source, language }: Place): { source: string; language: string } {
  return { source, language: language.key };
}

interface Place {
  language: HugoLanguage;
  source: string;
}

/** The language and the path below the content folder. The first language that has it wins. */
function placeOf(file: string, config: HugoConfig): Place | undefined {
  const main = config.languages.find(one => one.key === config.defaultLanguage);
  const places = config.languages.flatMap(language =>
    language.mounts.flatMap(mount => {
      const path = mount.source === file ? '' : below(mount.source, file);
      const source = path === undefined ? undefined : joinPath(mount.target, path);
      return source === undefined ? [] : [{ language, source, folder: mount.source }];
    }),
  );
  const own = places.toSorted(
    (a, b) =>
      b.folder.length - a.folder.length ||
      Number(b.language === main) - Number(a.language === main),
  )[0];
  if (!own) return undefined;
  const bare = own.source.replace(/\.\w+$/, '');
  const suffix = /^(.*)\.([\w-]+)$/.exec(bare);
  const named = config.languages.find(one => one.key === suffix?.[2]?.toLowerCase());
  if (named) return { language: named, source: suffix?.[1] ?? bare };
  return { language: own.language, source: bare };
}

/** Markdown beside the `index.md` of a leaf bundle belongs to that page. */
function isResource(
  file: string,
  bundles: ReadonlySet<string>,
  { contentFolder }: HugoLanguage,
): boolean {
  if (nameOf(file).startsWith('_index.')) return false;
  let folder = /^index\./.test(nameOf(file)) ? folderOf(folderOf(file)) : folderOf(file);
  while (folder.length > contentFolder.length) {
    if (bundles.has(folder)) return true;
    folder = folderOf(folder);
  }
  return false;
}

/** Folders with an `index.md`, in any language. */
function leafBundles(source: SiteSource): ReadonlySet<string> {
  const pattern = /(?:^|\/)index(?:\.[\w-]+)?\.(?:md|markdown)$/;
  return new Set(source.paths.filter(path => pattern.test(path)).map(folderOf));
}

function pageAt(
  file: string,
  { language, source }: Place,
  outline: PageOutline,
  matter: Matter,
  config: HugoConfig,
): HugoPage {
  const name = nameOf(source);
  const isSection = name === '_index';
  const folder = folderOf(source);
  const absolute = textOf(matter.url)?.startsWith('/') === true;
  const path = sitePathOf(absolute ? '' : language.segment, routeOf(source, matter, config));
  const title =
    textOf(matter.title) ??
    firstTitle(outline) ??
    humanized(isSection || name === 'index' ? nameOf(folder) : name);
  return {
    file,
    languageKey: language.key,
    source,
    section: name === 'index' ? folderOf(folder) : folder,
    isSection,
    weight: Number(matter.weight ?? 0) || 0,
    time: timeOf(datesOf(matter, config.dates.date, source)),
    linkTitle: textOf(matter.linktitle) ?? title,
    aliases: [matter.aliases].flat().filter(one => typeof one === 'string'),
    matter,
    path,
    url: withBase(
      basePathOf(config.baseUrl ?? undefined),
      written(path, { source, isSection, matter }, config),
    ),
    language: language.key,
    ...UNPLACED,
    ...(isHidden(matter) && { unlisted: true }),
  };
}

function written(
  path: string,
  { source, isSection, matter }: Pick<HugoPage, 'source' | 'isSection' | 'matter'>,
  config: HugoConfig,
): string {
  if (path === '/' || /\.html?$/.test(path)) return path;
  const [top = ''] = source.split('/');
  if (matter.url !== undefined || !config.isUgly(top.toLowerCase())) return `${path}/`;
  return isSection ? `${path}/index.html` : `${path}.html`;
}

function routeOf(source: string, matter: Matter, config: HugoConfig): string {
  const url = textOf(matter.url);
  if (url !== undefined) return url;
  const bare = source.replace(/(?:^|\/)_?index$/, '');
  const isSection = /(?:^|\/)_index$/.test(source);
  const named = config.dates.date.includes(':filename') ? filenameDate(source)?.slug : undefined;
  const slug = slugOf(matter) ?? textOf(named);
  const [section = ''] = bare.split('/');
  const pattern =
    bare.includes('/') && !isSection ? config.permalinks.get(section.toLowerCase()) : undefined;
  if (pattern) return permalink(pattern, bare, { ...matter, slug }, config);
  const path = slug === undefined || isSection ? bare : (joinPath(folderOf(bare), slug) ?? bare);
  return urlized(path, config.keepsCase);
}

/** A number counts, too. */
function slugOf({ slug }: Matter): string | undefined {
  return typeof slug === 'number' ? String(slug) : textOf(slug);
}

function permalink(pattern: string, path: string, matter: Matter, config: HugoConfig): string {
  const date = datesOf(matter, config.dates.date, path);
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-');
  const sections = folderOf(path).split('/');
  const file = nameOf(path);
  const title = textOf(matter.title) ?? file;
  const slug = slugOf(matter);
  const values: Record<string, string> = {
    year,
    month,
    day,
    title,
    slug: slug ?? title,
    filename: file,
    contentbasename: file,
    slugorfilename: slug ?? file,
    slugorcontentbasename: slug ?? file,
    section: sections[0] ?? '',
    sections: sections.join('/'),
  };
  const filled = pattern.replace(
    /:([a-z]+)(?:\[(\d*):(\d*|last)\])?/g,
    (all, name: string, from?: string, to?: string) => {
      if (name !== 'sections' || from === undefined) return values[name] ?? all;
      const end = to === 'last' ? -1 : to ? Number(to) : undefined;
      return sections.slice(Number(from), end).join('/');
    },
  );
  return urlized(filled, config.keepsCase);
}

/** As Hugo writes paths: white space becomes `-`, most marks are dropped, lower case. */
export function urlized(path: string, keepsCase: boolean): string {
  const clean = path.replace(/\s+/g, '-').replace(/[^\p{L}\p{N}\p{M}./\\_#+~@-]/gu, '');
  return keepsCase ? clean : clean.toLowerCase();
}

/** `getting-started` as `Getting started`. */
export function humanized(name: string): string {
  const words = name.replace(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
