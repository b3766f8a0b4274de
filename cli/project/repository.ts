import { countPages, findDocsFolder, requireDocsFolder } from '../../hosts/local/docs-folder.ts';
import {
  deleteRepository,
  importRepository,
  readRepository,
  requireBranch,
} from '../../hosts/local/repositories.ts';
import type { LocalHostContext } from '../../hosts/local/context.ts';
import type { Config } from '../../shared/config.ts';
import { findRepository } from '../../shared/db/local-host/local-host.ts';
import type { Pool } from '../../shared/db/pool.ts';
import type { NewProject } from '../../shared/db/projects/projects.ts';
import { inspectRepository } from '../../hosts/github/inspect.ts';
import { openGitHub } from '../../hosts/github/open.ts';
import { repositoryAt } from '../../hosts/github/site.ts';
import type { LocalRepository } from '../../hosts/local/schemas.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';

export type Located = Pick<NewProject, 'host' | 'repository' | 'repositoryUrl' | 'baseRef'> & {
  docsFolder: string;
  /** Number of pages; unknown for repositories on GitHub until the first indexing. */
  pages?: number;
};

/**
 * Finds a project's repository. One on GitHub is used in place if there are credentials for it. Any
 * other path or URL is copied into the built-in host under `name`, unless it is the name of a
 * repository there.
 */
export async function locateRepository(
  pool: Pool,
  config: Config,
  organizationId: string,
  name: string,
  options: { repository: string; baseRef?: string; docsFolder?: string },
): Promise<Located> {
  const github = openGitHub(config, pool, organizationId);
  const onGitHub = github && repositoryAt(github.site, options.repository);
  if (onGitHub) {
    const { baseRef, docsFolder } = options;
    return {
      host: 'github',
      ...(await inspectRepository(github, onGitHub, {
        ...(baseRef && { baseRef }),
        ...(docsFolder !== undefined && { docsFolder: trimmed(docsFolder) }),
      })),
    };
  }
  if (!config.PUBLIC_URL)
    throw new CommandFailure(
      'PUBLIC_URL is not set: it is part of the URL of a copied repository.',
      EXIT.usage,
    );
  const at = { pool, dataDir: config.DATA_DIR, publicUrl: config.PUBLIC_URL };
  if (await findRepository(pool, options.repository))
    return await inspect(at, await readRepository(at, options.repository), options);
  if (await findRepository(pool, name)) {
    throw new CommandFailure(
      `The built-in host already has a repository ${name}. ` +
        `To use it unchanged: --repository ${name}. ` +
        `To copy ${options.repository} there: choose another project name.`,
      EXIT.usage,
    );
  }
  const copied = await importRepository(
    at,
    { name, ...(options.baseRef && { defaultBranch: options.baseRef }) },
    options.repository,
  );
  try {
    return await inspect(at, copied, options);
  } catch (error) {
    await deleteRepository(at, name);
    throw error;
  }
}

async function inspect(
  at: LocalHostContext,
  { name, url, defaultBranch }: LocalRepository,
  options: { baseRef?: string; docsFolder?: string },
): Promise<Located> {
  const baseRef = options.baseRef ?? defaultBranch;
  await requireBranch(at, name, baseRef);
  const docsFolder = trimmed(options.docsFolder ?? (await findDocsFolder(at, name, baseRef)));
  await requireDocsFolder(at, name, baseRef, docsFolder);
  return {
    host: 'local',
    repository: name,
    repositoryUrl: url,
    baseRef,
    docsFolder,
    pages: await countPages(at, name, baseRef, docsFolder),
  };
}

function trimmed(folder: string): string {
  return folder.replace(/^\.?\/+|\/+$/g, '').replace(/^\.$/, '');
}
