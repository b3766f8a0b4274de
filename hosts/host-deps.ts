import type { Config } from '../shared/config.ts';
import type { Pool } from '../db/pool.ts';
import type { HostKind } from '../shared/host-kind.ts';

/** What the API and the command line hand to a host. */
export interface HostDeps {
  config: Config;
  pool: Pool;
  /** A branch got new commits, by a merge or a push: index the sites that are built from it. */
  onBranchMoved?:
    ((kind: HostKind, repository: string, branch: string) => Promise<void>) | undefined;
}
