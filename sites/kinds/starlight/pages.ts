import { slug } from 'github-slugger';
import { githubIds } from '../../outline/github-ids.ts';
import type { PageOutline } from '../../outline/page-outline.ts';
import { objectOf } from '../../values.ts';
import { basePathOf, below, sitePathOf, withBase } from '../paths.ts';
import { UNPLACED } from '../navigation.ts';
import type { SitePage, SiteSource } from '../site-kind.ts';
import type { StarlightConfig, StarlightLocale } from './config.ts';

/** One address of the site: a page, or the default language's page if there is no translation. */
export interface StarlightRoute {
  /** `''` for the home page, else `de/guides/pages`. */
  id: string;
  /** Path below the docs folder; of a fallback, as if it were translated. */
  localPath: string;
  locale: StarlightLocale;
  file: string;
  title: string;
  label: string | undefined;
  order: number;
  hidden: boolean;
  isFallback: boolean;
}

/** Every page, and every address of each language. */
export function readPages(
  source: SiteSource,
  config: StarlightConfig,
): { pages: SitePage[]; routes: StarlightRoute[] } {
  const pages: SitePage[] = [];
  const routes: StarlightRoute[] = [];
  for (const file of source.paths) {
    const path = below(config.docsFolder, file);
    if (path === undefined || !/\.(?:md|mdx|mdoc|markdown)$/.test(path)) continue;
    if (/(?:^|\/)[_.]/.test(path)) continue;
    const outline = source.outline(file);
    const route = routeOf(file, path, outline, config);
    pages.push(pageOf(route, outline.frontMatter.draft === true, config));
    if (outline.frontMatter.draft !== true) routes.push(route);
  }
  return { pages, routes: [...routes, ...fallbacks(routes, config)] };
}

function routeOf(
  file: string,
  path: string,
  { frontMatter }: PageOutline,
  config: StarlightConfig,
): StarlightRoute {
  const own = typeof frontMatter.slug === 'string' ? frontMatter.slug : undefined;
  const parts = path
    .replace(/\.\w+$/, '')
    .split('/')
    .map(part => slug(part));
  const id = (own ?? parts.join('/')).replace(/(?:^|\/)index$/, '').replace(/^\/|\/$/g, '');
  const sidebar = objectOf(frontMatter.sidebar);
  const title = typeof frontMatter.title === 'string' ? frontMatter.title : id;
  return {
    id,
    localPath: path,
    locale: localeOf(id, config),
    file,
    title,
    label: typeof sidebar.label === 'string' ? sidebar.label : undefined,
    order: typeof sidebar.order === 'number' ? sidebar.order : Number.MAX_VALUE,
    hidden: sidebar.hidden === true,
    isFallback: false,
  };
}

export function localeOf(id: string, { locales }: StarlightConfig): StarlightLocale {
  const [first] = id.split('/');
  const named = locales.find(locale => locale.key !== null && locale.key === first);
  return named ?? locales.find(locale => locale.key === null) ?? locales[0]!;
}

/** A language shows the default language's page if it has no translation. */
function fallbacks(routes: readonly StarlightRoute[], config: StarlightConfig): StarlightRoute[] {
  const [main, ...others] = config.locales;
  if (!main) return [];
  const ids = new Set(routes.map(route => route.id));
  const originals = routes.filter(route => route.locale === main);
  return others.flatMap(locale =>
    originals.flatMap(route => {
      const id = localized(route.id, main, locale);
      if (ids.has(id)) return [];
      const localPath = localized(route.localPath, main, locale);
      return [{ ...route, id, localPath, locale, isFallback: true }];
    }),
  );
}

/** A path of the default language as one of another. */
function localized(path: string, main: StarlightLocale, locale: StarlightLocale): string {
  const bare = main.key === null ? path : (below(main.key, path) ?? '');
  return [locale.key ?? '', bare].filter(part => part !== '').join('/');
}

function pageOf(route: StarlightRoute, draft: boolean, config: StarlightConfig): SitePage {
  const path = sitePathOf(route.id);
  const written = config.fileFormat
    ? path === '/'
      ? '/index.html'
      : `${path}.html`
    : config.closingSlash && path !== '/'
      ? `${path}/`
      : path;
  return {
    file: route.file,
    path,
    url: withBase(basePathOf(config.base), written),
    language: route.locale.lang,
    ...UNPLACED,
    draft,
  };
}

/** GitHub's slugs, of every heading but the title, which is `_top`. */
export function headingIds(outline: PageOutline): string[] {
  return githubIds(outline, /^\{\s*#([^\s}]+)\s*\}$/);
}
