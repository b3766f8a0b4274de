import { isScalar } from 'yaml';
import { parseBoundedYaml } from '../../../sites/bounded-yaml.ts';
import { ModuleReader } from '../../../sites/code/read-module.ts';
import { asString, at } from '../../../sites/code/static-value.ts';
import { below, nameOf } from '../../../sites/kinds/paths.ts';
import type { SiteSource } from '../../../sites/kinds/site-kind.ts';
import type { Doc } from '../../../sites/kinds/docusaurus/docs.ts';

/** The `_category_` files of a version, which name and order its folders. */
export function categoryFiles(source: SiteSource, folder: string): string[] {
  return source.paths.filter(
    path => /^_category_\.(?:json|ya?ml)$/.test(nameOf(path)) && below(folder, path) !== undefined,
  );
}

/** A category may be linked with a page by its id, which changes when the page moves. */
export function movedCategoryLinks(
  source: SiteSource,
  files: readonly string[],
  from: Doc | undefined,
  to: Doc | undefined,
): { file: string; start: number; end: number; text: string }[] {
  if (!from || !to) return [];
  return files.flatMap(file => {
    const place = linkedId(source.read(file) ?? '', file);
    if (!place || place.id !== from.docId) return [];
    const text = file.endsWith('.json') ? JSON.stringify(to.docId) : to.docId;
    return [{ file, start: place.start, end: place.end, text }];
  });
}

function linkedId(
  text: string,
  file: string,
): { id: string; start: number; end: number } | undefined {
  if (file.endsWith('.json')) {
    const value = at(new ModuleReader(() => text).defaultExport(file), 'link', 'id');
    const id = asString(value);
    return value && id !== undefined ? { id, start: value.start, end: value.end } : undefined;
  }
  const document = parseBoundedYaml(text);
  const node = document.errors.length > 0 ? undefined : document.getIn(['link', 'id'], true);
  if (!isScalar(node) || !node.range) return undefined;
  return { id: String(node.value), start: node.range[0], end: node.range[1] };
}
