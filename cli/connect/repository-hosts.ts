import { join } from 'node:path';
import { GitRepositories } from '../../hosts/git/repositories.ts';
import type { RepositoryAddress, RepositoryHost } from '../../hosts/host.ts';
import { openHosts } from '../../hosts/registry.ts';
import type { Config } from '../../shared/config.ts';
import type { Pool } from '../../db/pool.ts';
import { COMMIT_AUTHOR } from '../../worker/deps.ts';

/** The repository hosts as a worker of the same settings sees them. */
export function openRepositoryHosts({
  config,
  pool,
}: {
  config: Config;
  pool: Pool;
}): (address: RepositoryAddress) => RepositoryHost {
  const repositories = new GitRepositories(
    join(config.DATA_DIR, 'cache', 'git'),
    COMMIT_AUTHOR,
    config.GIT_CACHE_MB * 1e6,
  );
  return openHosts({ config, pool, repositories });
}
