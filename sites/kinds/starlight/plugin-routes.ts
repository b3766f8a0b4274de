import { sitePathOf } from '../paths.ts';
import type { SiteSource } from '../site-kind.ts';
import type { StarlightConfig } from './config.ts';

/** Plugins whose pages are all below one path, which the configuration names. */
const BELOW_ONE_PATH = /\bstarlight-(?:changelogs|typedoc|obsidian)\b/;

/** Paths of the pages that plugins make, in every language; `/*` stands for all below. */
export function pluginRoutes(source: SiteSource, config: StarlightConfig): string[] {
  const contentConfigs = ['ts', 'mts', 'js', 'mjs'].flatMap(ending => {
    const folder = config.docsFolder.replace(/\/docs$/, '');
    return [`${folder}.config.${ending}`, `${folder}/config.${ending}`];
  });
  const texts = [...config.files, ...contentConfigs].flatMap(file => source.read(file) ?? []);
  const all = texts.join('\n');
  const routes = [...(BELOW_ONE_PATH.test(all) ? prefixesIn(all) : []), ...blogRoutes(all)];
  const folders = ['', ...config.locales.flatMap(({ key }) => key ?? [])];
  return folders.flatMap(folder => routes.map(route => sitePathOf(folder, route)));
}

function prefixesIn(text: string): string[] {
  const written = text.matchAll(/\b(?:base|output)\s*:\s*(["'`])\/?([\w.-]+(?:\/[\w.-]+)*)\/?\1/g);
  return Array.from(written, ([, , path = '']) => [path, `${path}/*`]).flat();
}

/** starlight-blog: its list and those of tags and authors. */
function blogRoutes(text: string): string[] {
  if (!/\bstarlight-blog\b/.test(text)) return [];
  const prefix = /\bprefix\s*:\s*["']\/?([\w/-]+?)\/?["']/.exec(text)?.[1] ?? 'blog';
  return [prefix, `${prefix}/tags/*`, `${prefix}/authors/*`, `${prefix}/rss.xml`];
}
