import { createIndexActivities } from '../activities/index-site.ts';
import { createJobActivities } from '../activities/index.ts';
import { type OpenDepsOptions, openDeps } from './deps.ts';
import { serveHealth, type WorkerParts } from './health.ts';
import { createWorker } from './worker.ts';

export interface StartWorkerOptions extends OpenDepsOptions {
  bundlePath: string;
}

export interface RunningWorker {
  /** Settles when the worker ends by itself. */
  failed: Promise<Error>;
  /** Drains: lets activities finish within the grace time, then ends the connections. */
  stop(): Promise<void>;
}

/** A worker that polls; it owns what it opens. */
export async function startWorker(options: StartWorkerOptions): Promise<RunningWorker> {
  const { config, bundlePath, embed } = options;
  const parts: WorkerParts = {};
  const { WORKER_HEALTH_PORT: port } = config;
  const health = port ? await serveHealth({ host: config.HOST, port }, parts) : undefined;
  const { deps, connection, close } = await openDeps({ ...options, parts });
  const activities = { ...createJobActivities(deps), ...createIndexActivities({ ...deps, embed }) };
  const worker = await createWorker({ config, connection, bundlePath, activities });
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
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running.catch(() => undefined);
      await close();
      await health?.close();
    },
  };
}
