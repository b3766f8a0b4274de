import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIgnore, pathSpec } from '../../sites/gitignore.ts';

const PATHS = [
  'a.md',
  'a.txt',
  'b/a.md',
  'b/c/a.md',
  'b/c/d.md',
  'drafts/x.md',
  'b/drafts/x.md',
  'b/drafts',
  '.hidden/a.md',
  '[x].md',
  'x y.md',
  '#a.md',
  '!a.md',
  'ab.md',
  'a^.md',
  'B/A.md',
  'b/c-d.md',
];

const LINES: string[][] = [
  ['*.md'],
  ['/a.md'],
  ['b/a.md'],
  ['drafts'],
  ['drafts/'],
  ['/drafts/'],
  ['**/c/*.md'],
  ['b/**'],
  ['b/**/a.md'],
  ['**/drafts'],
  ['b/*'],
  ['?.md'],
  ['[ab].md'],
  ['[!a]?.md', '[^b].txt'],
  ['a[^b].md'],
  ['\\[x\\].md'],
  ['\\#a.md', '\\!a.md', '# a.md'],
  ['x\\ y.md ', 'ab.md   '],
  ['*.md', '!a.md'],
  ['b/', '!b/a.md'],
  ['b/*', '!b/a.md'],
  ['*', '!*.txt'],
  ['.*'],
  ['[a-c]*.md'],
  ['b/c-?.md'],
];

describe('Patterns of .gitignore', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'docent-ignore-'));
    execFileSync('git', ['init', '--quiet', folder]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(LINES.map(lines => [lines.join(' and '), lines]))('%s: as git reads them', (_, lines) => {
    const text = lines.join('\n');
    writeFileSync(join(folder, '.gitignore'), text);
    const ignores = gitIgnore(text);
    expect(PATHS.filter(ignores)).toEqual(ignoredByGit(folder, PATHS));
  });

  it('let pathspec keep a file of a folder that is left out', () => {
    const leavesOut = pathSpec(['drafts/', '!drafts/keep.md', '*.txt', '!/b/']);
    const paths = ['drafts/x.md', 'drafts/keep.md', 'a.txt', 'b/a.txt', 'drafts'];
    expect(paths.filter(leavesOut)).toEqual(['drafts/x.md', 'a.txt', 'b/a.txt']);
  });

  it('take linear time, whatever is written', () => {
    const path = `${'a/'.repeat(200)}${'a'.repeat(2000)}c`;
    const started = performance.now();
    for (const line of [
      '**/a'.repeat(60),
      '*a'.repeat(300),
      `${'a*'.repeat(300)}b`,
      '[a-a]*'.repeat(99),
    ]) {
      gitIgnore(line)(path);
      pathSpec(line)(path);
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

/** Those of the paths that git would ignore. */
function ignoredByGit(folder: string, paths: readonly string[]): string[] {
  try {
    const options = { cwd: folder, encoding: 'utf8' as const };
    const found = execFileSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
      ...options,
      input: paths.join('\0'),
    });
    const ignored = new Set(found.split('\0'));
    return paths.filter(path => ignored.has(path));
  } catch {
    // It ends with 1 if none is ignored.
    return [];
  }
}
