import { ModuleReader } from '../../code/read-module.ts';
import {
  argumentOf,
  asBoolean,
  asString,
  at,
  changesOf,
  itemsOf,
  membersOf,
  type StaticValue,
} from '../../code/static-value.ts';
import { type LeavesOut, leftOutByList } from '../left-out.ts';
import { linkPlugins } from '../link-plugins.ts';
import { joinPath } from '../paths.ts';
import { unreadParts } from '../unread.ts';
import type { SitePlace, SiteSource, Unread } from '../site-kind.ts';

export interface StarlightLocale {
  /** First segment of its paths; null for the root locale. */
  key: string | null;
  /** Language tag. */
  lang: string;
}

/** What `astro.config` decides. */
export interface StarlightConfig {
  docsFolder: string;
  publicFolder: string;
  base: string;
  address: string | null;
  /** Whether pages are written as `/a/` (the default of Astro's builds) or `/a`. */
  closingSlash: boolean;
  /** Whether the format is `file`: `/a.html`. */
  fileFormat: boolean;
  /** The default locale comes first. */
  locales: StarlightLocale[];
  /** Undefined: everything, by folder. */
  sidebar: StaticValue | undefined;
  redirects: { from: string; to: string; file: string; line: number }[];
  plugins: string[];
  /** `exclude` of the plugin that checks links. */
  leavesOut: LeavesOut;
  checksAnchors: boolean;
  files: string[];
  unread: Unread[];
}

export function readStarlightConfig(source: SiteSource, found: SitePlace): StarlightConfig {
  const reader = new ModuleReader(path => source.read(path));
  const config = reader.configuration(found.marker);
  const starlight = starlightOptions(config);
  const srcDir = asString(at(config, 'srcDir')) ?? 'src';
  const publicDir = asString(at(config, 'publicDir')) ?? 'public';
  const unread = linkPlugins(source, found.marker);
  if (!starlight) {
    const message = 'The options of the Starlight integration cannot be read.';
    unread.push({ file: found.marker, line: null, message });
  }
  for (const { file, line } of changesOf(config, starlight))
    unread.push({ file, line, message: 'The configuration is changed by code.' });
  const sidebar = at(starlight, 'sidebar');
  unread.push(...unreadParts(sidebar), ...sidebarChanges(starlight));
  const validator = itemsOf(at(starlight, 'plugins'))
    .map(plugin => (plugin.kind === 'unknown' ? plugin.call : undefined))
    .find(call => /linksvalidator/i.test(call?.name ?? ''))?.arguments[0];
  const format = asString(at(config, 'build', 'format')) ?? 'directory';
  const address = asString(at(config, 'site'))?.replace(/\/+$/, '') ?? null;
  return {
    docsFolder: joinPath(found.root, srcDir, 'content/docs') ?? '',
    publicFolder: joinPath(found.root, publicDir) ?? 'public',
    base: asString(at(config, 'base')) ?? '/',
    address,
    closingSlash: asString(at(config, 'trailingSlash')) !== 'never' && format === 'directory',
    fileFormat: format === 'file',
    locales: readLocales(starlight),
    sidebar: sidebar?.kind === 'literal' ? undefined : sidebar,
    redirects: readRedirects(at(config, 'redirects')),
    plugins: itemsOf(at(starlight, 'plugins')).map(plugin =>
      plugin.kind === 'unknown' ? plugin.why : '',
    ),
    leavesOut: leftOutByList(at(validator, 'exclude'), true),
    checksAnchors: asBoolean(at(validator, 'errorOnInvalidHashes')) ?? true,
    files: reader.files,
    unread,
  };
}

/** Plugins, a middleware and a component that make the sidebar something else. */
function sidebarChanges(starlight: StaticValue | undefined): Unread[] {
  const plugins = itemsOf(at(starlight, 'plugins')).filter(
    plugin => plugin.kind === 'unknown' && /sidebar|topic/i.test(plugin.call?.name ?? plugin.why),
  );
  const others = [at(starlight, 'routeMiddleware'), at(starlight, 'components', 'Sidebar')];
  return [...plugins, ...others].flatMap(one => {
    if (!one) return [];
    const name = one.kind === 'unknown' && one.call ? `, ${one.call.name}()` : '';
    const message = `The sidebar comes from a plugin or a component${name}.`;
    return [{ file: one.file, line: one.line, message }];
  });
}

/** The object that is given to `starlight(…)`, one of the integrations. */
export function starlightOptions(config: StaticValue | undefined): StaticValue | undefined {
  for (const integration of itemsOf(at(config, 'integrations'))) {
    const options = argumentOf(integration, 'starlight');
    if (options?.kind === 'object') return options;
  }
  return undefined;
}

function readLocales(starlight: StaticValue | undefined): StarlightLocale[] {
  const fallback = asString(at(starlight, 'defaultLocale'));
  const locales = membersOf(at(starlight, 'locales')).map(([key, locale]) => ({
    key: key === 'root' ? null : key,
    lang: asString(at(locale, 'lang')) ?? key,
  }));
  if (locales.length === 0) return [{ key: null, lang: 'en' }];
  const isDefault = (locale: StarlightLocale) => locale.key === (fallback ?? null);
  return locales.toSorted((a, b) => Number(isDefault(b)) - Number(isDefault(a)));
}

function readRedirects(value: StaticValue | undefined): StarlightConfig['redirects'] {
  return membersOf(value).flatMap(([from, target]) => {
    const to = asString(target) ?? asString(at(target, 'destination'));
    return to === undefined ? [] : [{ from, to, file: target.file, line: target.line }];
  });
}
