import type { Pool } from '../../shared/db/pool.ts';
import { readIndexState } from '../../shared/db/search/index-state.ts';
import { lastIndexRun } from '../../shared/search/last-index-run.ts';
import type { ConnectedConfig } from '../connect/settings.ts';
import { openTemporal } from '../connect/temporal.ts';

const DEADLINE_MS = 2_000;

/** What `project show` says of the search index: what it holds, and how the last run went. */
export async function indexShown(pool: Pool, config: ConnectedConfig, { id }: { id: string }) {
  const [built, last] = await Promise.all([
    readIndexState(pool, id),
    // Null: Temporal does not answer.
    readLastRun(config, id).catch(() => ({ run: null, failure: null })),
  ]);
  return { built, ...last };
}

async function readLastRun(config: ConnectedConfig, projectId: string) {
  const temporal = await openTemporal(config);
  try {
    const { client } = temporal;
    return await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      lastIndexRun(client, projectId),
    );
  } finally {
    await temporal.close();
  }
}
