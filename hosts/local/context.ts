import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { publicUrl } from '../../shared/config.ts';
import type { Pool } from '../../db/pool.ts';
import { Problem } from '../../shared/errors.ts';
import type { HostDeps } from '../host-deps.ts';

/** As the database names the built-in host. */
export const KIND = 'local';

/** What the built-in repository host stands on. One process owns the data folder. */
export interface LocalHostContext {
  pool: Pool;
  dataDir: string;
  /** Where people reach the API, without a trailing slash. */
  publicUrl: string;
  /**
   * A branch got new commits, by a merge or a push: time to index the sites that are built from it.
   */
  onBranchMoved?: (repository: string, branch: string) => Promise<void>;
}

export function contextOf({ config, pool, onBranchMoved }: HostDeps): LocalHostContext {
  return {
    pool,
    dataDir: config.DATA_DIR,
    publicUrl: publicUrl(config),
    onBranchMoved: async (repository, branch) => onBranchMoved?.(KIND, repository, branch),
  };
}

/** Where a repository's folder is, or would be. */
export function repositoryPath(at: Pick<LocalHostContext, 'dataDir'>, name: string): string {
  return resolve(at.dataDir, 'repositories', `${name}.git`);
}

/** The folder of a repository. Throws `unavailable` where this API does not have it. */
export function repositoryFolder(at: Pick<LocalHostContext, 'dataDir'>, name: string): string {
  const path = repositoryPath(at, name);
  // Each activity of a job asks: to hand this to a thread takes longer than to do it.
  if (existsSync(path)) return path;
  throw new Problem(
    'unavailable',
    `This API does not have the files of the repository ${name}: another API may have them, and ` +
      'the proxy must send such requests there.',
  );
}

export function cloneUrl(at: Pick<LocalHostContext, 'publicUrl'>, name: string): string {
  return `${at.publicUrl}/git/${name}.git`;
}

export function pullRequestUrl(at: Pick<LocalHostContext, 'publicUrl'>, token: string): string {
  return `${at.publicUrl}/pulls/${token}`;
}
