import type { Config } from '../../shared/config.ts';
import { ConfigError } from '../../shared/errors.ts';
import { registry } from '../../shared/metrics/metrics.ts';
import { serveMetrics } from '../../shared/metrics/serve-metrics.ts';

/**
 * Serves the process's metrics at `METRICS_PORT` if there is a port for them, and those of `more`;
 * returns what ends that.
 */
export async function openMetrics(
  { METRICS_HOST: host, METRICS_PORT: port }: Config,
  more?: string,
): Promise<() => Promise<void>> {
  if (port === undefined) return async () => {};
  const { close } = await serveMetrics({ host, port }, registry, more).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'EADDRINUSE'
        ? new ConfigError(`METRICS_PORT ${port} is taken on ${host}. Set it to another.`)
        : error;
    },
  );
  return close;
}
