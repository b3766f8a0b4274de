import { setTimeout as delay } from 'node:timers/promises';
import { TransportError } from '@temporalio/worker';
import { buildApi } from '../../api/app.ts';
import { listen } from '../../api/listen.ts';
import { apiConnections } from '../../shared/db/connections.ts';
import { openPool } from '../../shared/db/pool.ts';
import { ConfigError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Embed } from '../../shared/search/embed.ts';
import { startWorker as start } from '../../worker/start-worker.ts';
import { registry } from '../../shared/metrics/metrics.ts';
import { registerStateGauges } from '../../shared/metrics/state-gauges.ts';
import { portTaken } from '../embedded/ports.ts';
import type { ConnectedConfig } from '../connect/settings.ts';
import { openTemporal, temporalConnection } from '../connect/temporal.ts';
import { installRuntime, openMetrics } from './runtime.ts';
import { openTraces } from './traces.ts';

export interface Role {
  /** Settles when it has stopped by itself. */
  failed: Promise<Error>;
  /** Finishes running work, within the grace period. */
  stop(): Promise<void>;
}

/** The API, listening. */
export async function startApi(
  config: ConnectedConfig & { PORT: number },
  logger: Logger,
  embed: Embed | undefined,
): Promise<Role> {
  const closeTraces = await openTraces(config, 'docent-api');
  const pool = openPool({
    connectionString: config.DATABASE_URL,
    max: apiConnections(config.DATABASE_POOL_SIZE).main,
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
  } catch (error) {
    await stop();
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? portTaken(config.HOST, config.PORT)
      : error;
  }
  // A listening server does not stop by itself.
  return {
    failed: new Promise(() => undefined),
    stop: async () => {
      await drain();
      await stop();
    },
  };
}

/**
 * A worker, polling. `patient`: it waits for a Temporal that is not there yet. `beside`: an API in
 * the same process serves the metrics of both.
 */
export async function startConfiguredWorker(
  config: ConnectedConfig,
  logger: Logger,
  bundlePath: string,
  {
    embed,
    patient = false,
    beside = false,
  }: { embed: Embed | undefined; patient?: boolean; beside?: boolean },
): Promise<Role> {
  await installRuntime(config, logger);
  const closeTraces = await openTraces(config, 'docent-worker');
  const closeMetrics = beside ? async () => {} : await openMetrics(config);
  const { failed, stop } = await start({
    config,
    temporal: temporalConnection(config),
    bundlePath,
    logger,
    embed,
    patient,
  }).catch(async (error: unknown) => {
    await closeMetrics();
    await closeTraces();
    if (!(error instanceof TransportError)) throw error;
    throw new ConfigError(
      `Temporal cannot be reached at ${config.TEMPORAL_ADDRESS} (TEMPORAL_ADDRESS). ` +
        'Start it, or unset the variable: "docent start" then runs its own.',
    );
  });
  return {
    failed,
    stop: async () => {
      await stop();
      await closeMetrics();
      await closeTraces();
    },
  };
}
