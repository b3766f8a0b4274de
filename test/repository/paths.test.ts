import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
/** Made by `npm run setup` or `npm start`; not in the repository. */
const GENERATED = ['node_modules/', '.docent/'];

/** Every path of the repository that a text names in code, and every target of its links. */
function pathsIn(text: string, folders: string[]): string[] {
  const code = [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = '']) => path);
  const links = [...text.matchAll(/\]\(((?!https?:|#)[^)\s]+)\)/g)].map(([, path = '']) => path);
  const named = code.filter(path => folders.some(folder => path.startsWith(`${folder}/`)));
  return [...named, ...links.map(path => path.replace(/#.*$/, ''))];
}

/** The folder also as "github*.tsx": what the star stands for is any part of a name. */
function exists(path: string): boolean {
  if (!path.includes('*')) return existsSync(join(ROOT, path));
  return execFileSync('git', ['ls-files', path], { cwd: ROOT, encoding: 'utf8' }) !== '';
}

describe.each([
  ['AGENTS.md', 6],
  ['README.md', 6],
  ['SECURITY.md', 3],
])('%s', (file, least) => {
  it('names paths that exist', () => {
    const tracked = execFileSync('git', ['ls-tree', '-d', '--name-only', 'HEAD'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const folders = tracked.split('\n').filter(Boolean);
    const paths = pathsIn(readFileSync(join(ROOT, file), 'utf8'), folders);
    expect(paths.length).toBeGreaterThanOrEqual(least);
    const missing = paths.filter(path => !GENERATED.some(each => path.startsWith(each)));
    expect(missing.filter(path => !exists(path))).toEqual([]);
  });
});

it('recognizes paths in code and in links', () => {
  const text = 'See `api/gone.ts`, [this](docs/gone.md#part), `npm test` and `POST /api/x`.';
  expect(pathsIn(text, ['api', 'docs'])).toEqual(['api/gone.ts', 'docs/gone.md']);
});

it('holds no file that belongs to a registry or a build', () => {
  const tree = execFileSync('git', ['ls-tree', '-r', '--long', 'HEAD'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  const large = [...tree.matchAll(/ +(\d{6,})\t(.*)$/gm)].filter(
    ([, size]) => Number(size) > 600_000,
  );
  expect(large.map(([, , path]) => path)).toEqual([]);
});
