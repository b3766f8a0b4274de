import { Client, WorkflowNotFoundError } from '@temporalio/client';
import { NativeConnection, type NativeConnectionOptions, TransportError } from '@temporalio/worker';
import { join } from 'node:path';
import type { ActivityDeps } from '../agent/deps.ts';
import { keptRevisions } from '../agent/kept-revisions.ts';
import { GitRepositories } from '../hosts/git/repositories.ts';
import { StoredApp } from '../hosts/github/stored-app.ts';
import { openHosts } from '../hosts/registry.ts';
import { type Config, publicUrl } from '../shared/config.ts';
import { openPool, type Pool } from '../db/pool.ts';
import { hasLostRun } from '../jobs/lost-run.ts';
import type { Logger } from '../shared/logger.ts';
import { clientConverter } from '../shared/secrets/payload-codec.ts';
import { openModelClient } from '../shared/models/model-client.ts';
import { openFeatures } from '../db/models/open-features.ts';
import { JOBS, warnOfPrices } from '../shared/models/warn-of-prices.ts';
import { openSearch } from '../search/search-by-meaning.ts';
import type { WorkerParts } from './health.ts';
import type { Embed } from '../search/embed.ts';
import { setTimeout as delay } from 'node:timers/promises';

export interface OpenDepsOptions {
  config: Config & { DATABASE_URL: string };
  /** How to reach Temporal. */
  temporal: NativeConnectionOptions;
  logger: Logger;
  /** Where embeddings are on. */
  embed?: Embed | undefined;
  /** Where the parts are noted as they come, for /readyz. */
  parts?: WorkerParts;
}

export interface OpenedDeps {
  deps: ActivityDeps;
  connection: NativeConnection;
  client: Client;
  close(): Promise<void>;
}

/** The longest statements, of an index, take seconds; the attempt is repeated. */
const ANSWER_WITHIN_MS = 120_000;

/** Signs every commit of a job. */
export const COMMIT_AUTHOR = { name: 'Docent', email: 'docent@users.noreply.localhost' };

/** Opens what the activities of a worker act on; waits for a Temporal that is not there yet. */
export async function openDeps({
  config,
  temporal,
  logger,
  embed,
  parts = {},
}: OpenDepsOptions): Promise<OpenedDeps> {
  // Retries belong to Temporal: a call that failed is recorded, shown in the history, and made again
  // from there.
  const anthropic = await openModelClient(config);
  const pool = openPool({
    connectionString: config.DATABASE_URL,
    max: config.DATABASE_POOL_SIZE,
    answerWithinMs: ANSWER_WITHIN_MS,
    onError: error => logger.warn({ err: error }, 'database connection lost'),
  });
  warnOfPrices(config, JOBS, logger);
  parts.pool = pool;
  const connection = await connectToTemporal(temporal, logger).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  parts.connection = connection;
  const unfollow = await followStoredApp(config, pool, logger);
  const client = new Client({
    ...{ connection, namespace: config.TEMPORAL_NAMESPACE },
    dataConverter: clientConverter(config),
  });
  const deps: ActivityDeps = {
    config,
    pool,
    anthropic,
    featuresOf: openFeatures(config, pool),
    hostFor: hosts(config, pool),
    search: openSearch(pool, embed),
    isCurrentRun: async (jobId, runId) => (await newestRun(client, jobId)) === runId,
    hasLostRun: (jobId, runId) => hasLostRun({ pool, temporal: client }, jobId, runId),
    publicUrl: publicUrl(config),
    revisions: keptRevisions(),
    contextCommits: new Map(),
  };
  return {
    deps,
    connection,
    client,
    close: async () => {
      unfollow();
      await connection.close();
      await pool.end();
    },
  };
}

async function followStoredApp(config: Config, pool: Pool, logger: Logger): Promise<() => void> {
  return await new StoredApp(config, pool).follow(error =>
    logger.warn({ err: error }, 'the stored GitHub App was not read'),
  );
}

function hosts(config: Config, pool: Pool): ActivityDeps['hostFor'] {
  const repositories = new GitRepositories(
    join(config.DATA_DIR, 'cache', 'git'),
    COMMIT_AUTHOR,
    config.GIT_CACHE_MB * 1e6,
  );
  return openHosts({ config, pool, repositories });
}

/** Undefined if Temporal has none. */
async function newestRun(client: Client, jobId: string): Promise<string | undefined> {
  try {
    return (await client.workflow.getHandle(jobId).describe()).runId;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

const RETRY_MS = 2_000;

/**
 * Connects to Temporal, as often as it takes: a worker may start before its server does, as after a
 * power cut.
 */
async function connectToTemporal(
  options: NativeConnectionOptions,
  logger: Logger,
): Promise<NativeConnection> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await NativeConnection.connect(options);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      logger.warn({ attempt }, `Temporal cannot be reached at ${options.address}: waiting for it`);
    }
    await delay(RETRY_MS);
  }
}
