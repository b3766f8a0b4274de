import { Context } from '@temporalio/activity';
import type { JobProject } from '../db/jobs/job-project.ts';
import { type NewPublication, publicationState, readPlan } from '../db/jobs/publications.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import type { CommitPlan, RepositoryHost } from '../hosts/host.ts';
import { loadWorkspace } from '../agent/job-workspace.ts';
import { once } from './once.ts';
import { openActivity } from './open-activity.ts';
import type { PublishInput, Pushed } from '../shared/jobs/activity-types.ts';

/** Carries out the plan: the same commit however often it runs. */
export function createPush(deps: ActivityDeps) {
  return async function push(input: PublishInput): Promise<Pushed> {
    const opened = await openActivity<Pushed>(deps, input);
    if (opened.stored) return opened.stored;
    const publication = await readPlan(deps.pool, input.publicationId);
    await send(deps, opened.project, publication);
    const { id, branch, commit } = publication;
    return once<Omit<Pushed, 'at'>>(deps, input, {
      result: { ref: branch, commit },
      change: { ref: branch },
      events: [{ type: 'commit', commit, branch, turn: input.turn }],
      parts: [publicationState(id, 'pushed')],
    });
  };
}

async function send(
  deps: ActivityDeps,
  project: JobProject,
  { revision_id, branch, commit, expected_head, ...planned }: NewPublication,
): Promise<void> {
  const signal = Context.current().cancellationSignal;
  const { workspace } = await loadWorkspace(deps, project, revision_id, signal);
  const plan: CommitPlan = {
    parent: planned.parent,
    changes: await workspace.changes(),
    message: planned.message,
    time: planned.author_time,
    author: planned.author,
  };
  const host = deps.hostFor(project);
  await host.push(project, branch, plan, expected_head, signal).catch(async (error: unknown) => {
    // An earlier attempt pushed it and did not live to report it; since then another person
    // has pushed on top.
    const isThere = await host
      .resolveBranch(project, branch)
      .then(head => isIn(host, project, commit, head))
      .catch(() => false);
    if (!isThere) throw error;
  });
}

/** Whether `head` is the commit, or descends from it. */
export async function isIn(
  host: RepositoryHost,
  project: JobProject,
  commit: string,
  head: string | null,
): Promise<boolean> {
  return head !== null && (await host.mergeBase(project, head, commit)) === commit;
}
