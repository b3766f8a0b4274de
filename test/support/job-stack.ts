import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildApi } from '../../api/app.ts';
import { freePort } from '../../cli/embedded/ports.ts';
import { importRepository } from '../../hosts/local/new-repository.ts';
import { startOfflineModel } from '../../offline-model/server.ts';
import { type Config, readConfig } from '../../shared/config.ts';
import { createKey } from '../../db/projects/keys.ts';
import { createOrganization } from '../../db/people/organizations.ts';
import type { Pool } from '../../db/pool.ts';
import { createProject, type Project } from '../../db/projects/projects.ts';
import { createLogger } from '../../shared/logger.ts';
import { clientConverter } from '../../shared/secrets/payload-codec.ts';
import { type RunningWorker, startWorker } from '../../worker/start-worker.ts';
import { type JobCalls, jobCalls } from './job-calls.ts';
import { type Script, type ScriptedModel, startScriptedModel } from './scripted-model.ts';
import { type TestDatabase, testDatabase, testTemporal, testWorkflows } from './services.ts';

export type { JobBody } from './job-calls.ts';

export interface JobStack extends JobCalls {
  baseUrl: string;
  config: Config;
  pool: Pool;
  databaseUrl: string;
  temporal: Client;
  project: Project;
  adminKey: string;
  /** The scripted model, unless the offline one answers. */
  model: ScriptedModel;
  bundlePath: string;
  /** The bare repository, for git. */
  repository: string;
  git(...args: string[]): string;
  /** `bundlePath`: workflows other than the present ones. */
  startWorker(bundlePath?: string): Promise<RunningWorker>;
  /** Ends the API in the middle of its answers; what it gives back starts it again. */
  killApi(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface JobStackOptions {
  files: Record<string, string | Buffer>;
  /** What the scripted model plays; without it, the offline model answers. */
  script?: Script;
  env?: Record<string, string>;
  docsFolder?: string;
  /** Services of the test's own, which it may stop. */
  database?: TestDatabase;
  temporalAddress?: string;
  /** Start without a worker: the test runs its own. */
  noWorker?: boolean;
  /** In `database` already, with its repository in DATA_DIR: none is made of `files`. */
  installed?: { project: Project; adminKey: string };
}

if (!Runtime._instance)
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });

/**
 * The whole main path in this process: API with the built-in repository host, one worker, one
 * project, one model over HTTP.
 */
export async function startJobStack(options: JobStackOptions): Promise<JobStack> {
  const database = options.database ?? (await testDatabase());
  const address = options.temporalAddress ?? testTemporal().address;
  const scripted = await startScriptedModel(options.script ?? []);
  const offline = options.script ? undefined : await startOfflineModel();
  const config = await configFor(options, database, address, offline?.url ?? scripted.url);
  const { PUBLIC_URL: baseUrl, DATA_DIR: dataDir } = config;
  const connection = await Connection.connect({ address });
  const temporal = new Client({ connection, dataConverter: clientConverter(config) });
  const serve = async () => {
    const api = await buildApi({ config, pool: database.pool, temporal });
    await api.listen({ host: '127.0.0.1', port: config.PORT });
    return api;
  };
  let app = await serve();
  const { project, adminKey } =
    options.installed ?? (await createDocsProject(database.pool, config, options));
  const bundlePath = testWorkflows();
  const repository = join(dataDir, 'repositories', 'docs.git');
  const workers = new Workers(config, address);

  const stack: JobStack = {
    ...jobCalls(baseUrl, adminKey, project.id),
    baseUrl,
    config,
    pool: database.pool,
    databaseUrl: database.url,
    temporal,
    project,
    adminKey,
    model: scripted,
    bundlePath,
    repository,
    git: (...args) => execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' }),
    startWorker: (workflows = bundlePath) => workers.start(workflows),
    async killApi() {
      const closed = app.close();
      app.server.closeAllConnections();
      await closed;
      return async () => {
        app = await serve();
      };
    },
    async close() {
      await workers.stop();
      await app.close();
      await connection.close();
      await scripted.close();
      await offline?.close();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  if (!options.noWorker) await stack.startWorker();
  return stack;
}

type StackConfig = Config & { DATABASE_URL: string; PORT: number; PUBLIC_URL: string };

async function configFor(
  options: JobStackOptions,
  database: TestDatabase,
  address: string,
  modelUrl: string,
): Promise<StackConfig> {
  const port = await freePort('127.0.0.1');
  const baseUrl = `http://127.0.0.1:${port}`;
  return readConfig({
    PORT: String(port),
    PUBLIC_URL: baseUrl,
    DATA_DIR: mkdtempSync(join(tmpdir(), 'docent-job-')),
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: address,
    TASK_QUEUE: `docent-${randomBytes(6).toString('hex')}`,
    LOCAL_HOST_URL: baseUrl,
    LOCAL_HOST_TOKEN: randomBytes(16).toString('hex'),
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'sk-ant-test-not-a-real-key',
    MODEL_FEATURES: 'all',
    ACTIVITY_HEARTBEAT_SECONDS: '5',
    WORKER_SHUTDOWN_GRACE_SECONDS: '1',
    DATABASE_POOL_SIZE: '10',
    ...(!options.script && { MODEL_PROVIDER: 'offline' }),
    ...options.env,
  }) as StackConfig;
}

/** A repository with the given files, and a project on it with an admin key. */
async function createDocsProject(
  pool: Pool,
  { DATA_DIR: dataDir, PUBLIC_URL: publicUrl }: StackConfig,
  { files, docsFolder = 'docs' }: JobStackOptions,
): Promise<{ project: Project; adminKey: string }> {
  const source = mkdtempSync(join(tmpdir(), 'docent-source-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  const imported = await importRepository({ pool, dataDir, publicUrl }, { name: 'docs' }, source);
  rmSync(source, { recursive: true });
  const organization = await createOrganization(pool, { slug: 'acme', name: 'Acme' });
  const project = await createProject(pool, {
    organizationId: organization.id,
    name: 'Docs',
    domain: 'acme',
    host: 'local',
    repository: 'docs',
    repositoryUrl: imported.url,
    baseRef: imported.defaultBranch,
    docsFolder,
  });
  const { token } = await createKey(pool, {
    organizationId: organization.id,
    kind: 'admin',
    name: 'test',
  });
  return { project, adminKey: token };
}

/** The workers in this process. */
class Workers {
  readonly #config: StackConfig;
  readonly #address: string;
  readonly #running = new Set<RunningWorker>();

  constructor(config: StackConfig, address: string) {
    this.#config = config;
    this.#address = address;
  }

  async start(bundlePath: string): Promise<RunningWorker> {
    const worker = await startWorker({
      config: this.#config,
      temporal: { address: this.#address },
      bundlePath,
      logger: createLogger('silent'),
    });
    this.#running.add(worker);
    return {
      ...worker,
      stop: async () => {
        if (this.#running.delete(worker)) await worker.stop();
      },
    };
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running].map(worker => worker.stop()));
  }
}
