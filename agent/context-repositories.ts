import { requireMayRead } from '../hosts/context-repositories.ts';
import type { RepositoryAddress } from '../hosts/host.ts';
import { RepositoryError } from '../hosts/repository-error.ts';
import type { ContextRepository } from '../shared/context-repositories.ts';
import type { JobProject } from '../db/jobs/job-project.ts';
import { Problem } from '../shared/errors.ts';
import type { HistoryAnswer, HistoryQuestion } from '../hosts/git/history-questions.ts';
import type { Snapshot } from '../shared/workspace.ts';
import type { ActivityDeps } from './deps.ts';

/** A repository beside the docs, at its ref. */
export interface OpenedContext {
  snapshot: Snapshot;
  history(question: HistoryQuestion): Promise<HistoryAnswer>;
}

/** For so long, a ref stands for the same commit, and the organization's right is not asked again. */
const KNOWN_MS = 60_000;
const MOST_KNOWN = 500;

/**
 * Opens a context repository of a job's project; the sentence for the model if it cannot be read,
 * since a job can be done without it.
 */
export async function openContext(
  deps: ActivityDeps,
  { organizationId }: Pick<JobProject, 'organizationId'>,
  repository: ContextRepository,
  signal: AbortSignal,
): Promise<OpenedContext | string> {
  try {
    const commit = await commitOf(deps, organizationId, repository);
    const host = deps.hostFor(repository);
    const address = addressOf(repository);
    return {
      snapshot: await host.snapshot(address, commit, signal),
      history: question => host.history(address, commit, question, signal),
    };
  } catch (error) {
    if (signal.aborted || !(error instanceof RepositoryError || error instanceof Problem))
      throw error;
    return `The repository ${repository.name} cannot be read: ${error.message}`;
  }
}

function addressOf({ host, repository }: ContextRepository): RepositoryAddress {
  return { host, repository, readOnly: true };
}

async function commitOf(
  deps: ActivityDeps,
  organizationId: string,
  repository: ContextRepository,
): Promise<string> {
  const { host, repository: name, ref } = repository;
  const known = deps.contextCommits;
  const key = JSON.stringify([organizationId, host, name, ref]);
  const now = Date.now();
  const kept = known.get(key);
  if (kept && kept.until > now) return kept.commit;
  const commit = readCommit(deps, organizationId, repository);
  known.set(key, { commit, until: now + KNOWN_MS });
  commit.catch(() => known.delete(key));
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KNOWN) break;
    known.delete(oldest);
  }
  return commit;
}

async function readCommit(
  deps: ActivityDeps,
  organizationId: string,
  repository: ContextRepository,
): Promise<string> {
  await requireMayRead(deps, organizationId, repository);
  if (/^[0-9a-f]{40}$/.test(repository.ref)) return repository.ref;
  const commit = await deps
    .hostFor(repository)
    .resolveBranch(addressOf(repository), repository.ref);
  if (commit !== null) return commit;
  throw new RepositoryError('ref_not_found', `It has no branch ${repository.ref}.`);
}
