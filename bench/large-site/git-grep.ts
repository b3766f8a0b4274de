import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { percentile } from '../jobs/activity-times.ts';

const run = promisify(execFile);
const ROUNDS = 5;

export interface Checkout {
  folder: string;
  remove(): Promise<void>;
}

/** The files as a repository with one commit and a work tree. */
export async function checkOut(files: Record<string, string | Buffer>): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-bench-site-'));
  const folders = new Set(Object.keys(files).map(path => dirname(join(folder, path))));
  for (const each of folders) await mkdir(each, { recursive: true });
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  // With 10,000 files, a commit begins to collect garbage in the background.
  const settings = ['user.name=Bench', 'user.email=b@b', 'gc.auto=0'].flatMap(one => ['-c', one]);
  const git = async (...args: string[]) => await run('git', ['-C', folder, ...settings, ...args]);
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message=All');
  await git('gc', '--quiet');
  return { folder, remove: async () => await rm(folder, { recursive: true, force: true }) };
}

/**
 * Milliseconds of `git grep -i` as a whole process, the median of some: in the files of the work
 * tree, and in the commit, as a server without a work tree has it.
 */
export async function gitGrep(
  { folder }: Checkout,
  pattern: string,
): Promise<{ filesMs: number; commitMs: number }> {
  const grep = async (...more: string[]) => {
    const args = ['-C', folder, 'grep', '-inE', '-e', pattern, ...more];
    await run('git', args, { maxBuffer: 100_000_000 }).catch((error: { code: unknown }) => {
      if (error.code !== 1) throw error; // 1: nothing matches
    });
  };
  return {
    filesMs: Math.round(await median(() => grep())),
    commitMs: Math.round(await median(() => grep('HEAD'))),
  };
}

/** Milliseconds; the first of the rounds does not count. */
export async function median(act: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i <= rounds; i++) {
    const started = performance.now();
    await act();
    times.push(performance.now() - started);
  }
  return percentile(times.slice(1), 0.5);
}
