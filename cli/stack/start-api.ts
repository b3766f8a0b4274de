import { setTimeout as delay } from 'node:timers/promises';
import { buildApi } from '../../api/app.ts';
import { keepHeapTight, listen } from '../../api/listen.ts';
import { apiConnections } from '../../shared/database-connections.ts';
import { openPool } from '../../db/pool.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Embed } from '../../search/embed.ts';
import { registry } from '../../shared/metrics/metrics.ts';
import { settingsInUse } from '../../shared/settings-in-use.ts';
import { registerStateGauges } from './state-gauges.ts';
import { portTaken } from '../embedded/ports.ts';
import type { ConnectedConfig } from '../connect/settings.ts';
import { openTemporal } from '../connect/temporal.ts';
import { makeAttributes } from '../../shared/jobs/search-attributes.ts';
import { openMetrics } from './metrics.ts';
import { openTraces } from './traces.ts';

/** No request waits longer for Postgres: then it is 503, and may be repeated. */
const ANSWER_WITHIN_MS = 10_000;

/** The API, listening. The process has no worker. */
export async function startApi(
  config: ConnectedConfig & { PORT: number },
  logger: Logger,
  embed: Embed | undefined,
): Promise<{ stop(): Promise<void> }> {
  logger.info({ settings: settingsInUse(config) }, 'settings of the API that are not defaults');
  keepHeapTight();
  const closeTraces = await openTraces(config, 'docent-api');
  const pool = openPool({
    connectionString: config.DATABASE_URL,
    max: apiConnections(config.DATABASE_POOL_SIZE).main,
    answerWithinMs: ANSWER_WITHIN_MS,
    onError: error => logger.warn({ err: error }, 'database connection lost'),
  });
  const stops: (() => Promise<void>)[] = [closeTraces, () => pool.end()];
  let drain = async () => {};
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    const temporal = await openTemporal(config);
    stops.push(temporal.close);
    const app = await buildApi({ config, pool, temporal: temporal.client, logger, embed });
    stops.push(() => app.close());
    await listen(app, { host: config.HOST, port: config.PORT });
    drain = async () => {
      app.drain();
      await delay(config.API_DRAIN_SECONDS * 1000);
    };
    registerStateGauges(registry, pool);
    stops.push(await openMetrics(config));
    // Not awaited: Temporal may start later, and a job needs none of them. Last: a retry after a failed
    // start would crash the process.
    makeAttributes(temporal.client).catch((error: unknown) =>
      logger.warn({ err: error }, 'search attributes were not made: see docs/agent/scripts.md'),
    );
  } catch (error) {
    await stop();
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? portTaken(config.HOST, config.PORT)
      : error;
  }
  return {
    stop: async () => {
      await drain();
      await stop();
    },
  };
}
