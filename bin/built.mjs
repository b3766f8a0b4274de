// What "npm run build" has made: all that an installed package has, and in a checkout what runs as
// long as the sources are still those that it was made from.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
export const BUILD_FOLDER = join(ROOT, 'dist');
const SOURCES = [
  'activities',
  'agent',
  'api',
  'automations',
  'bin',
  'cli',
  'clients/typescript',
  'db',
  'hosts',
  'jobs',
  'offline-model',
  'search',
  'shared',
  'sites',
  'worker',
  'workflows',
];

let current;

/** The path of a built file, or undefined if it is to run from its sources. */
export function builtFile(name) {
  current ??= isCurrent();
  return current ? join(BUILD_FOLDER, name) : undefined;
}

function isCurrent() {
  if (!existsSync(join(ROOT, 'cli'))) return true; // installed, without sources
  const file = join(BUILD_FOLDER, 'sources.txt');
  return existsSync(file) && readFileSync(file, 'utf8') === hashOfSources();
}

/** A hash of every source, and of the versions of all packages; takes some 30 ms. */
export function hashOfSources() {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const folder of SOURCES) {
    const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter(each => /\.m?ts$|\.mjs$/.test(each)).sort())
      if (!/node_modules|^dist\b/.test(name))
        hash.update(`\0${folder}/${name}\0`).update(readFileSync(join(ROOT, folder, name)));
  }
  return hash.digest('hex');
}
