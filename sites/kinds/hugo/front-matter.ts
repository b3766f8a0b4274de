import { linearPattern, pathMatcher } from '../../glob.ts';
import type { PageOutline } from '../../outline/page-outline.ts';
import { linesOf, objectOf, textOf } from '../../values.ts';
import { folderOf, nameOf } from '../paths.ts';
import { lowerNames } from './any-case.ts';
import type { HugoConfig } from './config.ts';

/** What Hugo knows of a page before its text: names in lower case, `params` among the rest. */
export type Matter = Record<string, unknown>;

/** A page's place: its path below the content folder without ending, and its language. */
export interface MatterPlace {
  source: string;
  language: string;
}

interface Cascade {
  members: Matter;
  applies(place: MatterPlace): boolean;
}

/** Members of a page's own front matter. */
export function ownMatter({ frontMatter }: PageOutline): Matter {
  const matter = lowerNames(frontMatter);
  return { ...objectOf(matter.params), ...matter };
}

/** What the configuration and the sections above hand down, the nearest last. */
export function cascades(
  sections: readonly { place: MatterPlace; outline: PageOutline }[],
  config: HugoConfig,
): (place: MatterPlace) => Matter {
  const site = cascadesIn(config.cascade);
  const byFolder = new Map<string, Cascade[]>();
  for (const { place, outline } of sections) {
    const { cascade } = ownMatter(outline);
    if (cascade === undefined) continue;
    const key = `${place.language}:${folderOf(place.source)}`;
    byFolder.set(key, cascadesIn(cascade));
  }
  return place => {
    const above: Cascade[][] = [];
    for (let folder = folderOf(place.source); ; folder = folderOf(folder)) {
      above.unshift(byFolder.get(`${place.language}:${folder}`) ?? []);
      if (folder === '') break;
    }
    const all = [...site, ...above.flat()].filter(one => one.applies(place));
    return Object.assign({}, ...all.map(one => one.members)) as Matter;
  };
}

function cascadesIn(value: unknown): Cascade[] {
  return [value].flat().map(one => {
    const cascade = objectOf(one);
    const target = objectOf(cascade.target ?? cascade._target);
    return {
      members: { ...objectOf(cascade.params), ...cascade },
      applies: targetTest(target),
    };
  });
}

/** Paths, kinds and languages are globs. */
function targetTest(target: Record<string, unknown>): Cascade['applies'] {
  const test = (glob: unknown): ((value: string) => boolean) => {
    const written = textOf(glob);
    return written === undefined ? () => true : pathMatcher(written.toLowerCase(), { dot: true });
  };
  const [isPath, isKind, isLanguage] = [test(target.path), test(target.kind), test(target.lang)];
  return ({ source, language }) =>
    isPath(`/${source.replace(/(?:^|\/)_?index$/, '')}`.toLowerCase()) &&
    isKind(kindOf(source)) &&
    isLanguage(language);
}

function kindOf(source: string): string {
  if (nameOf(source) !== '_index') return 'page';
  return source === '_index' ? 'home' : 'section';
}

/** Whether the page is part of a build as it is published today. */
export function isBuilt(matter: Matter, config: HugoConfig, source: string): boolean {
  const build = objectOf(matter.build ?? matter._build);
  if (build.render === 'never' || build.render === false || build.render === 'link') return false;
  if (matter.headless === true) return false;
  const { drafts, future, expired } = config.builds;
  if (matter.draft === true && !drafts) return false;
  if (!future && timeOf(datesOf(matter, config.dates.publishdate, source)) > Date.now())
    return false;
  const end = timeOf(datesOf(matter, config.dates.expirydate, source));
  return expired || end === 0 || end > Date.now();
}

/** Whether the page has an address that something else answers, such as a redirect. */
export function isOnlyLinked(matter: Matter): boolean {
  return objectOf(matter.build ?? matter._build).render === 'link';
}

/** What the usual themes leave out of their navigation. */
export function isHidden(matter: Matter): boolean {
  const sidebar = objectOf(matter.sidebar);
  return (
    sidebar.exclude === true ||
    sidebar.hide === true ||
    matter.toc_hide === true ||
    matter.bookhidden === true ||
    matter.hidden === true
  );
}

/** The first of some members that is a date, as text; '' if none is. */
export function datesOf(matter: Matter, fields: readonly string[], source: string): string {
  for (const field of fields) {
    const date = field === ':filename' ? filenameDate(source)?.date : dateText(matter[field]);
    if (date) return date;
  }
  return '';
}

/** `2024-01-31-title`: the date, and the rest as a slug. */
export function filenameDate(source: string): { date: string; slug: string } | undefined {
  const name = nameOf(source.replace(/\/index$/, ''));
  const [, date, slug = ''] = /^(\d{4}-\d{2}-\d{2})(?:[-_ ]+(.*))?$/.exec(name) ?? [];
  return date === undefined ? undefined : { date, slug };
}

function dateText(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  return typeof value === 'string' ? value : '';
}

/** Milliseconds; 0 if it is not a date. */
export function timeOf(date: string): number {
  const time = Date.parse(date);
  return Number.isNaN(time) ? 0 : time;
}

/** Files that Hugo never looks at: hidden ones, copies that editors leave, `ignoreFiles`. */
export function ignoredFiles(patterns: unknown): (path: string) => boolean {
  const own = linesOf(patterns).flatMap(pattern => linearPattern(pattern) ?? []);
  return path =>
    /(?:^|\/)[.#][^/]*$|~$|(?:^|\/)\.[^/]+\//.test(path) ||
    own.some(pattern => pattern.matcher(path).find());
}
