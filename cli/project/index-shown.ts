import type { Pool } from '../../db/pool.ts';
import { indexState, lastIndexRun } from '../../search/indexing/last-index-run.ts';
import type { ConnectedConfig } from '../connect/settings.ts';
import { openTemporal } from '../connect/temporal.ts';

const DEADLINE_MS = 2_000;

/** What `project show` says: the site as it was found, and where its index is. */
export async function indexShown(pool: Pool, config: ConnectedConfig, { id }: { id: string }) {
  // Null: Temporal does not answer.
  const last = await readLastRun(config, id).catch(() => ({ run: null, failure: null }));
  const { site, ...index } = await indexState(pool, id, last);
  return { site, index };
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
