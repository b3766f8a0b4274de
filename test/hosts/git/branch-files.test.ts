import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBranches } from '../../../hosts/local/refs.ts';

let folder: string;
let first: string;
let second: string;

function git(...args: string[]): string {
  return execFileSync('git', ['--git-dir', folder, ...args], { encoding: 'utf8' }).trim();
}

function commit(message: string, ...parents: string[]): string {
  const tree = execFileSync('git', ['--git-dir', folder, 'mktree'], {
    input: '',
    encoding: 'utf8',
  }).trim();
  const author = ['-c', 'user.name=T', '-c', 'user.email=t@example.com'];
  return git(...author, 'commit-tree', tree, '-m', message, ...parents.flatMap(id => ['-p', id]));
}

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'docent-refs-')), 'a.git');
  execFileSync('git', ['init', '--quiet', '--bare', folder]);
  first = commit('first');
  second = commit('second', first);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const read = async (...names: string[]) => Object.fromEntries(await readBranches(folder, names));

it('finds branches in files, packed, and in both', async () => {
  git('update-ref', 'refs/heads/main', first);
  git('update-ref', 'refs/heads/docent/add-a-page-1', first);
  git('update-ref', 'refs/tags/v1', second);
  git('pack-refs', '--all');
  git('update-ref', 'refs/heads/main', second);
  git('update-ref', 'refs/heads/docent/other', second);
  expect(
    await read('main', 'docent/add-a-page-1', 'docent/other', 'docent', 'add-a-page-1', 'v1'),
  ).toEqual({ main: second, 'docent/add-a-page-1': first, 'docent/other': second });
  git('update-ref', '-d', 'refs/heads/docent/add-a-page-1');
  expect(await read('docent/add-a-page-1')).toEqual({});
});

it('follows a branch that is another name of one', async () => {
  git('update-ref', 'refs/heads/main', first);
  git('symbolic-ref', 'refs/heads/latest', 'refs/heads/main');
  expect(await read('latest', 'main')).toEqual({ latest: first, main: first });
});

it('reads nothing outside the branches', async () => {
  git('update-ref', 'refs/tags/v1', first);
  writeFileSync(join(folder, 'refs', 'x'), `${first}\n`);
  mkdirSync(join(folder, 'refs', 'heads', '.hidden'), { recursive: true });
  writeFileSync(join(folder, 'refs', 'heads', '.hidden', 'x'), `${first}\n`);
  expect(
    await read('../x', '../tags/v1', 'a/../../tags/v1', '/x', '', '.', '.hidden/x', 'a\0', 'a\nb'),
  ).toEqual({});
});

it('rejects where it cannot know', async () => {
  git('update-ref', 'refs/heads/main', first);
  writeFileSync(join(folder, 'refs', 'heads', 'cut'), ''); // a power cut; git lists all others
  await expect(read('main', 'cut')).rejects.toThrow('The file of the branch cut is damaged');
  expect(await read('main')).toEqual({ main: first });
  rmSync(folder, { recursive: true });
  await expect(read('main')).rejects.toThrow('ENOENT');
});
