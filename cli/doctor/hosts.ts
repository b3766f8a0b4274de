import { HOSTS } from '../../hosts/registry.ts';
import type { HostCredentials, HostDefinition } from '../../hosts/host-definition.ts';
import { RepositoryError } from '../../hosts/repository-error.ts';
import type { Config } from '../../shared/config.ts';
import { openPool, type Pool } from '../../db/pool.ts';
import { listProjectsOfHost } from '../../db/projects/projects.ts';
import { ConfigError } from '../../shared/errors.ts';
import type { Finding } from './finding.ts';
import { findRunning } from '../stack/running.ts';

/**
 * Tries the credentials of every host that has some, and every project there; of what is wrong, the
 * first thing to repair.
 */
export async function checkHosts(config: Config): Promise<Finding[]> {
  return await Promise.all(
    HOSTS.flatMap(host => (host.credentials ? [checkHost(config, host, host.credentials)] : [])),
  );
}

async function checkHost(
  config: Config,
  host: HostDefinition,
  credentials: HostCredentials,
): Promise<Finding> {
  const { name } = host;
  const problem = host.problem(config);
  if (problem !== null)
    return credentials.areIncomplete(config)
      ? { name, state: 'missing', says: problem }
      : {
          name,
          state: 'note',
          says: `${problem} Until then, repositories are on the built-in host`,
        };
  const connectionString = config.DATABASE_URL ?? findRunning(config.DATA_DIR)?.databaseUrl;
  if (!connectionString)
    return {
      name,
      state: 'ok',
      says: 'credentials are set; while Docent runs, they are tried on each project',
    };
  const pool = openPool({ connectionString, max: 2 });
  try {
    return { name, state: 'ok', says: await tryAll(config, pool, host, credentials) };
  } catch (error) {
    if (error instanceof RepositoryError || error instanceof ConfigError)
      return { name, state: 'missing', says: error.message };
    return { name, state: 'note', says: 'not tried: the database does not answer' };
  } finally {
    await pool.end();
  }
}

async function tryAll(
  config: Config,
  pool: Pool,
  host: HostDefinition,
  credentials: HostCredentials,
): Promise<string> {
  const found = await credentials.describe({ config, pool });
  const projects = await listProjectsOfHost(pool, host.kind);
  for (const { repository, ...wanted } of projects)
    await host.locate({ config, pool }, undefined, repository, wanted);
  if (projects.length === 0) return `${found}; no project is there yet`;
  const count = `${projects.length} project${projects.length === 1 ? '' : 's'}`;
  return `${found}; ${count} can be read and pushed to`;
}
