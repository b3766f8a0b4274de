import type { Config } from '../shared/config.ts';
import type { Pool } from '../db/pool.ts';
import type { HostKind } from '../shared/host-kind.ts';
import { gitHub } from './github/definition.ts';
import type { RepositoryAddress, RepositoryHost } from './host.ts';
import type { HostCopies, HostDefinition, WorkerHostDeps } from './host-definition.ts';
import { builtInHost } from './local/definition.ts';
import { RepositoryError } from './repository-error.ts';

/** Every kind of repository host. An address belongs to the first that recognizes it. */
export const HOSTS: HostDefinition[] = [gitHub, builtInHost];

/** The definition of a kind that the database names; throws if the kind was removed. */
export function hostOf(kind: HostKind): HostDefinition {
  const host = findHost(kind);
  if (!host) throw new Error(`unknown kind of repository host: ${kind}`);
  return host;
}

export function findHost(kind: HostKind): HostDefinition | undefined {
  return HOSTS.find(host => host.kind === kind);
}

/** Where repositories from elsewhere are copied to. */
export function hostOfCopies(): HostDefinition & { copies: HostCopies } {
  const host = HOSTS.find(each => each.copies !== undefined);
  if (!host?.copies) throw new Error('no repository host takes copies');
  return { ...host, copies: host.copies };
}

/**
 * The function that finds the host of an address, among those that this worker is configured for.
 * It throws `credentials_refused`, naming the settings, if there is none.
 */
export function openHosts(deps: WorkerHostDeps): (address: RepositoryAddress) => RepositoryHost {
  const open = (definition: HostDefinition) => {
    const credentials = definition.credentialsOf?.(deps.config);
    return { credentials, host: definition.openForWorker(deps) };
  };
  const opened = new Map(HOSTS.map(definition => [definition.kind, open(definition)]));
  return ({ host: kind, repository }) => {
    const definition = hostOf(kind);
    let known = opened.get(kind);
    if (!known || known.credentials !== definition.credentialsOf?.(deps.config))
      opened.set(kind, (known = open(definition)));
    if (known.host) return known.host;
    throw new RepositoryError(
      'credentials_refused',
      `${repository} is on a repository host that this worker is not configured for: ` +
        `${definition.workerSettings}.`,
    );
  };
}

/**
 * A stored link to a repository or pull request, as people reach it now: the host's address may
 * have changed since it was stored.
 */
export function linkNow<T extends string | null>(
  config: Config,
  kind: HostKind,
  link: T,
): T | string {
  return link === null ? link : (hostOf(kind).linkNow?.(config, link) ?? link);
}

/** Branches that no job of a project may work on, as far as is known without asking its host. */
export async function reservedBranches(
  pool: Pool,
  project: { host: HostKind; repository: string; baseRef: string },
): Promise<string[]> {
  const more = await hostOf(project.host).reservedBranches?.({ pool }, project.repository);
  return [project.baseRef, ...(more ?? [])];
}
