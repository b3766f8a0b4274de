import { Client, WorkflowNotFoundError } from '@temporalio/client';
import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker';
import { join } from 'node:path';
import type { ActivityDeps } from '../activities/deps.ts';
import { GitRepositories } from '../hosts/git/repositories.ts';
import { openHosts } from '../hosts/registry.ts';
import { type Config, publicUrl } from '../shared/config.ts';
import { openPool, type Pool } from '../shared/db/pool.ts';
import type { Logger } from '../shared/logger.ts';
import { modelClient } from '../shared/models/model-client.ts';
import { agentModel } from '../shared/models/model-ids.ts';
import { openFeatures } from '../shared/models/open-features.ts';
import { warnOfPrices } from '../shared/models/warn-of-prices.ts';
import { openSearch } from '../shared/search/search-by-meaning.ts';
import type { Embed } from '../shared/search/embed.ts';

export interface OpenDepsOptions {
  config: Config & { DATABASE_URL: string };
  /** How to reach Temporal. */
  temporal: NativeConnectionOptions;
  logger: Logger;
  /** Where embeddings are on. */
  embed?: Embed | undefined;
}

export interface OpenedDeps {
  deps: ActivityDeps;
  connection: NativeConnection;
  close(): Promise<void>;
}

const AUTHOR = { name: 'Docent', email: 'docent@users.noreply.localhost' };

/** Opens what the activities of a worker act on. */
export async function openDeps({
  config,
  temporal,
  logger,
  embed,
}: OpenDepsOptions): Promise<OpenedDeps> {
  const pool = openPool({
    connectionString: config.DATABASE_URL,
    max: config.DATABASE_POOL_SIZE,
    onError: error => logger.warn({ err: error }, 'database connection lost'),
  });
  warnOfPrices(config, [agentModel(config, 'sonnet'), agentModel(config, 'opus')], logger);
  const connection = await NativeConnection.connect(temporal);
  const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
  const deps: ActivityDeps = {
    config,
    pool,
    // Retries belong to Temporal: a call that failed is recorded, shown in the history, and made
    // again from there.
    anthropic: modelClient(config, { timeout: config.MODEL_TIMEOUT_SECONDS * 1000 }),
    featuresOf: openFeatures(config, pool),
    hostFor: hosts(config, pool),
    search: openSearch(pool, embed),
    isCurrentRun: (jobId, runId) => isCurrentRun(client, jobId, runId),
    publicUrl: publicUrl(config),
  };
  return {
    deps,
    connection,
    close: async () => {
      await connection.close();
      await pool.end();
    },
  };
}

function hosts(config: Config, pool: Pool): ActivityDeps['hostFor'] {
  const repositories = new GitRepositories(
    join(config.DATA_DIR, 'cache', 'git'),
    AUTHOR,
    config.GIT_CACHE_MB * 1e6,
  );
  return openHosts({ config, pool, repositories });
}

async function isCurrentRun(client: Client, jobId: string, runId: string): Promise<boolean> {
  try {
    const current = await client.workflow.getHandle(jobId).describe();
    return current.runId === runId;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
