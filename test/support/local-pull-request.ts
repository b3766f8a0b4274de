import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { importRepository } from '../../hosts/local/new-repository.ts';
import { createLocalPullRequest } from '../../hosts/local/pull-requests.ts';
import type { LocalPullRequest } from '../../hosts/local/schemas.ts';
import type { Config } from '../../shared/config.ts';
import type { Pool } from '../../db/pool.ts';
import { commitAs } from './person.ts';

/** A repository of the built-in host. */
export interface HostedRepository {
  name: string;
  /** A pull request that adds a line to a file, from a branch of its own. */
  open(branch: string, path: string): Promise<LocalPullRequest>;
}

export async function createHostedRepository(
  { pool, config }: { pool: Pool; config: Config },
  name: string,
  files: Record<string, string>,
): Promise<HostedRepository> {
  const host = { pool, dataDir: config.DATA_DIR, publicUrl: 'http://docent.test' };
  const source = mkdtempSync(join(tmpdir(), 'docent-source-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  await importRepository(host, { name }, source);
  rmSync(source, { recursive: true });
  const folder = join(config.DATA_DIR, 'repositories', `${name}.git`);
  return {
    name,
    async open(branch, path) {
      execFileSync('git', ['-C', folder, 'branch', branch, 'main']);
      commitAs(folder, branch, path, text => `${text}\nMore.\n`);
      const pull = { title: branch, body: '', head: branch, base: 'main', draft: false };
      return createLocalPullRequest(host, name, pull);
    },
  };
}
