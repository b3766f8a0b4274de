import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../cli/embedded/ports.ts';
import { findRunning, type RunningStack } from '../../cli/stack/running.ts';
import { openPool, type Pool } from '../../db/pool.ts';
import { createKey } from '../../db/projects/keys.ts';
import { findProjectByDomain, type Project } from '../../db/projects/projects.ts';
import { until } from '../../test/support/until.ts';

const run = promisify(execFile);
const DOCENT = join(import.meta.dirname, '..', '..', 'bin', 'docent.mjs');
const START_MS = 120_000;

/** A `docent start` of its own, on a data folder that goes away with it. */
export interface ServedStack {
  baseUrl: string;
  pool: Pool;
  docent(...args: string[]): Promise<string>;
  /** A project once its row is there, and a key of that kind. */
  project(domain: string): Promise<Project>;
  key(project: Project, kind: 'admin' | 'assistant'): Promise<string>;
  /** The process with the API, for its memory; the worker, Postgres and Temporal are below it. */
  pid: number;
  close(): Promise<void>;
}

export async function startServed(modelUrl: string): Promise<ServedStack> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-served-'));
  await chmod(folder, 0o711); // root runs Postgres as another user
  const dataDir = join(folder, 'data');
  const env = {
    ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir },
    PORT: String(await freePort('127.0.0.1')),
    ...{ ANTHROPIC_BASE_URL: modelUrl, ANTHROPIC_API_KEY: 'sk-ant-bench-not-a-real-key' },
    ...{ MODEL_FEATURES: 'all', ASSISTANT_MAX_STREAMS_PER_KEY: '2000' },
  };
  const child = spawn(process.execPath, [DOCENT, 'start'], { env, stdio: 'ignore' });
  let running: RunningStack | undefined;
  await until(
    'docent start is ready',
    () => {
      if (child.exitCode !== null) throw new Error(`docent start ended with ${child.exitCode}`);
      running = findRunning(dataDir);
      return running !== undefined;
    },
    START_MS,
  );
  const { baseUrl, databaseUrl, pid } = running as RunningStack;
  const pool = openPool({ connectionString: databaseUrl, max: 2 });
  return {
    ...{ baseUrl, pool, pid },
    docent: async (...args) => (await run(process.execPath, [DOCENT, ...args], { env })).stdout,
    project: async domain => await projectNamed(pool, domain),
    async key({ organizationId, id: projectId }, kind) {
      const of = kind === 'assistant' ? { projectId } : {};
      return (await createKey(pool, { organizationId, kind, name: 'bench', ...of })).token;
    },
    async close() {
      await pool.end();
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function projectNamed(pool: Pool, domain: string): Promise<Project> {
  let found: Project | undefined;
  await until(`project ${domain} is there`, async () => {
    found = await findProjectByDomain(pool, domain);
    return found !== undefined;
  });
  return found as Project;
}
