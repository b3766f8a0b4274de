import type { Config } from '../../shared/config.ts';
import { openPool } from '../../shared/db/pool.ts';
import { databaseShortcoming } from '../../shared/db/schema-version.ts';
import { isPolled } from '../../shared/jobs/pollers.ts';
import { findRunning } from '../stack/running.ts';
import type { Finding } from './finding.ts';

/** What a system that is set up or running lacks: the same questions as the API's /readyz. */
export async function checkServing(config: Config): Promise<Finding[]> {
  const stack = findRunning(config.DATA_DIR);
  const database = config.DATABASE_URL ?? stack?.databaseUrl;
  const address = config.TEMPORAL_ADDRESS ?? stack?.temporalAddress;
  return (
    await Promise.all([
      database === undefined ? [] : schema(database),
      address === undefined ? [] : worker({ ...config, TEMPORAL_ADDRESS: address }),
    ])
  ).flat();
}

async function schema(url: string): Promise<Finding[]> {
  const pool = openPool({ connectionString: url, max: 1 });
  try {
    const shortcoming = await databaseShortcoming(pool);
    return [
      {
        name: 'database',
        state: shortcoming === undefined ? 'ok' : 'missing',
        says: shortcoming ?? 'has the tables of this release and accepts writes',
      },
    ];
  } catch {
    return []; // that it cannot be reached is a line of its own
  } finally {
    await pool.end();
  }
}

async function worker(config: Config): Promise<Finding[]> {
  const { Client, Connection } = await import('@temporalio/client');
  const { temporalConnection } = await import('../connect/temporal.ts');
  const connection = await Connection.connect({
    ...temporalConnection(config),
    connectTimeout: '3s',
  }).catch(() => undefined);
  if (!connection) return []; // as above
  try {
    const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
    const polls = await isPolled(client, config.TASK_QUEUE, Date.now() + 3_000).catch(() => false);
    return [
      {
        name: 'worker',
        state: polls ? 'ok' : 'note',
        says: polls
          ? `one polls the task queue ${config.TASK_QUEUE}`
          : `none polls the task queue ${config.TASK_QUEUE}: jobs wait until "docent worker" runs`,
      },
    ];
  } finally {
    await connection.close();
  }
}
