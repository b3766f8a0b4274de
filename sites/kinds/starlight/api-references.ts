import GithubSlugger from 'github-slugger';
import { ModuleReader } from '../../code/read-module.ts';
import { argumentOf, asString, at, itemsOf } from '../../code/static-value.ts';
import { nameOf, sitePathOf } from '../paths.ts';
import { starlightOptions } from './config.ts';
import type { Site, SiteSource } from '../site-kind.ts';
import { type ApiReference, fileFrom, configNames, NOWHERE } from '../../openapi/api-reference.ts';
import type { ApiDescription, ApiOperation } from '../../openapi/operations.ts';
import { objectOf, listOf } from '../../values.ts';

/** `starlight-openapi`: `/<base>/operations/<operation id>`. */
export function apiReferences(source: SiteSource, site: Site): ApiReference[] {
  const marker = site.configFiles.find(file => /^astro\.config\./.test(nameOf(file)));
  if (marker === undefined || !configNames(source, site, /starlightOpenAPI/)) return [];
  const config = new ModuleReader(path => source.read(path)).configuration(marker);
  return itemsOf(at(starlightOptions(config), 'plugins'))
    .flatMap(plugin => itemsOf(argumentOf(plugin, 'starlightOpenAPI')))
    .flatMap((api): ApiReference[] => {
      const named = asString(at(api, 'schema'));
      const written = asString(at(api, 'base'));
      if (named === undefined || written === undefined) return [];
      const base = sitePathOf(...written.split('/').map(slug));
      return [
        {
          file: fileFrom(source, site.root, named),
          named,
          from: marker,
          below: base,
          pathOf: (operation, description) => operationPath(base, operation, description),
          routesOf: description => furtherRoutes(base, description),
          ...NOWHERE,
        },
      ];
    });
}

/** Methods of one path that have no ids of their own, or the same one, differ by name. */
function operationPath(
  base: string,
  { operationId, route, method }: ApiOperation,
  { operations }: ApiDescription,
): string {
  const id = operationId ?? route;
  const same = operations.filter(one => one.route === route && (one.operationId ?? route) === id);
  const name = same.length > 1 ? `${slug(id)}/${method.toLowerCase()}` : slug(id);
  return sitePathOf(base, 'operations', name);
}

/** The overview, a page for each tag that says more than its name, and webhooks. */
function furtherRoutes(base: string, { root }: ApiDescription): string[] {
  const tags = listOf(root.tags).map(objectOf);
  return [
    base,
    ...tags
      .filter(tag => tag.description !== undefined || tag.externalDocs !== undefined)
      .map(tag => sitePathOf(base, 'operations/tags', slug(String(tag.name)))),
    ...(root.webhooks === undefined ? [] : [`${sitePathOf(base, 'webhooks')}/*`]),
  ];
}

function slug(text: string): string {
  return new GithubSlugger().slug(text);
}
