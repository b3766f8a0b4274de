import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { JobStack } from '../../support/job-stack.ts';

/**
 * What people do to the bare repository, and what is in it, by git's own plumbing: a clone a commit
 * would take as long as a job.
 */
export class Repository {
  readonly #folder: string;

  constructor(stack: JobStack) {
    this.#folder = stack.repository;
  }

  head(branch: string): string | null {
    return this.#try('rev-parse', '--verify', '-q', `refs/heads/${branch}`)?.trim() ?? null;
  }

  /** The pages at a commit or branch, by name. */
  pages(ref: string): Set<string> {
    const names = this.#git({}, 'ls-tree', '-r', '--name-only', ref, 'docs/').split('\n');
    return new Set(names.flatMap(name => /^docs\/(.+)\.md$/.exec(name)?.[1] ?? []));
  }

  contains(ref: string, commit: string): boolean {
    return this.#try('merge-base', '--is-ancestor', commit, ref) !== null;
  }

  read(ref: string, path: string): string {
    return this.#try('cat-file', 'blob', `${ref}:${path}`) ?? '';
  }

  /**
   * A person's commit that adds a line to a file. Null where the branch was gone or moved at that
   * moment.
   */
  addLine(branch: string, path: string, line: string): string | null {
    const parent = this.head(branch);
    if (!parent) return null;
    const index = join(this.#folder, `index-${randomBytes(6).toString('hex')}`);
    const env = { GIT_INDEX_FILE: index };
    try {
      const blob = this.#git(
        { input: `${this.read(parent, path)}${line}\n` },
        'hash-object',
        '-w',
        '--stdin',
      ).trim();
      this.#git({ env }, 'read-tree', parent);
      this.#git({ env }, 'update-index', '--add', '--cacheinfo', `100644,${blob},${path}`);
      const tree = this.#git({ env }, 'write-tree').trim();
      const commit = this.#git(
        {},
        '-c',
        'user.name=Dana',
        '-c',
        'user.email=dana@example.com',
        'commit-tree',
        tree,
        '-p',
        parent,
        '-m',
        line,
      ).trim();
      return this.#try('update-ref', `refs/heads/${branch}`, commit, parent) === null
        ? null
        : commit;
    } finally {
      rmSync(index, { force: true });
    }
  }

  #git(
    { env, input }: { env?: Record<string, string>; input?: string },
    ...args: string[]
  ): string {
    return execFileSync('git', ['-C', this.#folder, ...args], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
      ...(input !== undefined && { input }),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  #try(...args: string[]): string | null {
    try {
      return this.#git({}, ...args);
    } catch {
      return null;
    }
  }
}
