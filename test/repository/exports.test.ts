import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const PRODUCT = [
  'activities',
  'api',
  'cli',
  'dashboard/src',
  'hosts',
  'offline-model',
  'shared',
  'worker',
  'workflows',
];
/**
 * Files that never import each other's functions, so that their names may be the same: the offline
 * model is a package of its own, and each kind of site answers the same questions in its own way.
 */
const APART = [/^(offline-model)\//, /^(shared\/site\/kinds\/[^/]+)\//];

const EXPORTED = /^export (?:async )?(?:function\*? (\w+)|const (\w+)[^=\n]*= (?:async )?\()/gm;

/** Names of the functions that a source exports; an overloaded one counts once. */
function exportedFunctions(source: string): Set<string> {
  return new Set(
    [...source.matchAll(EXPORTED)].map(([, name, constant]) => name ?? constant ?? ''),
  );
}

/** The functions that several files which know each other export under one name: "name: files". */
function sameNames(sources: [path: string, source: string][]): string[] {
  const files = new Map<string, string[]>();
  for (const [path, source] of sources) {
    const group = APART.map(pattern => pattern.exec(path)?.[1]).find(Boolean) ?? '';
    for (const name of exportedFunctions(source)) {
      const key = `${group} ${name}`.trim();
      files.set(key, [...(files.get(key) ?? []), path]);
    }
  }
  return [...files]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`);
}

describe('exported functions', () => {
  it('have a name of their own', () => {
    const paths = execFileSync('git', ['ls-files', ...PRODUCT], { cwd: ROOT, encoding: 'utf8' })
      .split('\n')
      .filter(path => /\.tsx?$/.test(path));
    expect(paths.length).toBeGreaterThan(400);
    const sources = paths.map((path): [string, string] => [
      path,
      readFileSync(join(ROOT, path), 'utf8'),
    ]);
    expect(sameNames(sources)).toEqual([]);
  });

  it.each([
    ['export function read() {}', 'export async function read() {}'],
    ['export function* read() {}', 'export const read = async (id: string) => id;'],
  ])('are noticed: %s and %s', (one, other) => {
    expect(
      sameNames([
        ['api/a.ts', one],
        ['hosts/b.ts', other],
      ]),
    ).toEqual(['read: api/a.ts, hosts/b.ts']);
    expect(
      sameNames([
        ['api/a.ts', one],
        ['offline-model/b.ts', other],
      ]),
    ).toEqual([]);
  });
});
