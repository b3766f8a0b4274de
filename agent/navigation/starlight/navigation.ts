import { ModuleReader } from '../../../sites/code/read-module.ts';
import { asString, at, type StaticValue } from '../../../sites/code/static-value.ts';
import type { Shape } from '../code-navigation/write-literal.ts';
import { codeNavigation } from '../code-navigation/code-navigation.ts';
import { withFrontMatterNumber } from '../code-navigation/front-matter-number.ts';
import { type NavigationForm, onlyNavigationChanges } from '../code-navigation/other-changes.ts';
import type {
  Mention,
  WrittenEntry,
  WrittenNavigation,
  WrittenRedirect,
} from '../code-navigation/written-navigation.ts';
import { basePathOf, below, sitePathOf } from '../../../sites/kinds/paths.ts';
import type { Site, SiteSource } from '../../../sites/kinds/site-kind.ts';
import {
  readStarlightConfig,
  starlightOptions,
  type StarlightConfig,
} from '../../../sites/kinds/starlight/config.ts';
import { readPages, type StarlightRoute } from '../../../sites/kinds/starlight/pages.ts';
import { writtenSidebar } from './written-sidebar.ts';

/** The sidebar of the integration: slugs, links, groups and folders; redirects of Astro. */
export const starlightNavigation = codeNavigation(readNavigation, (site, file, before, after) =>
  onlyNavigationChanges(FORM, site, file, before, after),
);

const FORM: NavigationForm = {
  members: {
    label: 'title',
    slug: 'target',
    link: 'target',
    directory: 'target',
    destination: 'target',
    items: 'target',
    autogenerate: 'target',
    collapsed: 'word',
    status: 'word',
    badge: 'title',
    text: 'title',
    variant: 'word',
  },
  parts(reader, file, isMain) {
    if (!isMain) return reader.exported(file);
    const config = reader.configuration(file);
    return [at(starlightOptions(config), 'sidebar'), at(config, 'redirects')];
  },
};

function readNavigation(source: SiteSource, site: Site): WrittenNavigation | { refused: string } {
  const [marker] = site.configFiles;
  if (marker === undefined || !source.has(marker))
    return { refused: 'The configuration cannot be read, so its sidebar is not edited.' };
  const config = readStarlightConfig(source, { root: site.root, marker });
  const { pages, routes } = readPages(source, config);
  const own = routes.filter(route => route.locale === config.locales[0] && !route.isFallback);
  const byFile = new Map(own.map(route => [route.file, route]));
  const pageAt = new Map(pages.map(page => [page.file, page]));
  const lists = writtenSidebar(config, own);
  const base = basePathOf(config.base);
  const main = new ModuleReader(path => source.read(path)).configuration(marker);
  const redirects = at(main, 'redirects');
  return {
    files: [marker],
    rule: config.sidebar
      ? `The sidebar is in ${marker}: entries name slugs, or folders that Starlight lists.`
      : 'Starlight lists the pages by folder: `sidebar.order` in front matter orders them.',
    lists,
    redirects: writtenRedirects(redirects, base),
    redirectPlace: redirectPlace(source, config, main, redirects, marker),
    mentions: [],
    unread: site.unread.filter(({ message }) => /sidebar|integration/.test(message)),
    listsFor: file => (byFile.has(file) ? lists : []),
    targetOf: (file, model) => targetOf(byFile.get(file), model, config),
    pageShape: (file, title, model) => pageShape(slugOf(byFile.get(file), config), title, model),
    groupShape: (label, items) => ({ label, items }) satisfies Shape,
    titledShape: (entry, label) => titledShape(entry, label),
    redirectShape: (from, to) => ({ key: from, value: to }),
    redirectTarget: file => pageAt.get(file)?.url,
    sitePathOf: file => pageAt.get(file)?.path,
    placeInFolder: (file, number, from) =>
      withFrontMatterNumber(from.read(file) ?? '', ['sidebar', 'order'], number),
    numberOf: file => {
      const order = byFile.get(file)?.order;
      return order === Number.MAX_VALUE ? undefined : order;
    },
    alsoMoved: () => [],
  };
}

/** Slugs are the same in every language: they leave out the language's folder. */
function slugOf(route: StarlightRoute | undefined, { locales }: StarlightConfig): string {
  const id = route?.id ?? '';
  const slug = locales[0]?.key ? (below(locales[0].key, id) ?? '') : id;
  return slug === '' ? 'index' : slug;
}

function targetOf(
  route: StarlightRoute | undefined,
  model: WrittenEntry | Mention | undefined,
  config: StarlightConfig,
): string | undefined {
  if (!route) return undefined;
  const slug = slugOf(route, config);
  const link = model && 'type' in model ? asString(at(model.value, 'link')) : undefined;
  if (link === undefined) return slug;
  const path = sitePathOf(slug === 'index' ? '/' : slug);
  return link.endsWith('/') && path !== '/' ? `${path}/` : path;
}

function pageShape(
  slug: string,
  title: string | undefined,
  model: WrittenEntry | undefined,
): Shape {
  if (title !== undefined) return { label: title, slug };
  const isObject = model?.type === 'page' && model.value?.kind === 'object' && !model.label;
  return isObject ? { slug } : slug;
}

function titledShape({ value }: WrittenEntry, label: string): Shape {
  const link = asString(at(value, 'link'));
  return link === undefined
    ? { label, slug: asString(value) ?? asString(at(value, 'slug')) ?? '' }
    : { label, link };
}

/** Astro puts the base path before the source of a redirect, and not before its target. */
function writtenRedirects(value: StaticValue | undefined, base: string): WrittenRedirect[] {
  if (value?.kind !== 'object') return [];
  const { slots } = value;
  return [...value.members].flatMap(([from, target]): WrittenRedirect[] => {
    const own = slots.get(from);
    const inner = target.kind === 'object' ? target.slots.get('destination') : own;
    const to = asString(target) ?? asString(at(target, 'destination'));
    if (!own || !inner || to === undefined) return [];
    const path = to.startsWith('/') ? sitePathOf(below(base.slice(1), to.slice(1)) ?? to) : to;
    return [{ from: sitePathOf(from), to: path, target: inner, slot: own, line: own.line }];
  });
}

function redirectPlace(
  source: SiteSource,
  config: StarlightConfig,
  main: StaticValue | undefined,
  redirects: StaticValue | undefined,
  marker: string,
): WrittenNavigation['redirectPlace'] {
  if (redirects?.kind === 'object') return { literal: redirects.literal };
  const ofHost = `${config.publicFolder}/_redirects`;
  if (source.has(ofHost))
    return { missing: `${ofHost} is read by the host of the site and is not edited` };
  if (redirects || main?.kind !== 'object')
    return { missing: `The redirects of ${marker} cannot be read` };
  return { literal: main.literal, member: 'redirects' };
}
