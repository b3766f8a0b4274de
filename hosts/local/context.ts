import { resolve } from 'node:path';
import { type Config, publicUrl } from '../../shared/config.ts';
import type { Pool } from '../../shared/db/pool.ts';

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

export function repositoryFolder(at: Pick<LocalHostContext, 'dataDir'>, name: string): string {
  return resolve(at.dataDir, 'repositories', `${name}.git`);
}

export function cloneUrl(at: Pick<LocalHostContext, 'publicUrl'>, name: string): string {
  return `${at.publicUrl}/git/${name}.git`;
}

export function pullRequestUrl(at: Pick<LocalHostContext, 'publicUrl'>, token: string): string {
  return `${at.publicUrl}/pulls/${token}`;
}

/**
 * A stored link to a repository or pull request, as people reach it now: on the built-in host the
 * address may have changed since it was stored. Links to other hosts stay as they are.
 */
export function linkNow<T extends string | null>(
  config: Config,
  host: 'local' | 'github',
  link: T,
): T | string {
  return host === 'local' && link !== null
    ? link.replace(/^.*(?=\/(git|pulls)\/[^/]+$)/, () => publicUrl(config))
    : link;
}
