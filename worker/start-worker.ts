import { setTimeout } from 'node:timers/promises';
import { createIndexActivities } from '../activities/index-site.ts';
import { createAutomationActivities } from '../activities/automation-run.ts';
import { followIndex } from '../jobs/automations/follow-index.ts';
import { standingJob, startRunTurn } from '../jobs/automations/start-turn.ts';
import { createJobActivities } from '../activities/index.ts';
import { type OpenDepsOptions, type OpenedDeps, openDeps } from './deps.ts';
import { publicUrl } from '../shared/config.ts';
import { reachableAddresses } from '../shared/outgoing/public-address.ts';
import { VERSION } from '../shared/version.ts';
import type { Pool } from '../db/pool.ts';
import { databaseShortcoming } from '../db/schema-version.ts';
import type { Logger } from '../shared/logger.ts';
import { serveHealth, type WorkerParts } from './health.ts';
import { createWorker, type JobWorker } from './worker.ts';

const MIGRATED_WITHIN_MS = 10 * 60_000;

export interface StartWorkerOptions extends OpenDepsOptions {
  bundlePath: string;
}

export interface RunningWorker {
  /** Settles when the worker ends by itself. */
  failed: Promise<Error>;
  /** Drains: lets activities finish within the grace time, then ends the connections. */
  stop(): Promise<void>;
}

/** A worker that is deployed before `docent migrate` has run polls once it has. */
async function untilMigrated(pool: Pool, logger: Logger): Promise<void> {
  const end = Date.now() + MIGRATED_WITHIN_MS;
  for (;;) {
    // Where Postgres is away, the activities wait.
    const said = await databaseShortcoming(pool).catch(() => undefined);
    if (said === undefined) return;
    if (Date.now() > end) throw new Error(said);
    logger.warn(`no job is worked on yet: ${said}`);
    await setTimeout(2_000);
  }
}

function activitiesOf({ deps, client }: OpenedDeps, { config, embed, logger }: StartWorkerOptions) {
  const automations = { config, pool: deps.pool, temporal: client, log: logger };
  return {
    ...createJobActivities(deps),
    ...createAutomationActivities({
      ...deps,
      startRunTurn: turn => startRunTurn(automations, turn),
      standingJob: id => standingJob(deps.pool, id),
    }),
    ...createIndexActivities({
      ...deps,
      embed,
      onIndexed: (project, commit) => followIndex(automations, project, commit),
      siteClient: {
        mayReach: reachableAddresses(config.ALLOWED_PRIVATE_NETWORKS),
        userAgent: `Docent/${VERSION} (+${publicUrl(config)})`,
      },
    }),
  };
}

/** A worker that polls; it owns what it opens. */
export async function startWorker(options: StartWorkerOptions): Promise<RunningWorker> {
  const { config, bundlePath } = options;
  const parts: WorkerParts = {};
  const closes: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const each of closes.splice(0).reverse()) await each();
  };
  const { WORKER_HEALTH_PORT: port } = config;
  let worker: JobWorker;
  try {
    if (port) closes.push((await serveHealth({ host: config.HOST, port }, parts)).close);
    const opened = await openDeps({ ...options, parts });
    closes.push(opened.close);
    const { deps, connection } = opened;
    await untilMigrated(deps.pool, options.logger);
    const activities = activitiesOf(opened, options);
    worker = await createWorker({ config, connection, bundlePath, activities });
  } catch (error) {
    // What is still open would keep the process.
    await close();
    throw error;
  }
  parts.worker = worker;
  const running = worker.run();
  // Settles only with an error: a worker that was stopped has not failed.
  const failed = new Promise<Error>(resolve => {
    running.catch((error: unknown) =>
      resolve(error instanceof Error ? error : new Error(String(error))),
    );
  });
  return {
    failed,
    async stop() {
      worker.shutdown();
      await running.catch(() => undefined);
      await close();
    },
  };
}
