import { isExternal, folderOf, joinPath, sitePathOf } from '../paths.ts';
import type { Site, SiteSource } from '../site-kind.ts';
import type { ApiReference } from '../../openapi/api-reference.ts';
import { type ApiOperation, writtenText } from '../../openapi/operations.ts';
import { LEVELS, LEVEL_TITLES } from '../../read-navigation.ts';
import { isObject, jsonOf, objectOf } from '../../values.ts';

const DEFAULT_FOLDER = 'api-reference';
/** Nested deeper, a navigation is a mistake. */
const DEEPEST = 40;

/** What a level of the navigation hands down. */
interface Level {
  named: string[];
  folder: string;
  crumbs: string[];
  language: string | null;
  version: string | null;
}

/**
 * `openapi` of docs.json and of its levels: all operations become pages where a level lists no
 * pages, else those that the list names, such as `GET /users`. A page whose front matter names one
 * is the page of that operation.
 */
export function apiReferences(source: SiteSource, site: Site): ApiReference[] {
  const from = site.configFiles[0];
  const root = from === undefined ? undefined : jsonOf(source.read(from));
  if (from === undefined || !isObject(root)) return [];
  const found: ApiReference[] = [];
  const top = handedDown(
    { openapi: objectOf(root.api).openapi ?? root.openapi },
    { named: [], folder: DEFAULT_FOLDER, crumbs: [], language: null, version: null },
  );
  const visit = (node: unknown, level: Level, depth: number): void => {
    if (depth > DEEPEST) return;
    if (Array.isArray(node)) for (const item of node) visit(item, level, depth + 1);
    else if (typeof node === 'string') found.push(...entryReference(node, level));
    else if (isObject(node)) {
      const own = handedDown(node, level);
      const listed = LEVELS.filter(name => node[name] !== undefined);
      if (node.openapi !== undefined && listed.length === 0)
        for (const named of own.named) found.push(reference(named, own));
      for (const name of listed) visit(node[name], own, depth + 1);
    }
  };
  const entryReference = (entry: string, level: Level): ApiReference[] => {
    const [, file, method, route] = /^(?:(\S+)\s+)?([A-Za-z]+)\s+(\/\S*)$/.exec(entry) ?? [];
    const named = file ?? level.named[0];
    if (named === undefined || method === undefined || route === undefined) return [];
    return [{ ...reference(named, level), only: { method: method.toUpperCase(), route } }];
  };
  const reference = (named: string, level: Level): ApiReference => ({
    file: isExternal(named) ? undefined : fileOf(source, named, from, site),
    named,
    from,
    wants: operation => !operation.isHidden,
    pathOf: operation => operationPath(operation, level.folder),
    crumbs: level.crumbs,
    language: level.language,
    version: level.version,
  });
  visit(root.navigation, top, 0);
  const usual = top.named[0] ?? found[0]?.named ?? usualFile(source, site);
  for (const page of site.pages) {
    const { openapi } = source.outline(page.file).frontMatter;
    if (typeof openapi !== 'string') continue;
    const named = usual === undefined ? top : { ...top, named: [usual] };
    for (const one of entryReference(openapi, named))
      found.push({ ...one, from: page.file, pathOf: () => page.path });
  }
  return found;
}

/** Where a page names an operation and nothing names a description, this one is meant. */
function usualFile(source: SiteSource, site: Site): string | undefined {
  return ['openapi.json', 'openapi.yaml', 'openapi.yml'].find(name =>
    source.has(joinPath(site.docsFolder, name) ?? name),
  );
}

function handedDown(node: Record<string, unknown>, above: Level): Level {
  const { openapi } = node;
  const title = LEVEL_TITLES.map(name => writtenText(node[name])).find(one => one !== undefined);
  const sources = isObject(openapi) ? openapi.source : openapi;
  const named = (Array.isArray(sources) ? sources : [sources]).flatMap(
    one => writtenText(one) ?? [],
  );
  const folder = isObject(openapi) ? writtenText(openapi.directory) : undefined;
  return {
    named: named.length > 0 ? named : above.named,
    folder: folder ?? above.folder,
    crumbs: title === undefined ? above.crumbs : [...above.crumbs, title],
    language: writtenText(node.language) ?? above.language,
    version: writtenText(node.version) ?? above.version,
  };
}

/** Named from the docs folder, with or without a slash, or from the file itself. */
function fileOf(source: SiteSource, named: string, from: string, site: Site): string | undefined {
  const places = [joinPath(site.docsFolder, named), joinPath(folderOf(from), named)];
  return places.find(path => path !== undefined && source.has(path));
}

/** `<folder>/<tag>/<summary>`, unless the description names the page. */
function operationPath(operation: ApiOperation, folder: string): string {
  const { href, tags, summary, method, route } = operation;
  if (href !== undefined) return sitePathOf(href);
  const name = segment(summary) ?? `${method.toLowerCase()}-${segment(route) ?? ''}`;
  return sitePathOf(folder, segment(tags[0]) ?? '', name);
}

/** As the platform makes a file name. */
function segment(text: string | undefined): string | undefined {
  const made = text
    ?.replaceAll(' ', '-')
    .replace(/\{[^{}]*\}/g, '-')
    .replace(/^-/, '')
    .replace(/-$/, '')
    .replace(/[{}(),.'\n/]/g, '')
    .replaceAll('--', '-')
    .toLowerCase();
  return made === '' ? undefined : made;
}
