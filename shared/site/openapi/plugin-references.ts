import GithubSlugger from 'github-slugger';
import { ModuleReader } from '../code/read-module.ts';
import { argumentOf, asString, at, itemsOf, membersOf } from '../code/static-value.ts';
import { pluginUses, readDocusaurusConfig } from '../kinds/docusaurus/config.ts';
import { below, isExternal, joinPath, nameOf, sitePathOf } from '../kinds/paths.ts';
import { starlightOptions } from '../kinds/starlight/config.ts';
import type { Site, SiteSource } from '../kinds/site-kind.ts';
import type { ApiReference } from './api-reference.ts';

const PLACE = { crumbs: [], language: null, version: null };

/** `docusaurus-plugin-openapi-docs`: a page for each operation in its `outputDir`. */
export function docusaurusReferences(source: SiteSource, site: Site): ApiReference[] {
  const marker = markerOf(site, /^docusaurus\.config\./);
  if (marker === undefined || !mentions(source, site, 'openapi-docs')) return [];
  const config = new ModuleReader(path => source.read(path)).configuration(marker);
  const { docs } = readDocusaurusConfig(source, { kind: 'docusaurus', root: site.root, marker });
  return pluginUses(config)
    .filter(([name]) => /(?:^|\/)docusaurus-plugin-openapi-docs$/.test(name))
    .flatMap(([, options]) => membersOf(at(options, 'config')))
    .flatMap(([, api]): ApiReference[] => {
      const named = asString(at(api, 'specPath'));
      const folder = joinPath(site.root, asString(at(api, 'outputDir')) ?? '');
      const plugin = docs.find(one => folder !== undefined && isIn(one.folder, folder));
      if (named === undefined || folder === undefined || !plugin) return [];
      const base = sitePathOf(plugin.routeBasePath, below(plugin.folder, folder) ?? '');
      return [
        {
          ...namedFile(source, site, named, marker),
          pathOf: ({ operationId, summary, method, route }) =>
            sitePathOf(base, kebab(operationId ?? summary ?? `${method} ${route}`)),
          ...PLACE,
        },
      ];
    });
}

/** `starlight-openapi`: `/<base>/operations/<operation id>`. */
export function starlightReferences(source: SiteSource, site: Site): ApiReference[] {
  const marker = markerOf(site, /^astro\.config\./);
  if (marker === undefined || !mentions(source, site, 'starlight-openapi')) return [];
  const config = new ModuleReader(path => source.read(path)).configuration(marker);
  return itemsOf(at(starlightOptions(config), 'plugins'))
    .flatMap(plugin => itemsOf(argumentOf(plugin, 'starlightOpenAPI')))
    .flatMap((api): ApiReference[] => {
      const named = asString(at(api, 'schema'));
      const base = asString(at(api, 'base'));
      if (named === undefined || base === undefined) return [];
      return [
        {
          ...namedFile(source, site, named, marker),
          pathOf: ({ operationId, route }) =>
            sitePathOf(base, 'operations', new GithubSlugger().slug(operationId ?? route)),
          ...PLACE,
        },
      ];
    });
}

function namedFile(source: SiteSource, site: Site, named: string, from: string) {
  const file = isExternal(named) ? undefined : joinPath(site.root, named);
  return { named, from, file: file !== undefined && source.has(file) ? file : undefined };
}

function markerOf(site: Site, name: RegExp): string | undefined {
  return site.configFiles.find(file => name.test(nameOf(file)));
}

/** Evaluating a configuration takes 100 ms; few of them name such a plugin. */
function mentions(source: SiteSource, site: Site, name: string): boolean {
  return site.configFiles.some(file => source.read(file)?.includes(name));
}

function isIn(folder: string, path: string): boolean {
  return folder === path || below(folder, path) !== undefined;
}

/** `listUserPets` and `List user pets` are `list-user-pets`. */
function kebab(text: string): string {
  const words = text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return words.join('-').toLowerCase();
}
