import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Config } from '../../shared/config.ts';
import type { Logger } from '../../shared/logger.ts';
import { freePort } from '../embedded/ports.ts';

/**
 * Sends the logs of the SDK, workflows and activities to our logger; once per process. Returns the
 * address of the SDK's metrics, where metrics are on.
 */
export async function installRuntime(config: Config, logger: Logger): Promise<string | undefined> {
  const metrics =
    config.METRICS_PORT === undefined ? undefined : `127.0.0.1:${await freePort('127.0.0.1')}`;
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
    ...(metrics !== undefined && {
      telemetryOptions: {
        metrics: {
          prometheus: {
            bindAddress: metrics,
            useSecondsForDurations: true,
            unitSuffix: true,
            countersTotalSuffix: true,
          },
        },
      },
    }),
  });
  return metrics;
}
