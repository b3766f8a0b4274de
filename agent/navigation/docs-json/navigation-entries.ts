import type { JSONPath } from 'jsonc-parser';
import { joinPath, folderOf } from '../../../sites/kinds/paths.ts';
import type { SiteSource } from '../../../sites/kinds/site-kind.ts';
import { isObject } from '../../../sites/values.ts';

/** A page or a level of the navigation, with where it is written. */
export interface JsonEntry {
  file: string;
  pointer: JSONPath;
  crumbs: string[];
  /** As written; undefined for a level. */
  page?: string;
  /** Of a level: its title, the member that holds it, and the list of what is below it. */
  title?: string;
  titleMember?: string;
  list?: JSONPath;
}

const LEVELS = [
  'languages',
  'versions',
  'products',
  'dropdowns',
  'tabs',
  'anchors',
  'menu',
  'groups',
  'pages',
];
const TITLES = ['group', 'tab', 'anchor', 'dropdown', 'product', 'item', 'version', 'language'];
const MAX_ENTRIES = 50_000;

/** Every page and level of the navigation, in the order in which they are written. */
export function navigationEntries(source: Pick<SiteSource, 'read'>, file: string): JsonEntry[] {
  const entries: JsonEntry[] = [];
  const visit = (node: unknown, at: Place, crumbs: string[], refs: string[]): void => {
    if (entries.length > MAX_ENTRIES) return;
    if (Array.isArray(node)) {
      for (const [index, item] of node.entries()) visit(item, below(at, index), crumbs, refs);
    } else if (typeof node === 'string') {
      if (!/^[A-Za-z]+ \/|^[a-z][a-z\d+.-]*:|^$/i.test(node))
        entries.push({ ...at, crumbs, page: node });
    } else if (isObject(node)) visitObject(node, at, crumbs, refs);
  };
  const visitObject = (
    node: Record<string, unknown>,
    at: Place,
    crumbs: string[],
    refs: string[],
  ): void => {
    if (typeof node.$ref === 'string') {
      const target = joinPath(node.$ref.startsWith('/') ? '' : folderOf(at.file), node.$ref);
      const path = target?.replace(/#.*$/, '');
      if (path !== undefined && !refs.includes(path))
        visit(parsed(source, path), { file: path, pointer: [] }, crumbs, [...refs, path]);
    }
    const level = levelOf(node, at, crumbs);
    if (level) entries.push(level);
    const inner = level?.title === undefined ? crumbs : [...crumbs, level.title];
    if (typeof node.root === 'string') visit(node.root, below(at, 'root'), inner, refs);
    for (const name of ['global', ...LEVELS])
      if (node[name] !== undefined) visit(node[name], below(at, name), inner, refs);
  };
  const root = parsed(source, file);
  if (isObject(root) && root.navigation !== undefined)
    visit(root.navigation, { file, pointer: ['navigation'] }, [], [file]);
  return entries;
}

interface Place {
  file: string;
  pointer: JSONPath;
}

function levelOf(
  node: Record<string, unknown>,
  at: Place,
  crumbs: string[],
): JsonEntry | undefined {
  const titleMember = TITLES.find(name => typeof node[name] === 'string');
  const name = ['pages', ...LEVELS].find(one => Array.isArray(node[one]));
  const list = name === undefined ? undefined : [...at.pointer, name];
  if (titleMember === undefined && (list === undefined || at.pointer.length > 1)) return undefined;
  return {
    ...at,
    crumbs,
    ...(titleMember !== undefined && { title: String(node[titleMember]), titleMember }),
    ...(list && { list }),
  };
}

function below({ file, pointer }: Place, key: string | number): Place {
  return { file, pointer: [...pointer, key] };
}

function parsed(source: Pick<SiteSource, 'read'>, file: string): unknown {
  try {
    return JSON.parse((source.read(file) ?? '').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
