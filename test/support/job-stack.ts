import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildApi } from '../../api/app.ts';
import { importRepository } from '../../hosts/local/new-repository.ts';
import { workflowBundle } from '../../cli/stack/workflow-bundle.ts';
import { startOfflineModel } from '../../offline-model/server.ts';
import { type Config, readConfig } from '../../shared/config.ts';
import { createKey } from '../../shared/db/projects/keys.ts';
import { createOrganization } from '../../shared/db/people/organizations.ts';
import type { Pool } from '../../shared/db/pool.ts';
import { createProject, type Project } from '../../shared/db/projects/projects.ts';
import { createLogger } from '../../shared/logger.ts';
import type { RunningWorker } from '../../worker/start-worker.ts';
import { startWorker } from '../../worker/start-worker.ts';
import { type Script, type ScriptedModel, startScriptedModel } from './scripted-model.ts';
import { type TestDatabase, testDatabase, testTemporal } from './services.ts';

export interface JobBody {
  id: string;
  status: string;
  prLink: string | null;
  model: string;
  source: { repository: string; ref: string | null };
  archivedAt: string | null;
}

export interface JobStack {
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
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: unknown; headers: Headers }>;
  /** In the stack's project unless another one is named. */
  create(prompt: string, more?: Record<string, unknown>, projectId?: string): Promise<JobBody>;
  message(jobId: string, prompt: string): Promise<JobBody>;
  /**
   * GETs what a caller with patience gets: a busy machine answers 503 now and then. `rest`: of the
   * job's path.
   */
  get<T>(jobId: string, rest?: string): Promise<T>;
  job(jobId: string): Promise<JobBody>;
  /** Waits until the job rests. */
  rest(jobId: string, timeoutMs?: number, projectId?: string): Promise<JobBody>;
  /** `bundlePath`: workflows other than the present ones. */
  startWorker(bundlePath?: string): Promise<RunningWorker>;
  close(): Promise<void>;
}

export interface JobStackOptions {
  files: Record<string, string>;
  /** What the scripted model plays; without it, the offline model answers. */
  script?: Script;
  env?: Record<string, string>;
  docsFolder?: string;
  /** Services of the test's own, which it may stop. */
  database?: TestDatabase;
  temporalAddress?: string;
  /** Start without a worker: the test runs its own. */
  noWorker?: boolean;
}

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });

const BUNDLES = join(tmpdir(), 'docent-test-bundles');
const PATIENCE_MS = 120_000;

/**
 * The whole main path in this process: API with the built-in repository host, one worker, one
 * project, one model over HTTP.
 */
export async function startJobStack(options: JobStackOptions): Promise<JobStack> {
  const database = options.database ?? (await testDatabase());
  const address = options.temporalAddress ?? testTemporal().address;
  const dataDir = mkdtempSync(join(tmpdir(), 'docent-job-'));
  const script = options.script;
  const scripted = await startScriptedModel(script ?? []);
  const offline = script ? undefined : await startOfflineModel();
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const config = readConfig({
    PORT: String(port),
    PUBLIC_URL: baseUrl,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: address,
    TASK_QUEUE: `docent-${randomBytes(6).toString('hex')}`,
    LOCAL_HOST_URL: baseUrl,
    LOCAL_HOST_TOKEN: randomBytes(16).toString('hex'),
    ANTHROPIC_BASE_URL: offline?.url ?? scripted.url,
    ANTHROPIC_API_KEY: 'sk-ant-test-not-a-real-key',
    ACTIVITY_HEARTBEAT_SECONDS: '5',
    WORKER_SHUTDOWN_GRACE_SECONDS: '1',
    DATABASE_POOL_SIZE: '10',
    ...(offline && { MODEL_PROVIDER: 'offline' }),
    ...options.env,
  }) as Config & { DATABASE_URL: string };
  const connection = await Connection.connect({ address });
  const temporal = new Client({ connection });
  const app = await buildApi({ config, pool: database.pool, temporal });
  await app.listen({ host: '127.0.0.1', port });

  const source = mkdtempSync(join(tmpdir(), 'docent-source-'));
  for (const [path, text] of Object.entries(options.files)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  const imported = await importRepository(
    { pool: database.pool, dataDir, publicUrl: baseUrl },
    { name: 'docs' },
    source,
  );
  const organization = await createOrganization(database.pool, { slug: 'acme', name: 'Acme' });
  const project = await createProject(database.pool, {
    organizationId: organization.id,
    name: 'Docs',
    domain: 'acme',
    host: 'local',
    repository: 'docs',
    repositoryUrl: imported.url,
    baseRef: imported.defaultBranch,
    docsFolder: options.docsFolder ?? 'docs',
  });
  const { token: adminKey } = await createKey(database.pool, {
    organizationId: organization.id,
    kind: 'admin',
    name: 'test',
  });
  const bundlePath = await workflowBundle(BUNDLES);
  const workers = new Set<RunningWorker>();
  const repository = join(dataDir, 'repositories', 'docs.git');

  const stack: JobStack = {
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
    async call(method, path, body, headers = {}) {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${adminKey}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
      };
    },
    async create(prompt, more = {}, projectId = project.id) {
      const { status, body } = await stack.call('POST', `/v2/agent/${projectId}/job`, {
        prompt,
        ...more,
      });
      if (status !== 201) throw new Error(`create: ${status} ${JSON.stringify(body)}`);
      return body as JobBody;
    },
    async message(jobId, prompt) {
      const { status, body } = await stack.call(
        'POST',
        `/v2/agent/${project.id}/job/${jobId}/message`,
        { prompt },
      );
      if (status !== 200) throw new Error(`message: ${status} ${JSON.stringify(body)}`);
      return body as JobBody;
    },
    get: <T>(jobId: string, rest = '') =>
      patientGet<T>(stack, `/v2/agent/${project.id}/job/${jobId}${rest}`, Date.now() + PATIENCE_MS),
    job: jobId => stack.get<JobBody>(jobId),
    async rest(jobId, timeoutMs = 40_000, projectId = project.id) {
      for (const end = Date.now() + timeoutMs; ;) {
        const job = await patientGet<JobBody>(stack, `/v2/agent/${projectId}/job/${jobId}`, end, {
          prefer: 'wait=5',
        });
        if (job.status !== 'active') return job;
        if (Date.now() > end) throw new Error(`job ${jobId} is still active`);
      }
    },
    async startWorker(workflows = bundlePath) {
      const worker = await startWorker({
        config,
        temporal: { address },
        bundlePath: workflows,
        logger: createLogger('silent'),
      });
      workers.add(worker);
      return {
        ...worker,
        stop: async () => {
          if (workers.delete(worker)) await worker.stop();
        },
      };
    },
    async close() {
      await Promise.all([...workers].map(worker => worker.stop()));
      await app.close();
      await connection.close();
      await scripted.close();
      await offline?.close();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
      rmSync(source, { recursive: true, force: true });
    },
  };
  if (!options.noWorker) await stack.startWorker();
  return stack;
}

/** The body of a 200, asked for again after a 503 until `end`. */
async function patientGet<T>(
  stack: JobStack,
  path: string,
  end: number,
  headers?: Record<string, string>,
): Promise<T> {
  for (; ; await new Promise(resolve => setTimeout(resolve, 500))) {
    const { status, body } = await stack.call('GET', path, undefined, headers);
    if (status === 200) return body as T;
    if (status !== 503 || Date.now() > end)
      throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}
