import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A person's commit on a branch of a bare repository, `date` by their clock. Returns its id. */
export function commitAs(
  repository: string,
  branch: string,
  path: string,
  change: (text: string) => string | Buffer,
  date?: string,
): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-person-'));
  const env = { ...process.env, ...(date && { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }) };
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-C', folder, '-c', 'user.name=Dana', '-c', 'user.email=dana@example.com', ...args],
      { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] },
    );
  try {
    execFileSync('git', ['clone', '-q', '--branch', branch, repository, folder], { stdio: 'pipe' });
    writeFileSync(join(folder, path), change(readFileSync(join(folder, path), 'utf8')));
    git('commit', '-qam', 'A person was here');
    git('push', '-q', 'origin', `HEAD:${branch}`);
    return git('rev-parse', 'HEAD').trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
