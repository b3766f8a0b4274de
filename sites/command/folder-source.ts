import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { SiteSource } from '../kinds/site-kind.ts';
import { linkedPaths } from '../linked-paths.ts';
import { siteSource } from '../kinds/source.ts';

/** Folders that hold no docs and many files. */
const SKIPPED = new Set(['node_modules', '.git', '.venv', '__pycache__']);

/** Reads a folder on disk. Symbolic links that lead out of it are left out. */
export function folderSource(folder: string): SiteSource {
  const paths: string[] = [];
  const links = new Map<string, string>();
  const visit = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) visit(path);
      else if (entry.isFile()) paths.push(path);
      else if (entry.isSymbolicLink()) links.set(path, readlinkSync(join(folder, path)));
    }
  };
  visit('');
  const linked = linkedPaths(paths, links);
  return siteSource([...paths, ...linked.keys()], path =>
    readFileSync(join(folder, linked.get(path) ?? path), 'utf8'),
  );
}
