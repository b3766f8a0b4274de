import type { Config } from '../../shared/config.ts';
import { ConfigError } from '../../shared/errors.ts';
import { listProjectsOnGitHub } from '../../shared/db/github/installations.ts';
import { openPool, type Pool } from '../../shared/db/pool.ts';
import { inspectRepository } from '../../hosts/github/inspect.ts';
import { appOf, gitHubProblem, openGitHub } from '../../hosts/github/open.ts';
import { RepositoryError } from '../../hosts/repository-error.ts';
import type { Finding } from './finding.ts';
import { findRunning } from '../stack/running.ts';

const name = 'GitHub';

/**
 * Tries the credentials and every project on GitHub; of what is wrong, the first thing to repair.
 */
export async function checkGitHub(config: Config): Promise<Finding> {
  const problem = gitHubProblem(config);
  const halfSet = config.GITHUB_APP_ID ?? config.GITHUB_APP_PRIVATE_KEY;
  if (problem !== null)
    return {
      name,
      state: halfSet ? 'missing' : 'note',
      says: halfSet ? problem : `${problem} Until then, repositories are on the built-in host`,
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
    return { name, state: 'ok', says: await tryAll(config, pool) };
  } catch (error) {
    if (error instanceof RepositoryError || error instanceof ConfigError)
      return { name, state: 'missing', says: error.message };
    return { name, state: 'note', says: 'not tried: the database does not answer' };
  } finally {
    await pool.end();
  }
}

async function tryAll(config: Config, pool: Pool): Promise<string> {
  const who = await appOf(config, pool)?.describe();
  if (who?.problem) throw new RepositoryError('credentials_refused', who.problem);
  const github = openGitHub(config, pool);
  const projects = await listProjectsOnGitHub(pool);
  if (github)
    for (const { repository, baseRef, docsFolder } of projects)
      await inspectRepository(github, repository, { baseRef, docsFolder });
  return `${who ? `App ${who.slug}` : 'GITHUB_TOKEN is set'}; ${projects.length === 0 ? 'no project is there yet' : `${projects.length} project${projects.length === 1 ? '' : 's'} can be read and pushed to`}`;
}
