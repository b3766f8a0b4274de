import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../cli/embedded/ports.ts';
import { startPostgres } from '../../cli/embedded/postgres.ts';
import { migrate } from '../../db/migrate.ts';
import { createOrganization } from '../../db/people/organizations.ts';
import { openPool, type Pool } from '../../db/pool.ts';
import { createProject } from '../../db/projects/projects.ts';

export async function newProject(pool: Pool, domain: string): Promise<string> {
  const organization = await createOrganization(pool, { slug: domain, name: domain });
  const { id } = await createProject(pool, {
    organizationId: organization.id,
    name: domain,
    domain,
    host: 'local',
    repository: domain,
    repositoryUrl: 'http://localhost/bench',
    baseRef: 'main',
  });
  return id;
}

/** A Postgres of the bench's own, as `docent start` would run it. */
export async function withDatabase<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-bench-'));
  await chmod(folder, 0o711); // root runs Postgres as another user
  const server = await startPostgres({
    folder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    host: '127.0.0.1',
    port: await freePort('127.0.0.1'),
    durable: true,
  });
  const pool = openPool({ connectionString: server.url });
  try {
    await migrate(pool);
    return await work(pool);
  } finally {
    await pool.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
