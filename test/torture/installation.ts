import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { freePort } from '../../cli/embedded/ports.ts';
import { importRepository } from '../../hosts/local/new-repository.ts';
import { migrate } from '../../db/migrate.ts';
import { createOrganization } from '../../db/people/organizations.ts';
import { openPool, type Pool } from '../../db/pool.ts';
import { createKey } from '../../db/projects/keys.ts';
import { createProject, type Project } from '../../db/projects/projects.ts';
import { clientConverter } from '../../shared/secrets/payload-codec.ts';
import { type Script, type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts';
import { addAutomation, AUTOMATION, AUTOMATION_FILE } from './automations.ts';
import { LAST_LINE, PAGE } from './model.ts';
import { OnGitHub } from './on-github.ts';
import { Person } from './person.ts';
import { Proxy } from './proxy.ts';
import { Role } from './role.ts';
import { type Services, startServices } from './services.ts';
import { mountDisks, type SmallDisk } from './small-disk.ts';

const HOST = '127.0.0.1';
/** What runs, unless it is of another checkout. */
export const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'docent.mjs');
const FILES = {
  [PAGE]: `---\ntitle: Log\n---\n\n# Log\n\n${LAST_LINE}\n`,
  [AUTOMATION_FILE]: AUTOMATION,
};

/** What has a proxy before it; Postgres and Temporal for the APIs, unless it says for workers. */
export type Link =
  'postgres' | 'postgres of workers' | 'temporal' | 'temporal of workers' | 'host' | 'model';

export interface Installation {
  folder: string;
  project: Project;
  adminKey: string;
  assistantKey: string;
  automationId: string;
  token: string;
  /** Past the proxies, for the judge. */
  pool: Pool;
  temporalAddress: string;
  repository: string;
  /** The states of the pull requests from a branch. */
  pulls(head: string): Promise<string[]>;
  /** If the project is there. */
  onGitHub: OnGitHub | undefined;
  branchOf(jobId: string): Promise<string | null>;
  pullOf(jobId: string): Promise<number | null>;
  person: Person;
  waits: true;
  model: ScriptedModel;
  proxies: Record<Link, Proxy>;
  apis: Role[];
  workers: Role[];
  services: Services;
  isEncrypted: boolean;
  /** Of a client that can read what Temporal stores. */
  dataConverter: DataConverter;
  /** By what lies on them; none if the fault is not asked for, or none may be mounted here. */
  disks: Record<string, SmallDisk>;
  /** Everything ends at once; then all of it starts again. */
  powerCut(): Promise<void>;
  close(): Promise<void>;
}

export interface InstallationOptions {
  script: Script;
  apis: number;
  workers: number;
  maxActive: number;
  onGitHub: boolean;
  smallDisks: boolean;
  isEncrypted: boolean;
  /** What `docent` is: the path of `bin/docent.mjs` of a checkout. */
  program: string;
}

