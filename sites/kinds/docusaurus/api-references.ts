import { ModuleReader } from '../../code/read-module.ts';
import { asBoolean, asString, at, itemsOf, membersOf } from '../../code/static-value.ts';
import type { StaticValue } from '../../code/static-value.ts';
import { pluginUses, readDocusaurusConfig } from './config.ts';
import { below, folderOf, joinPath, nameOf, sitePathOf } from '../paths.ts';
import type { Site, SiteSource } from '../site-kind.ts';
import { type ApiReference, fileFrom, configNames, NOWHERE } from '../../openapi/api-reference.ts';
import { type ApiOperation, writtenText } from '../../openapi/operations.ts';
import { objectOf, listOf } from '../../values.ts';

/** `docusaurus-plugin-openapi-docs` and Redocusaurus. */
export function apiReferences(source: SiteSource, site: Site): ApiReference[] {
  const marker = site.configFiles.find(file => /^docusaurus\.config\./.test(nameOf(file)));
  if (marker === undefined || !configNames(source, site, /openapi-docs|redoc/)) return [];
  const config = new ModuleReader(path => source.read(path)).configuration(marker);
  return pluginUses(config).flatMap(([name, options]) => {
    if (/(?:^|\/)docusaurus-plugin-openapi-docs$/.test(name))
      return openApiDocs(source, site, marker, options);
    if (/(?:^|\/)docusaurus-plugin-redoc$/.test(name))
      return redocPage(source, site, marker, options);
    return name === 'redocusaurus' ? redocusaurus(source, site, marker, options) : [];
  });
}

/** A page for each operation in the `outputDir` of its description. */
function openApiDocs(
  source: SiteSource,
  site: Site,
  marker: string,
  options: StaticValue | undefined,
): ApiReference[] {
  const { docs } = readDocusaurusConfig(source, { root: site.root, marker });
  const apis = membersOf(at(options, 'config')).flatMap(([, api]) => [
    api,
    ...membersOf(at(api, 'versions')).map(([, version]) => version),
  ]);
  return apis.flatMap((api): ApiReference[] => {
    const named = asString(at(api, 'specPath'));
    const folder = joinPath(site.root, asString(at(api, 'outputDir')) ?? '');
    const plugin = docs.find(one => folder !== undefined && isIn(one.folder, folder));
    if (named === undefined || folder === undefined || !plugin) return [];
    const base = sitePathOf(plugin.routeBasePath, below(plugin.folder, folder) ?? '');
    const showsSchemas = [at(api, 'showSchemas'), at(api, 'schemasOnly')].some(asBoolean);
    const common = {
      named,
      from: marker,
      wants: () => asBoolean(at(api, 'schemasOnly')) !== true,
      pathOf: ({ operationId, summary }: ApiOperation) => {
        const id = kebab(operationId ?? summary ?? '');
        return id === '' ? undefined : sitePathOf(base, id);
      },
      routesOf: ({ title, root }: { title: string | undefined; root: Record<string, unknown> }) => [
        sitePathOf(base, kebab((title ?? '').replace(' ', '-'))),
        ...listOf(root.tags).map(tag => sitePathOf(base, kebab(String(objectOf(tag).name)))),
        ...(showsSchemas ? [`${sitePathOf(base, 'schemas')}/*`] : []),
      ],
      ...NOWHERE,
    };
    return descriptionsAt(source, site.root, named).map(file => ({ file, ...common }));
  });
}

/** A file, or all those of a folder. */
function descriptionsAt(source: SiteSource, root: string, named: string): (string | undefined)[] {
  const folder = joinPath(root, named);
  if (folder === undefined || !source.hasFolder(folder)) return [fileFrom(source, root, named)];
  return source.paths.filter(
    path => folderOf(path) === folder && /^(?!_category_).*\.(?:json|ya?ml)$/.test(nameOf(path)),
  );
}

/** The preset: descriptions that it lists, else those of its folder. */
function redocusaurus(
  source: SiteSource,
  site: Site,
  marker: string,
  options: StaticValue | undefined,
): ApiReference[] {
  const specs = at(options, 'specs');
  const listed = specs?.kind === 'object' ? [specs] : itemsOf(specs);
  const openapi = at(options, 'openapi');
  const found = listed.flatMap(spec => redocPage(source, site, marker, spec));
  if (listed.length > 0 && !openapi) return found;
  const folder = joinPath(site.root, asString(at(openapi, 'path')) ?? 'openapi') ?? '';
  const base = asString(at(openapi, 'routeBasePath')) ?? '/api';
  const files = source.paths.filter(
    path =>
      below(folder, path) !== undefined && /(?:^|\.)openapi\.(?:ya?ml|json)$/.test(nameOf(path)),
  );
  return [
    ...found,
    ...files.map(file => {
      const route = (below(folder, file) ?? '').replace(
        /(?:\/index)?\.openapi\.(?:ya?ml|json)$/,
        '',
      );
      return redocReference({ file, named: file, from: marker }, sitePathOf(base, route));
    }),
  ];
}

/** One description on one page. Without a `route` it is shown by a component of some page. */
function redocPage(
  source: SiteSource,
  site: Site,
  marker: string,
  options: StaticValue | undefined,
): ApiReference[] {
  const named = asString(at(options, 'spec'));
  const route = asString(at(options, 'route'));
  if (named === undefined || route === undefined) return [];
  const file = fileFrom(source, site.root, named);
  return [redocReference({ file, named, from: marker }, sitePathOf(route))];
}

function redocReference(
  place: Pick<ApiReference, 'file' | 'named' | 'from'>,
  path: string,
): ApiReference {
  return { ...place, pathOf: () => path, anchorOf: redocAnchor, ...NOWHERE };
}

/** `tag/Pets/operation/listPets`; the JSON pointer where an operation has no id. */
function redocAnchor({ operationId, tags, method, route }: ApiOperation): string | null {
  const [tag] = tags;
  // Other letters are spelled in Latin ones by a table of Redoc's.
  if (tag !== undefined && !/^[\w\s.:@+~()'"!*$-]+$/.test(tag)) return null;
  const above = tag === undefined ? '' : `tag/${tag.trim().replace(/\s+/g, '-')}`;
  const id = writtenText(operationId);
  if (id !== undefined) return `${above === '' ? '' : `${above}/`}operation/${id}`;
  const pointer = route.replaceAll('~', '~0').replaceAll('/', '~1');
  return `${above}/paths/${pointer}/${method.toLowerCase()}`;
}

function isIn(folder: string, path: string): boolean {
  return folder === path || below(folder, path) !== undefined;
}

/** As lodash does: `listUserPets` and `List user’s pets` are `list-user-pets`, `list-users-pets`. */
function kebab(text: string): string {
  const plain = text.normalize('NFKD').replace(/[\u0300-\u036F'’]/g, '');
  const words = plain.match(/\d*(?:1st|2nd|3rd|\dth)\b|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return words.join('-').toLowerCase();
}
