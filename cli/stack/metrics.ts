import { Gauge } from 'prom-client';
import type { Config } from '../../shared/config.ts';
import { ConfigError } from '../../shared/errors.ts';
import { freeBytes } from '../../shared/free-space.ts';
import { registry } from '../../shared/metrics/metrics.ts';
import { serveMetrics } from '../../shared/metrics/serve-metrics.ts';

const FREE = 'docent_data_folder_free_bytes';

/**
 * Serves the process's metrics at `METRICS_PORT` if there is a port for them, and those of `more`;
 * returns what ends that.
 */
export async function openMetrics(
  { METRICS_HOST: host, METRICS_PORT: port, DATA_DIR: folder }: Config,
  more?: string,
): Promise<() => Promise<void>> {
  if (port === undefined) return async () => {};
  registry.removeSingleMetric(FREE);
  registry.registerMetric(
    new Gauge({
      name: FREE,
      help: 'What may still be written to the disk of the data folder.',
      registers: [],
      async collect() {
        this.set((await freeBytes(folder)) ?? NaN);
      },
    }),
  );
  const { close } = await serveMetrics({ host, port }, registry, more).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'EADDRINUSE'
        ? new ConfigError(`METRICS_PORT ${port} is taken on ${host}. Set it to another.`)
        : error;
    },
  );
  return close;
}
