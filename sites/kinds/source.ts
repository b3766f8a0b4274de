import { keptOutline } from '../outline/kept-outlines.ts';
import { type PageOutline, syntaxOf } from '../outline/page-outline.ts';
import type { SiteSource } from './site-kind.ts';

/** Makes a source from paths and a reader of their texts; each file is read and outlined once. */
export function siteSource(
  paths: readonly string[],
  readText: (path: string) => string | undefined,
): SiteSource {
  const sorted = paths.toSorted();
  const files = new Set(sorted);
  const folders = foldersOf(sorted);
  const texts = new Map<string, string>();
  const outlines = new Map<string, PageOutline>();
  const read = (path: string): string | undefined => {
    if (!files.has(path)) return undefined;
    const known = texts.get(path);
    if (known !== undefined) return known;
    const text = readText(path);
    // The text of a file that pages show may come later.
    if (text) texts.set(path, text);
    return text;
  };
  return {
    paths: sorted,
    has: path => files.has(path),
    hasFolder: path => folders.has(path),
    read,
    outline: (path, syntax = syntaxOf(path)) => {
      const key = `${syntax}:${path}`;
      const outline = outlines.get(key) ?? keptOutline(path, read(path) ?? '', syntax);
      outlines.set(key, outline);
      return outline;
    },
  };
}

function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set(['']);
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (folders.has(path.slice(0, at))) break;
      folders.add(path.slice(0, at));
    }
  }
  return folders;
}
