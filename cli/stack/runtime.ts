import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Config } from '../../shared/config.ts';
import { ConfigError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { registry } from '../../shared/metrics/metrics.ts';
import { serveMetrics } from '../../shared/metrics/serve-metrics.ts';
import { freePort } from '../embedded/ports.ts';

/** Where Temporal's SDK serves its metrics in this process. */
let sdkMetrics: string | undefined;

/** Serves the process's metrics at `METRICS_PORT` if there is a port for them; returns what ends that. */
export async function openMetrics({
  METRICS_HOST: host,
  METRICS_PORT: port,
}: Config): Promise<() => Promise<void>> {
  if (port === undefined) return async () => {};
  const { close } = await serveMetrics({ host, port }, registry, () => sdkMetrics).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'EADDRINUSE'
        ? new ConfigError(`METRICS_PORT ${port} is taken on ${host}. Set it to another.`)
        : error;
    },
  );
  return close;
}

/**
 * Sends the logs of the SDK, workflows and activities to our logger, and its metrics to where ours
 * are; once per process.
 */
export async function installRuntime(config: Config, logger: Logger): Promise<void> {
  if (Runtime._instance) return; // a worker that is started again
  if (config.METRICS_PORT !== undefined) sdkMetrics = `127.0.0.1:${await freePort('127.0.0.1')}`;
  const levels = {
    TRACE: 'trace',
    DEBUG: 'debug',
    INFO: 'info',
    WARN: 'warn',
    ERROR: 'error',
  } as const;
  Runtime.install({
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => {
      const { taskToken: _secret, error, ...rest } = (meta ?? {}) as Record<string, unknown>;
      logger[levels[level]]({ ...rest, ...(error !== undefined && { err: error }) }, message);
    }),
    // The code that started the worker stops it, in order with the rest.
    shutdownSignals: [],
    ...(sdkMetrics !== undefined && {
      telemetryOptions: {
        metrics: {
          prometheus: {
            bindAddress: sdkMetrics,
            useSecondsForDurations: true,
            unitSuffix: true,
            countersTotalSuffix: true,
          },
        },
      },
    }),
  });
}
