import type { JobProject } from '../../db/jobs/job-project.ts';
import { noteRepositoryName } from '../../db/webhook/deliveries.ts';
import {
  lastPublished,
  type PublicationState,
  publicationsSince,
  readPublicationState,
  undonePublications,
} from '../../db/jobs/publications.ts';
import { readRevision, type Revision } from '../../db/jobs/workspace-revisions.ts';
import type { ActivityDeps } from '../deps.ts';
import type { PrepareInput } from '../../shared/jobs/activity-types.ts';
import {
  type Ancestry,
  ancestryAsked,
  type Heads,
  type History,
  revisionToContinue,
  type Start,
} from './plan.ts';

/** Asks the host for the state of the repository, of both branches and of the pull request. */
export async function readHeads(deps: ActivityDeps, project: JobProject): Promise<ReadHeads> {
  const { repository, branch, baseRef, jobId } = project;
  const host = deps.hostFor(project);
  const [state, head, base, { planned, pushedTo, shownIn }] = await Promise.all([
    host.describe(project),
    host.resolveBranch(project, branch),
    host.resolveBranch(project, baseRef),
    readPublicationState(deps.pool, jobId, branch),
  ]);
  // By its id, deliveries of a repository that is renamed later find the job.
  if (state.id !== undefined)
    await noteRepositoryName(deps.pool, project.host, repository, state.id);
  const pullRequest = shownIn === null ? null : await host.getPullRequest(project, shownIn);
  return {
    repository,
    branch,
    baseRef,
    state,
    head,
    base,
    pushedTo,
    pullRequest: pullRequest?.state ?? null,
    planned,
  };
}

export type ReadHeads = Heads & Pick<PublicationState, 'planned'>;

export interface ReadHistory extends History {
  previous: Revision | null;
}

export async function readHistory(
  { pool }: ActivityDeps,
  { branch, planned }: ReadHeads,
  { jobId, turn, step, workspaceHead, startFrom }: PrepareInput,
): Promise<ReadHistory> {
  const published = (planned > 0 && (await lastPublished(pool, workspaceHead))) || null;
  const id = revisionToContinue(startFrom, workspaceHead, published);
  const [previous, undone, sinceTurn] = await Promise.all([
    id === null ? null : readRevision(pool, id),
    planned > 0 ? undonePublications(pool, jobId, branch, workspaceHead, id) : [],
    planned > 0 ? publicationsSince(pool, jobId, turn) : [],
  ]);
  return { step, previous, published, undone, sinceTurn };
}

/**
 * Asks the host which commits contain which: an old run may have pushed one and not lived to record
 * it.
 */
export async function readAncestry(
  deps: ActivityDeps,
  project: JobProject,
  start: Start,
  history: History,
): Promise<(...asked: Ancestry) => boolean> {
  const host = deps.hostFor(project);
  const known = new Map<string, boolean>();
  await Promise.all(
    ancestryAsked(start, history).map(async ([commit, ancestor]) => {
      const base = await host.mergeBase(project, commit, ancestor);
      known.set(`${commit} ${ancestor}`, base === ancestor);
    }),
  );
  return (commit, ancestor) => {
    const answer = known.get(`${commit} ${ancestor}`);
    if (answer === undefined) throw new Error(`not asked: is ${ancestor} in ${commit}`);
    return answer;
  };
}
