import type { Logger } from '../../shared/logger.ts';
import { settingsInUse } from '../../shared/settings-in-use.ts';
import type { Embed } from '../../search/embed.ts';
import { type RunningWorker, startWorker } from '../../worker/start-worker.ts';
import type { ConnectedConfig } from '../connect/settings.ts';
import { temporalConnection } from '../connect/temporal.ts';
import { openMetrics } from './metrics.ts';
import { installRuntime } from './runtime.ts';
import { openTraces } from './traces.ts';

/** A worker, polling. Once per process. */
export async function startConfiguredWorker(
  config: ConnectedConfig,
  logger: Logger,
  bundlePath: string,
  embed: Embed | undefined,
): Promise<RunningWorker> {
  logger.info({ settings: settingsInUse(config) }, 'settings of the worker that are not defaults');
  const temporal = temporalConnection(config);
  const closeMetrics = await openMetrics(config, await installRuntime(config, logger));
  const closeTraces = await openTraces(config, 'docent-worker');
  const close = async () => {
    await closeMetrics();
    await closeTraces();
  };
  const worker = await startWorker({ config, temporal, bundlePath, logger, embed }).catch(
    async (error: unknown) => {
      await close();
      throw error;
    },
  );
  return {
    failed: worker.failed,
    stop: async () => {
      await worker.stop();
      await close();
    },
  };
}
