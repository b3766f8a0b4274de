import { readVitePressConfig } from './config.ts';
import { below, folderOf, isExternal, joinPath, nameOf, sitePathOf } from '../paths.ts';
import type { Site, SitePage, SiteSource } from '../site-kind.ts';
import { type ApiReference, fileFrom, NOWHERE } from '../../openapi/api-reference.ts';
import { type ApiOperation, writtenText } from '../../openapi/operations.ts';
import { objectOf, listOf } from '../../values.ts';
import type { PageOutline } from '../../outline/page-outline.ts';

/** A description that a module imports, or has at an address. */
interface NamedDescription {
  named: string;
  file: string | undefined;
}

/** `vitepress-openapi`: components on pages, and dynamic routes for operations and tags. */
export function apiReferences(source: SiteSource, site: Site): ApiReference[] {
  const marker = site.configFiles.find(file => /(?:^|\/)\.vitepress\//.test(file));
  if (marker === undefined) return [];
  const found = { root: site.root, marker };
  const { docsFolder } = readVitePressConfig(source, found);
  const usual = themeDescription(source, site.root);
  return [
    ...source.paths.flatMap(file => templateReference(source, docsFolder, file) ?? []),
    ...site.pages.flatMap(page => onPage(source, site, page, usual)),
  ];
}

/** `useOpenapi({ spec })` of the theme: what components show that name nothing else. */
function themeDescription(source: SiteSource, root: string): NamedDescription | undefined {
  const file = ['ts', 'js', 'mts', 'mjs']
    .map(ending => joinPath(root, `.vitepress/theme/index.${ending}`) ?? '')
    .find(one => source.has(one));
  const text = file === undefined ? '' : (source.read(file) ?? '');
  const options = /\buseOpenapi\(\s*\{([^}]*)/.exec(text)?.[1];
  if (file === undefined || options === undefined) return undefined;
  return namedIn(source, file, text, options);
}

/** `spec`, `spec: api` in the options of a call. */
function namedIn(
  source: SiteSource,
  file: string,
  text: string,
  options: string,
): NamedDescription | undefined {
  const [, name] = /\bspec\b(?:\s*:\s*(\w+))?/.exec(options) ?? [];
  return importOf(source, file, text, name ?? 'spec');
}

function importOf(
  source: SiteSource,
  file: string,
  text: string,
  name: string,
): NamedDescription | undefined {
  const imports = /\bimport\s+(?:\*\s+as\s+)?(\w+)\s+from\s*["']([^"'\n]+)["']/g;
  const named = [...text.matchAll(imports)].find(([, one]) => one === name)?.[2];
  if (named === undefined) return undefined;
  const path = named.replace(/\?.*$/, '');
  return { named: path, file: fileFrom(source, folderOf(file), path) };
}

/** `operations/[operationId].md` and `tags/[tag].md` with their paths file beside them. */
function templateReference(
  source: SiteSource,
  docsFolder: string,
  file: string,
): ApiReference | undefined {
  const [, param] = /^\[(operationId|tag)\]\.md$/.exec(nameOf(file)) ?? [];
  const folder =
    below(docsFolder, folderOf(file)) ?? (folderOf(file) === docsFolder ? '' : undefined);
  if (param === undefined || folder === undefined) return undefined;
  const paths = ['js', 'ts', 'mjs', 'mts']
    .map(ending => file.replace(/\.md$/, `.paths.${ending}`))
    .find(one => source.has(one));
  const text = paths === undefined ? '' : (source.read(paths) ?? '');
  const options = /\busePaths\(\s*\{([^}]*)/.exec(text)?.[1];
  const lists = param === 'tag' ? /\.getTags\(/ : /\.getPathsByVerbs\(/;
  if (paths === undefined || options === undefined || !lists.test(text)) return undefined;
  const description = namedIn(source, paths, text, options);
  if (!description) return undefined;
  const reference = { ...NOWHERE, ...description, from: paths, template: file };
  if (param === 'operationId')
    return { ...reference, pathOf: operation => sitePathOf(folder, idOf(operation)) };
  return {
    ...reference,
    wants: ({ tags }) => tags.length > 0,
    pathOf: ({ tags: [tag] }) => (tag === undefined ? undefined : sitePathOf(folder, tag)),
    anchorOf: idOf,
    // An operation of several tags is on the page of each.
    routesOf: ({ root, operations }) =>
      [
        ...listOf(root.tags).map(tag => writtenText(objectOf(tag).name) ?? ''),
        ...operations.flatMap(({ tags }) => tags),
      ].map(tag => sitePathOf(folder, tag)),
  };
}

/** `<OASpec />`, `<OAOperation operationId="getPet" />` */
function onPage(
  source: SiteSource,
  site: Site,
  page: SitePage,
  usual: NamedDescription | undefined,
): ApiReference[] {
  const outline = site.outline(page.file);
  return componentsOf(outline, ['OASpec', 'OAOperation']).flatMap((component): ApiReference[] => {
    const named = describedBy(source, site, page, outline.text, component) ?? usual;
    const wants = wantedBy(component);
    if (named === undefined || wants === undefined) return [];
    return [
      {
        ...NOWHERE,
        ...named,
        from: page.file,
        wants,
        pathOf: () => page.path,
        anchorOf: idOf,
      },
    ];
  });
}

/** `:spec="api"`, `spec-url="/api.json"`; undefined: what the theme names. */
function describedBy(
  source: SiteSource,
  site: Site,
  page: SitePage,
  text: string,
  { attributes }: Component,
): NamedDescription | undefined {
  const bound = attributes.get(':spec');
  if (bound !== undefined)
    return importOf(source, page.file, text, bound.trim()) ?? { named: bound, file: undefined };
  const url = attributes.get('spec-url') ?? attributes.get('specUrl');
  if (url === undefined) return undefined;
  const folder = joinPath(site.docsFolder, 'public') ?? '';
  return { named: url, file: isExternal(url) ? undefined : fileFrom(source, folder, url) };
}

/** Undefined: which operations it shows is computed. */
function wantedBy({ name, attributes }: Component): ApiReference['wants'] {
  const bound = attributes.get(':operationId') ?? attributes.get(':operation-id');
  const id =
    attributes.get('operationId') ?? attributes.get('operation-id') ?? literalsIn(bound)?.[0];
  if (name === 'OAOperation')
    return id === undefined ? undefined : operation => idOf(operation) === id;
  const tags = attributes.get(':tags');
  if (tags === undefined) return () => true;
  const wanted = literalsIn(tags);
  return wanted && (operation => operation.tags.some(tag => wanted.includes(tag)));
}

/** The texts of `'a'` and `['a', 'b']`. */
function literalsIn(expression: string | undefined): string[] | undefined {
  const list = /^\s*\[?((?:\s*'[^'\\]*'\s*,?)+)\]?\s*$/.exec(expression ?? '')?.[1];
  return list === undefined
    ? undefined
    : Array.from(list.matchAll(/'([^']*)'/g), one => one[1] ?? '');
}

/** The id of an operation, which is that of its element too. */
function idOf({ operationId, method, route }: ApiOperation): string {
  return operationId ?? `${method.toLowerCase()}${route.replaceAll('/', '-')}`;
}

/** A component on a page, with its attributes as written: `:tags` is bound to an expression. */
interface Component {
  name: string;
  attributes: ReadonlyMap<string, string>;
}

/** Components of these names, without those in code. */
function componentsOf(outline: PageOutline, names: readonly string[]): Component[] {
  const used = outline.components.filter(({ name }) => names.includes(name));
  if (used.length === 0) return [];
  const lines = outline.text.split('\n');
  return used.map(({ name, line }) => {
    const text = lines.slice(line - 1, line - 1 + MOST_LINES).join('\n');
    const written = new RegExp(`<${name}\\b((?:"[^"]*"|'[^']*'|[^"'>])*)`).exec(text)?.[1] ?? '';
    const attributes = new Map<string, string>();
    for (const match of written.matchAll(/([:@\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
      attributes.set(match[1] ?? '', match[2] ?? match[3] ?? '');
    return { name, attributes };
  });
}

/** Of one tag. */
const MOST_LINES = 30;
