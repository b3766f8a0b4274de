import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import type { Config } from '../../shared/config.ts';
import { setupLink } from '../../shared/links.ts';
import { migrate } from '../../db/migrate.ts';
import { listOrganizations } from '../../db/people/organizations.ts';
import { currentVerdict } from '../../db/models/current-verdict.ts';
import { openPool, type Pool, transaction } from '../../db/pool.ts';
import { countActiveJobs } from '../../db/state-of-work.ts';
import { createLogger, type Logger } from '../../shared/logger.ts';
import { type Embed, openEmbeddings } from '../../search/embed.ts';
import { boundedLog } from '../embedded/bounded-log.ts';
import { requireDatabase } from '../connect/database.ts';
import type { Env } from '../connect/settings.ts';
import { requireTemporal } from '../connect/temporal.ts';
import { readDemoEnv, writeDemoEnv, type DemoEnv } from './demo-env.ts';
import { createRecordedSetupLink } from '../operator-acts.ts';
import { requestIndexing } from '../project/indexing.ts';
import type { DataFolderLock } from './running.ts';
import { seedSample, type Seeded } from './sample-project.ts';
import { startServices, type Services } from './services.ts';
import { supervise } from './supervise.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';
import { workflowBundle } from './workflow-bundle.ts';

export interface Stack {
  config: Config;
  demoEnv: Partial<DemoEnv>;
  sample: Seeded | undefined;
  /** The single-use link that creates the first owner; undefined once an account exists. */
  setupLink: string | undefined;
  /** What can work with the models. */
  modelVerdict: string;
  /** Jobs that are running, or about to begin. */
  activeJobs(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts everything on one machine: services and API, this process, and a worker as a process of
 * its own. Logs go to the data folder, which `lock` protects.
 */
export async function startStack(
  config: Config,
  lock: DataFolderLock,
  env: Env,
  notify: (sentence: string) => void,
): Promise<Stack> {
  const stops: (() => unknown)[] = [lock.release];
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    if (config.DATABASE_URL) await requireDatabase(config.DATABASE_URL);
    if (config.TEMPORAL_ADDRESS) await requireTemporal(config);
    const embed = await openEmbeddings(config);
    const previous = readDemoEnv(config.DATA_DIR);
    const { services, worker } = await begin(config, previous, env, notify, stops);
    const logger = createLogger(config.LOG_LEVEL, logFile(config.DATA_DIR));
    services.logTo(logger);
    const pool = openStackPool(services, logger);
    stops.push(() => pool.end());
    await migrate(pool);
    const working = worker.work(services.config);
    working.catch(() => undefined); // it is awaited once the API has started, too
    const api = await serve(services, logger, embed);
    stops.push(api.stop, worker.stop); // it needs the API to finish what it does
    const dataDir = config.DATA_DIR;
    const at = { pool, dataDir, publicUrl: services.config.PUBLIC_URL };
    const sample = await seedSample(at, previous);
    await working;
    stops.push(keepRunning(worker, services.config, env, logger).stop);
    if (sample?.projectIsNew) await requestIndexing(services.config, sample.project);
    return {
      config: services.config,
      demoEnv: announce(services, sample, lock),
      sample,
      setupLink: await firstLink(pool, services.config.PUBLIC_URL),
      modelVerdict: await currentVerdict(services.config, pool),
      activeJobs: () => countActiveJobs(pool),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Services, and the code of API, worker and workflows: each takes a second or two. */
async function begin(
  config: Config,
  previous: Partial<DemoEnv>,
  env: Env,
  notify: (sentence: string) => void,
  stops: (() => unknown)[],
): Promise<{ services: Services; worker: WorkerProcess }> {
  const worker = await startWorkerProcess(config, env);
  stops.push(worker.stop);
  const starting = startServices(config, previous, env['PATH'] ?? '', notify);
  const code = [import('./start-api.ts'), workflowBundle(join(config.DATA_DIR, 'cache'))];
  // They are awaited later, when everything that was started can be stopped.
  for (const early of code) early.catch(() => undefined);
  const services = await starting;
  stops.push(services.stop);
  await Promise.all(code);
  return { services, worker };
}

async function serve({ config, apiPort }: Services, logger: Logger, embed: Embed | undefined) {
  const { startApi } = await import('./start-api.ts');
  await apiPort.release();
  // No proxy sends requests elsewhere.
  return await startApi({ ...config, API_DRAIN_SECONDS: 0 }, logger, embed);
}

/** Starts the worker again whenever it ends by itself. */
function keepRunning(
  worker: WorkerProcess,
  config: Services['config'],
  env: Env,
  logger: Logger,
): { stop(): Promise<void> } {
  const again = async (stopping: AbortSignal) => {
    const next = await startWorkerProcess(config, env);
    const giveUp = () => void next.stop();
    if (stopping.aborted) giveUp();
    stopping.addEventListener('abort', giveUp, { once: true });
    try {
      await next.work(config);
    } finally {
      stopping.removeEventListener('abort', giveUp);
    }
    return next;
  };
  return supervise('The worker', worker, again, () => logger);
}

function openStackPool({ config }: Services, logger: Logger): Pool {
  return openPool({
    connectionString: config.DATABASE_URL,
    max: 4,
    onError: error => logger.warn({ err: error }, 'database connection lost'),
  });
}

/** Writes demo.env for scripts, and the lock's content for other commands. */
function announce(
  services: Services,
  sample: Seeded | undefined,
  lock: DataFolderLock,
): Partial<DemoEnv> {
  const demoEnv = describeStack(services, sample);
  writeDemoEnv(services.config.DATA_DIR, demoEnv);
  lock.announce({
    baseUrl: demoEnv.BASE_URL,
    databaseUrl: services.config.DATABASE_URL,
    temporalAddress: services.config.TEMPORAL_ADDRESS,
    localHostUrl: services.config.LOCAL_HOST_URL,
    localHostToken: services.config.LOCAL_HOST_TOKEN,
  });
  return demoEnv;
}

async function firstLink(pool: Pool, publicUrl: string): Promise<string | undefined> {
  const [organization] = await listOrganizations(pool);
  const token =
    organization && (await transaction(pool, tx => createRecordedSetupLink(tx, organization.id)));
  return token === undefined ? undefined : setupLink(publicUrl.replace(/\/+$/, ''), token);
}

function describeStack(
  services: Services,
  sample: Seeded | undefined,
): Pick<DemoEnv, 'BASE_URL'> & Partial<DemoEnv> {
  const baseUrl = services.config.PUBLIC_URL;
  return {
    BASE_URL: baseUrl,
    ...(sample && {
      PROJECT_ID: sample.project.id,
      DOMAIN: sample.project.domain,
      ADMIN_KEY: sample.adminKey,
      ASSISTANT_KEY: sample.assistantKey,
    }),
    DASHBOARD_URL: `${baseUrl}/dashboard`,
    TEMPORAL_UI_URL: services.temporalUiUrl,
    TEMPORAL_ADDRESS: services.config.TEMPORAL_ADDRESS,
    TEMPORAL_CLI: services.temporalCli,
    ...(services.temporalCli && { EMBEDDED_TEMPORAL: services.config.TEMPORAL_ADDRESS }),
  };
}

function logFile(dataDir: string) {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true });
  return boundedLog(join(folder, 'docent.log'));
}
