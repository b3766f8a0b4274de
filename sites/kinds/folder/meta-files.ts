import { findNodeAtLocation, type Node, parse, parseTree } from 'jsonc-parser';
import { objectOf, textOf } from '../../values.ts';
import { isLanguageTag } from '../language-tag.ts';
import { below, folderOf, joinPath, nameOf } from '../paths.ts';
import type { Site, SiteSource } from '../site-kind.ts';
import type { Generator } from './generators.ts';

/** A list in the file of a folder: `pages` of Fumadocs' `meta.json`, members of Nextra's `_meta.json`. */
export interface MetaList {
  list: Node;
  /** The strings that name pages and folders, each with its value in Nextra. */
  entries: { name: string; item: Node; key: Node; value?: Node }[];
}

const NAMES: Record<string, string> = { Fumadocs: 'meta.json', Nextra: '_meta.json' };

/** The files of a folder and of those below it that list pages. */
export function metaFiles(source: SiteSource, root: string, { name }: Generator): string[] {
  const wanted = NAMES[name];
  return source.paths.filter(
    path => nameOf(path) === wanted && below(root, path) !== undefined && metaList(source, path),
  );
}

/** Those of a site that was read. */
export function metaFilesOf({ configFiles, generator }: Site): string[] {
  return configFiles.filter(file => nameOf(file) === NAMES[generator ?? '']);
}

/** The list of a file; undefined if it has none, as one that is code. */
export function metaList(source: SiteSource, file: string): MetaList | undefined {
  return parseMeta(source.read(file) ?? '', file);
}

export function parseMeta(text: string, file: string): MetaList | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const isNextra = nameOf(file) === NAMES.Nextra;
  const list = isNextra ? root : root && findNodeAtLocation(root, ['pages']);
  if (!list || list.type !== (isNextra ? 'object' : 'array')) return undefined;
  const entries = (list.children ?? []).flatMap(item => {
    const [key = item, value] = isNextra ? (item.children ?? []) : [item];
    return key.type === 'string'
      ? [{ name: String(key.value), item, key, ...(value && { value }) }]
      : [];
  });
  return { list, entries };
}

/** The members of a folder's file. */
export function metaText(
  source: SiteSource,
  folder: string,
  generator: string,
): Record<string, unknown> {
  return objectOf(parse(source.read(metaFile(folder, generator)) ?? ''));
}

/** The title of a folder in the navigation, by the members of its file and of the one above. */
export function folderTitle(
  textOfFolder: (folder: string) => Record<string, unknown>,
  folder: string,
  generator: string,
): string {
  const above = generator === 'Nextra' ? textOfFolder(folderOf(folder))[nameOf(folder)] : undefined;
  const named =
    generator === 'Nextra'
      ? (textOf(above) ?? textOf(objectOf(above).title))
      : textOfFolder(folder).title;
  return textOf(named) ?? nameOf(folder).replace(/^\((.*)\)$/, '$1');
}

/** The file that may list the pages of a folder. */
export function metaFile(folder: string, generator: string): string {
  return joinPath(folder, NAMES[generator] ?? '') ?? '';
}

/** Whether a folder is in one of some others. */
export function isInside(folder: string, others: ReadonlySet<string>): boolean {
  for (let at = folder; at !== '';) {
    at = folderOf(at);
    if (others.has(at)) return true;
  }
  return false;
}

/** The label and the address of an entry of Fumadocs that is a link: `[Text](https://…)`. */
export function linkOf(name: string): { label: string; address: string } | undefined {
  const [, label, address] =
    /^(?:external:)?(?:\[[^\]]*\])?\[([^\]]*)\]\(([^)]*)\)$/.exec(name) ?? [];
  return label === undefined || address === undefined ? undefined : { label, address };
}

/** The name of a page in its folder's list: without its ending, and that of a translation. */
export function metaName(source: SiteSource, file: string): string {
  const path = file.replace(/\.mdx?$/, '');
  const [, page, tag = ''] = /^(.+)\.([a-z]{2}(?:-\w+)?)$/.exec(path) ?? [];
  if (page === undefined) return nameOf(path);
  const isTranslation =
    source.has(joinPath(folderOf(file), `meta.${tag}.json`) ?? '') ||
    (isLanguageTag(tag) && (source.has(`${page}.mdx`) || source.has(`${page}.md`)));
  return nameOf(isTranslation ? page : path);
}
