import { findDocsFolder } from '../api/local-host/docs-folder.ts';
import { importRepository, readRepository } from '../api/local-host/repositories.ts';
import type { Config } from '../shared/config.ts';
import { findRepository } from '../shared/db/local-host.ts';
import type { Pool } from '../shared/db/pool.ts';
import type { NewProject } from '../shared/db/projects.ts';
import { CommandFailure, EXIT } from './failure.ts';

export type Located = Pick<NewProject, 'host' | 'repository' | 'repositoryUrl' | 'baseRef' | 'docsFolder'>;

/**
 * Where a project's repository lies. One on GitHub is used where it is, when there are credentials for it;
 * any other path or address is copied into the built-in repository host under `name`, unless it is the name of
 * a repository there.
 */
export async function locateRepository(
  pool: Pool, config: Config, name: string, options: { repository: string; baseRef?: string; docsFolder?: string },
): Promise<Located> {
  const github = gitHubName(config, options.repository);
  if (github) {
    if (options.baseRef === undefined) throw new CommandFailure('Name the branch that pull requests go to with --base-ref.', EXIT.usage);
    return { host: 'github', ...github, baseRef: options.baseRef, docsFolder: trimmed(options.docsFolder ?? '') };
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

function gitHubName(config: Config, address: string): { repository: string; repositoryUrl: string } | undefined {
  const [, owner, name] = /^(?:https:\/\/github\.com\/|git@github\.com:)([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(address) ?? [];
  if (!owner || !name || !(config.GITHUB_TOKEN || config.GITHUB_APP_ID)) return undefined;
  return { repository: `${owner}/${name}`, repositoryUrl: `https://github.com/${owner}/${name}` };
}

function trimmed(folder: string): string {
  return folder.replace(/^[./]+|\/+$/g, '');
}
