import { Client, Connection } from '@temporalio/client';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  InjectOptions,
  LightMyRequestResponse,
} from 'fastify';
import { buildApi } from '../../api/app.ts';
import { type Config, readConfig } from '../../shared/config.ts';
import { createKey } from '../../db/projects/keys.ts';
import { createOrganization } from '../../db/people/organizations.ts';
import type { Pool } from '../../db/pool.ts';
import { createProject, type Project } from '../../db/projects/projects.ts';
import { newId } from '../../shared/ids.ts';
import { testDatabase, testTemporal } from '../support/services.ts';

export interface Tenant {
  organizationId: string;
  project: Project;
  adminKey: string;
  assistantKey: string;
}

export interface TestApi {
  app: FastifyInstance;
  config: Config;
  pool: Pool;
  temporal: Client;
  tenant: Tenant;
  /** Another organization in the same installation. */
  stranger: Tenant;
  /** A request with the tenant's admin key, unless `key` says otherwise. */
  call(
    method: InjectOptions['method'],
    url: string,
    options?: { body?: unknown; key?: string | null; headers?: Record<string, string> },
  ): Promise<LightMyRequestResponse>;
  /** The tenant's project in the agent API. */
  base: string;
  /** A job of the tenant's, by way of the API. */
  createJob(prompt?: string, rest?: object): Promise<{ id: string; status: string }>;
  /** Lets a job rest that no worker serves. */
  restJob(id: string, state?: string): Promise<unknown>;
  jobRow(id: string): Promise<
    {
      state: string;
      branch: string;
      run_id: string | null;
      n: number;
      archived_at: Date | null;
    } & Record<string, unknown>
  >;
  close(): Promise<void>;
}

/**
 * The API over a fresh database and the run's Temporal, on a task queue of its own, with two
 * tenants.
 */
export async function startApi(
  settings: Record<string, string> = {},
  logger?: FastifyBaseLogger,
): Promise<TestApi> {
  const database = await testDatabase();
  const connection = await Connection.connect({ address: testTemporal().address });
  const temporal = new Client({ connection });
  const config = readConfig({
    DATABASE_URL: database.url,
    TASK_QUEUE: newId('q'),
    MODEL_PROVIDER: 'offline',
    PUBLIC_URL: 'http://docent.test',
    ...settings,
  });
  const app = await buildApi({ config, pool: database.pool, temporal, ...(logger && { logger }) });
  await app.ready();
  const tenant = await createTenant(database.pool, 'acme');
  const base = `/v2/agent/${tenant.project.id}`;
  const api: TestApi = {
    app,
    config,
    pool: database.pool,
    temporal,
    tenant,
    base,
    stranger: await createTenant(database.pool, 'stranger'),
    call: (method, url, { body, key = tenant.adminKey, headers = {} } = {}) =>
      app.inject({
        method: method!,
        url,
        headers: { ...(key !== null && { authorization: `Bearer ${key}` }), ...headers },
        ...(body !== undefined && { payload: body as object }),
      }),
    createJob: async (prompt = 'Rename Widget to Gadget in the docs', rest = {}) => {
      const response = await api.call('POST', `${base}/job`, { body: { prompt, ...rest } });
      if (response.statusCode !== 201)
        throw new Error(`create: ${response.statusCode} ${response.body}`);
      return response.json<{ id: string; status: string }>();
    },
    restJob: (id, state = 'completed') =>
      database.pool.query(
        `with taken as (update instructions set state = 'taken', turn = 1
                         where job_id = $1 and state = 'waiting')
         update jobs set state = $2, n = 99, finished_at = now(),
                         halt_reason = case $2 when 'completed' then 'completed' else 'error' end
          where id = $1`,
        [id, state],
      ),
    jobRow: async id =>
      (await database.pool.query('select * from jobs where id = $1', [id])).rows[0]!,
    close: async () => {
      await app.close();
      await terminateJobs(database.pool, temporal);
      await connection.close();
      await database.close();
    },
  };
  return api;
}

async function createTenant(pool: Pool, slug: string): Promise<Tenant> {
  const { id: organizationId } = await createOrganization(pool, { slug, name: slug });
  const project = await createProject(pool, {
    organizationId,
    name: `${slug} docs`,
    domain: `${slug}-docs`,
    host: 'local',
    repository: `${slug}-docs`,
    repositoryUrl: `http://docent.test/git/${slug}-docs.git`,
    baseRef: 'main',
    docsFolder: 'docs',
  });
  return {
    organizationId,
    project,
    adminKey: (await createKey(pool, { organizationId, kind: 'admin', name: 'test' })).token,
    assistantKey: (
      await createKey(pool, {
        organizationId,
        projectId: project.id,
        kind: 'assistant',
        name: 'test',
      })
    ).token,
  };
}

/** Workflows that no worker serves would stay on the run's server. */
async function terminateJobs(pool: Pool, temporal: Client): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('select id from jobs');
  await Promise.all(
    rows.map(({ id }) =>
      temporal.workflow
        .getHandle(id)
        .terminate('the test is over')
        .catch(() => undefined),
    ),
  );
}