/** Postgres, Temporal, APIs, workers and a model, with a proxy before each connection. */
export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-torture-'));
  chmodSync(folder, 0o711);
  const dataDir = join(folder, 'data');
  const temporary = join(folder, 'tmp');
  const kept = { postgres: join(folder, 'postgres'), temporal: join(folder, 'temporal') };
  mkdirSync(temporary);
  const disks = options.smallDisks
    ? mountDisks({
        ...{ api: dataDir, 'temporary folder': temporary },
        ...{ ...kept, ...workerFolders(folder, options.workers) },
      })
    : {};
  const services = await startServices(folder);
  const model = await startScriptedModel(options.script);
  const pool = openPool({ connectionString: services.postgresUrl, max: 4 });
  await migrate(pool);
  const apiPorts = await Promise.all(Array.from({ length: options.apis }, () => freePort(HOST)));
  const target = (url: string) => ({ host: HOST, port: Number(new URL(url).port) });
  const temporalTarget = target(`tcp://${services.temporalAddress}`);
  const proxies = {
    postgres: await Proxy.before(target(services.postgresUrl)),
    'postgres of workers': await Proxy.before(target(services.postgresUrl)),
    temporal: await Proxy.before(temporalTarget),
    'temporal of workers': await Proxy.before(temporalTarget),
    host: await Proxy.before({ host: HOST, port: apiPorts[0]! }),
    model: await Proxy.before(target(model.url)),
  };
  const baseUrl = `http://${HOST}:${apiPorts[0]}`;
  const { project, adminKey, assistantKey } = await makeProject(pool, folder, dataDir, baseUrl);
  const onGitHub = options.onGitHub ? await OnGitHub.put(pool, project, FILES) : undefined;
  const automationId = await addAutomation(pool, project);
  const token = randomBytes(16).toString('hex');
  const through = (postgres: Proxy, temporal: Proxy) => {
    const database = new URL(services.postgresUrl);
    database.port = String(postgres.port);
    return { DATABASE_URL: database.href, TEMPORAL_ADDRESS: `${HOST}:${temporal.port}` };
  };
  const ofWorkers = through(proxies['postgres of workers'], proxies['temporal of workers']);
  const settings = {
    TMPDIR: temporary,
    ...through(proxies.postgres, proxies.temporal),
    LOCAL_HOST_URL: `http://${HOST}:${proxies.host.port}`,
    LOCAL_HOST_TOKEN: token,
    PUBLIC_URL: baseUrl,
    ANTHROPIC_BASE_URL: `http://${HOST}:${proxies.model.port}`,
    ANTHROPIC_API_KEY: 'sk-ant-torture-not-a-real-key',
    MODEL_IDLE_TIMEOUT_SECONDS: '8',
    ACTIVITY_HEARTBEAT_SECONDS: '5',
    WORKER_SHUTDOWN_GRACE_SECONDS: '3',
    DATABASE_POOL_SIZE: '12',
    JOB_MAX_ACTIVE_PER_PROJECT: String(options.maxActive),
    ALLOWED_PRIVATE_NETWORKS: HOST,
    TEMPORAL_ENCRYPTION: String(options.isEncrypted),
    ENCRYPTION_KEY: 'a key of the torture, of more than 32 characters',
    AUTOMATION_MAX_RUNS_PER_HOUR: '1000',
    ASSISTANT_ORGANIZATION_HOURLY_LIMIT: '1000000',
    ASSISTANT_ADDRESS_DAILY_LIMIT: '1000000',
    LOG_LEVEL: 'info',
    ...onGitHub?.settings,
  };
  const start = { folder, program: options.program };
  const make = async (name: string, command: string, own: Record<string, string>) => {
    const METRICS_PORT = String(await freePort(HOST));
    return new Role({ ...start, name, command, env: { ...settings, METRICS_PORT, ...own } });
  };
  const apis = await Promise.all(
    apiPorts.map((port, i) => make(`api-${i}`, 'api', { DATA_DIR: dataDir, PORT: String(port) })),
  );
  const workers = await Promise.all(
    Object.entries(workerFolders(folder, options.workers)).map(([name, DATA_DIR]) =>
      make(name, 'worker', { DATA_DIR, ...ofWorkers }),
    ),
  );
  const roles = [...apis, ...workers];
  const remote = onGitHub?.folder ?? `http://person:${token}@${HOST}:${apiPorts[0]}/git/docs.git`;
  const person = new Person(join(folder, 'person'), remote);
  for (const role of roles) role.start();
  return {
    folder,
    project,
    adminKey,
    assistantKey,
    automationId,
    token,
    pool,
    temporalAddress: services.temporalAddress,
    repository: onGitHub?.folder ?? join(dataDir, 'repositories', 'docs.git'),
    pulls: async head => onGitHub?.pulls(head) ?? localPulls(pool, head),
    onGitHub,
    async branchOf(jobId) {
      const { rows } = await pool.query<{ ref: string | null }>(
        'select ref from jobs where id = $1',
        [jobId],
      );
      return rows[0]?.ref ?? null;
    },
    async pullOf(jobId) {
      const { rows } = await pool.query<{ number: number }>(
        "select number from local_pull_requests where job_id = $1 and state = 'open'",
        [jobId],
      );
      return rows[0]?.number ?? null;
    },
    person,
    waits: true as const,
    model,
    proxies,
    apis,
    workers,
    services,
    isEncrypted: options.isEncrypted,
    dataConverter: clientConverter({ ...settings, ENCRYPTION_KEYS_BEFORE: '' }),
    disks,
    async powerCut() {
      for (const role of roles) role.kill();
      await services.powerCut();
      for (const role of roles) role.start();
    },
    async close() {
      await Promise.all(roles.map(role => role.end()));
      await pool.end();
      await Promise.all(Object.values(proxies).map(proxy => proxy.close()));
      await Promise.all([services.stop(), model.close(), onGitHub?.stop()]);
      for (const disk of Object.values(disks)) disk.unmount();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function workerFolders(folder: string, workers: number): Record<string, string> {
  const names = Array.from({ length: workers }, (_, i) => `worker-${i}`);
  return Object.fromEntries(names.map(name => [name, join(folder, name)]));
}

/** Of the built-in host. */
export async function localPulls(pool: Pool, head: string): Promise<string[]> {
  const { rows } = await pool.query<{ state: string }>(
    'select state from local_pull_requests where head = $1',
    [head],
  );
  return rows.map(({ state }) => state);
}

async function makeProject(pool: Pool, folder: string, dataDir: string, publicUrl: string) {
  const source = join(folder, 'source');
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  const imported = await importRepository({ pool, dataDir, publicUrl }, { name: 'docs' }, source);
  const organization = await createOrganization(pool, { slug: 'acme', name: 'Acme' });
  const project = await createProject(pool, {
    organizationId: organization.id,
    ...{ name: 'Docs', domain: 'acme', host: 'local' as const, repository: 'docs' },
    repositoryUrl: imported.url,
    baseRef: imported.defaultBranch,
    docsFolder: 'docs',
  });
  const name = 'torture';
  const ofOrganization = { organizationId: organization.id, name };
  const { token: adminKey } = await createKey(pool, { ...ofOrganization, kind: 'admin' });
  const { token: assistantKey } = await createKey(pool, {
    ...{ ...ofOrganization, kind: 'assistant', projectId: project.id, monthlyLimit: 1_000_000 },
  });
  return { project, adminKey, assistantKey };
}
