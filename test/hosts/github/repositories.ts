import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Pull, Repository, State } from './state.ts';

/** Creates a repository, with one commit of the files, in a folder below `root`. */
export function addRepository(
  state: State,
  root: string,
  fullName: string,
  files: Record<string, string>,
): Repository {
  const [owner = '', name = ''] = fullName.split('/');
  const id = 100 + state.repositories.length;
  const folder = join(root, `${id}.git`);
  // Of equal files a copy: to start git some times from a process of Jest's size takes longer than
  // all else here.
  const model = join(
    root,
    `${createHash('sha256').update(JSON.stringify(files)).digest('hex')}.git`,
  );
  if (!existsSync(model)) createModel(root, model, files);
  cpSync(model, folder, { recursive: true });
  const repository: Repository = {
    id,
    owner,
    name,
    formerly: [],
    folder,
    defaultBranch: 'main',
    archived: false,
    disabled: false,
    protectedBranches: [],
    refusePush: undefined,
    drafts: true,
    pulls: [],
    comments: [],
    deployments: [],
    statuses: [],
    roles: {},
  };
  state.repositories.push(repository);
  return repository;
}

function createModel(root: string, model: string, files: Record<string, string>): void {
  const source = mkdtempSync(join(root, 'source-'));
  const run = (cwd: string, ...args: string[]): string =>
    execFileSync(
      'git',
      [
        '-c',
        'user.name=Ada',
        '-c',
        'user.email=ada@example.org',
        '-c',
        'init.defaultBranch=main',
        ...args,
      ],
      { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    );
  run(source, 'init', '-q');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  if (Object.keys(files).length > 0) {
    run(source, 'add', '-A');
    run(source, 'commit', '-q', '-m', 'Begin');
  }
  const settings = [
    'http.receivepack',
    'uploadpack.allowAnySHA1InWant',
    'uploadpack.allowFilter',
  ].flatMap(setting => ['-c', `${setting}=true`]);
  run(root, 'clone', '-q', '--bare', '--template=', ...settings, source, model);
  rmSync(source, { recursive: true });
}

/** Merges or closes a pull request, as a person does on its page. */
export function endPull(repository: Repository, number: number, merged: boolean): void {
  const pull = repository.pulls.find(each => each.number === number) as Pull;
  pull.lastCommit = headOf(repository, pull.head) ?? '';
  pull.state = 'closed';
  if (!merged) return;
  pull.mergedAt = new Date().toISOString();
  const tree = git(repository, 'merge-tree', '--write-tree', pull.base, pull.head).trim();
  const commit = execFileSync(
    'git',
    [
      '-C',
      repository.folder,
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.org',
      'commit-tree',
      tree,
      '-p',
      pull.base,
      '-p',
      pull.head,
      '-m',
      `Merge #${number}`,
    ],
    { encoding: 'utf8' },
  ).trim();
  git(repository, 'update-ref', `refs/heads/${pull.base}`, commit);
  pull.mergeCommit = commit;
}

export function headOf(repository: Repository, branch: string): string | undefined {
  const file = join(repository.folder, 'refs/heads', branch);
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return readFileSync(file, 'utf8').trim();
  return (
    git(repository, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`).trim() || undefined
  );
}

/** Git on the bare repository; what fails is ''. */
export function git(repository: Repository, ...args: string[]): string {
  try {
    return execFileSync('git', ['-C', repository.folder, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
