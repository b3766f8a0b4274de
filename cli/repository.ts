import { findDocsFolder } from '../api/local-host/docs-folder.ts';
import { importRepository, readRepository } from '../api/local-host/repositories.ts';
import type { Config } from '../shared/config.ts';
import { findRepository } from '../shared/db/local-host.ts';
import type { Pool } from '../shared/db/pool.ts';
import type { NewProject } from '../shared/db/projects.ts';
import { inspectRepository } from '../shared/github/inspect.ts';
import { openGitHub } from '../shared/github/open.ts';
import { repositoryAt } from '../shared/github/site.ts';
import { CommandFailure, EXIT } from './failure.ts';

export type Located = Pick<NewProject, 'host' | 'repository' | 'repositoryUrl' | 'baseRef' | 'docsFolder'>;

/**
 * Where a project's repository lies. One on GitHub is used where it is, when there are credentials for it;
 * any other path or address is copied into the built-in repository host under `name`, unless it is the name of
 * a repository there.
 */
export async function locateRepository(
  pool: Pool, config: Config, organizationId: string, name: string, options: { repository: string; baseRef?: string; docsFolder?: string },
): Promise<Located> {
  const github = openGitHub(config, pool, organizationId);
  const onGitHub = github && repositoryAt(github.site, options.repository);
  if (onGitHub) {
    const { baseRef, docsFolder } = options;
    return { host: 'github', ...await inspectRepository(github, onGitHub, { ...(baseRef && { baseRef }), ...(docsFolder !== undefined && { docsFolder: trimmed(docsFolder) }) }) };
  }
  if (!config.PUBLIC_URL) throw new CommandFailure('PUBLIC_URL is not set: the address of a copied repository is built on it.', EXIT.usage);
  const at = { pool, dataDir: config.DATA_DIR, publicUrl: config.PUBLIC_URL };
  const repository = await findRepository(pool, options.repository)
    ? await readRepository(at, options.repository)
    : await importRepository(at, { name, ...(options.baseRef && { defaultBranch: options.baseRef }) }, options.repository);
  return {
    host: 'local', repository: repository.name, repositoryUrl: repository.url, baseRef: options.baseRef ?? repository.defaultBranch,
    docsFolder: trimmed(options.docsFolder ?? await findDocsFolder(at, repository.name, repository.defaultBranch)),
  };
}

function trimmed(folder: string): string {
  return folder.replace(/^[./]+|\/+$/g, '');
}
