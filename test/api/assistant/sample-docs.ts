import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** Docent's own docs, as files of a repository: what the sample project is made of. */
export function sampleDocs(): Record<string, string> {
  const files = readdirSync(join(ROOT, 'docs'), { recursive: true, withFileTypes: true }).filter(
    entry => entry.isFile() && /\.(mdx?|json|mintignore)$/.test(entry.name),
  );
  return Object.fromEntries(
    files.map(entry => {
      const path = join(entry.parentPath, entry.name);
      return [relative(ROOT, path), readFileSync(path, 'utf8')];
    }),
  );
}
