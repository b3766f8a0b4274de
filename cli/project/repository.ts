import type { HostDefinition, LocatedRepository } from '../../hosts/host-definition.ts';
import type { HostDeps } from '../../hosts/host-deps.ts';
import { HOSTS, hostOfCopies } from '../../hosts/registry.ts';
import type { Config } from '../../shared/config.ts';
import type { HostKind } from '../../shared/host-kind.ts';
import type { Pool } from '../../db/pool.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';

export type Located = Omit<LocatedRepository, 'public'> & { host: HostKind };

interface Options {
  repository: string;
  baseRef?: string;
  docsFolder?: string;
}

/**
 * Finds a project's repository. One on a host with credentials is used in place. Any other path or
 * URL is copied into the built-in host under `name`, unless it is the name of a repository there.
 */
export async function locateRepository(
  pool: Pool,
  config: Config,
  organizationId: string,
  name: string,
  options: Options,
): Promise<Located> {
  const deps = { pool, config };
  const copying = hostOfCopies();
  for (const host of HOSTS.filter(({ kind }) => kind !== copying.kind)) {
    const repository = await host.repositoryAt(deps, options.repository);
    if (repository !== undefined)
      return await locate(deps, host, organizationId, repository, options);
  }
  if (!config.PUBLIC_URL)
    throw new CommandFailure(
      'PUBLIC_URL is not set: it is part of the URL of a copied repository.',
      EXIT.usage,
    );
  const known = await copying.repositoryAt(deps, options.repository);
  if (known !== undefined) return await locate(deps, copying, organizationId, known, options);
  if ((await copying.repositoryAt(deps, name)) !== undefined)
    throw new CommandFailure(
      `The built-in host already has a repository ${name}. ` +
        `To use it unchanged: --repository ${name}. ` +
        `To copy ${options.repository} there: choose another project name.`,
      EXIT.usage,
    );
  const { baseRef: defaultBranch } = options;
  const copy = { name, ...(defaultBranch && { defaultBranch }) };
  await copying.copies.add(deps, copy, options.repository);
  try {
    return await locate(deps, copying, organizationId, name, options);
  } catch (error) {
    await copying.copies.remove(deps, name);
    throw error;
  }
}

async function locate(
  deps: HostDeps,
  host: HostDefinition,
  organizationId: string,
  repository: string,
  { baseRef, docsFolder }: Options,
): Promise<Located> {
  const { public: _, ...located } = await host.locate(deps, organizationId, repository, {
    ...(baseRef && { baseRef }),
    ...(docsFolder !== undefined && { docsFolder: trimmedFolder(docsFolder) }),
  });
  return { host: host.kind, ...located };
}

/** A folder as projects store it: without slashes at either end, '' for the root. */
export function trimmedFolder(folder: string): string {
  return folder.replace(/^\.?\/+|\/+$/g, '').replace(/^\.$/, '');
}
