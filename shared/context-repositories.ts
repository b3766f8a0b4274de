import type { HostKind } from './host-kind.ts';

/** A repository beside the docs that jobs of a project may read, never change. */
export interface ContextRepository {
  /** As the agent's tools name it; unique in a project. */
  name: string;
  host: HostKind;
  /** As the host names it, such as "owner/name". */
  repository: string;
  /** A branch, or the id of a commit. */
  ref: string;
}

export const MOST_CONTEXT_REPOSITORIES = 10;

/** `owner/name@ref`; the ref is left out if it is not given. */
export function parseContext(written: string): { repository: string; ref?: string } {
  const [, repository = written, ref] = /^(.+?)@([^@:]+)$/.exec(written) ?? [];
  return ref === undefined ? { repository } : { repository, ref };
}

/** Two of one name get their owner's name in front. */
export function withUniqueNames(found: readonly ContextRepository[]): ContextRepository[] {
  return found.map(one => {
    const isShared = found.some(other => other !== one && other.name === one.name);
    return isShared ? { ...one, name: one.repository.toLowerCase().replaceAll('/', '-') } : one;
  });
}
