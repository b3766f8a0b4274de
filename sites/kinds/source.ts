import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptOutline } from '../outline/kept-outlines.ts';
import { type PageOutline, syntaxOf } from '../outline/page-outline.ts';
import type { SiteSource } from './site-kind.ts';

/** Folders that hold no docs and many files. */
const SKIPPED = new Set(['node_modules', '.git', '.venv', '__pycache__']);

/** Makes a source from paths and a reader of their texts; each file is read and outlined once. */
export function siteSource(
  paths: readonly string[],
  readText: (path: string) => string | undefined,
): SiteSource {
  const sorted = paths.toSorted();
  const files = new Set(sorted);
  const folders = foldersOf(sorted);
  const texts = new Map<string, string | undefined>();
  const outlines = new Map<string, PageOutline>();
  const read = (path: string): string | undefined => {
    if (!files.has(path)) return undefined;
    if (!texts.has(path)) texts.set(path, readText(path));
    return texts.get(path);
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

/** Reads a folder on disk. Links that lead out of it are left out. */
export function folderSource(folder: string): SiteSource {
  const paths: string[] = [];
  const visit = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) visit(path);
      else if (entry.isFile()) paths.push(path);
    }
  };
  visit('');
  return siteSource(paths, path => readFileSync(join(folder, path), 'utf8'));
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
