import type { JobProject } from '../../shared/db/jobs/job-project.ts';
import {
  lastShown,
  type Publication,
  publicationState,
  readPublication,
  unopenedPublications,
} from '../../shared/db/jobs/publications.ts';
import type { ActivityDeps } from '../deps.ts';
import type { PullRequest } from '../../hosts/host.ts';
import { once, openActivity } from '../once.ts';
import type { Opened, PublishInput } from '../types.ts';
import { pullRequestText } from './pull-request-text.ts';

/**
 * Finds the job's open pull request as it is after the push, or opens one: people may have merged
 * or closed it meanwhile.
 */
export function createOpenPullRequest(deps: ActivityDeps) {
  return async function openPullRequest(input: PublishInput): Promise<Opened> {
    const [opened, publication] = await Promise.all([
      openActivity<Opened>(deps, input),
      readPublication(deps.pool, input.publicationId),
    ]);
    if (opened.stored) return opened.stored;
    const { project } = opened;
    const { id, branch, commit } = publication;
    const shown = await lastShown(deps.pool, input.jobId, branch, id);
    const found = await findOrOpen(deps, project, publication, shown);
    const pullRequest =
      found.state === 'open' ? await update(deps, project, publication, shown, found) : found;
    const { state, title, number, url } = pullRequest;
    if (state === 'closed' || (state === 'merged' && pullRequest.headCommit !== commit))
      return once(deps, input, {
        result: { outcome: 'overtaken' as const },
        // The commit is on the old branch, which nobody will merge: the next preparation brings the
        // edits onto a new one.
        parts: [publicationState(id, 'abandoned')],
      });
    const news = shown ? ('updated' as const) : ('opened' as const);
    return once(deps, input, {
      result: { outcome: 'published' as const, prLink: url, prNumber: number, title },
      change: { title, prNumber: number, prLink: url },
      events: [{ type: 'pull_request', prLink: url, title, state: news, turn: input.turn }],
      parts: [publicationState(id, 'published', { number, link: url })],
    });
  };
}

/** `shown`: what the pull request was last written for. */
async function findOrOpen(
  deps: ActivityDeps,
  project: JobProject,
  publication: Publication,
  shown: Publication | undefined,
): Promise<PullRequest> {
  const host = deps.hostFor(project);
  if (shown?.pr_number != null) return host.getPullRequest(project, shown.pr_number);
  const ofBranch = await host.findPullRequests(project, publication.branch);
  const open = ofBranch.find(one => one.state === 'open');
  if (open) return open;
  return host.openPullRequest(project, {
    ...(await pullRequestText(deps, project, publication)),
    head: publication.branch,
    base: project.baseRef,
    draft: publication.draft,
    jobId: project.jobId,
  });
}

/**
 * What people have written stays: only a title or body that is still ours is updated. If none of
 * ours is known to be shown, it may be that of an old run, whose last request came through after
 * the rewind.
 */
async function update(
  deps: ActivityDeps,
  project: JobProject,
  publication: Publication,
  shown: Publication | undefined,
  pullRequest: PullRequest,
): Promise<PullRequest> {
  const now = await pullRequestText(deps, project, publication);
  const ours = shown
    ? [shown]
    : await unopenedPublications(deps.pool, project.jobId, publication.branch);
  const before = await Promise.all(ours.map(one => pullRequestText(deps, project, one)));
  const isOurs = (part: 'title' | 'body') =>
    pullRequest[part].trim() !== now[part].trim() &&
    before.some(text => text[part].trim() === pullRequest[part].trim());
  const change = {
    ...(isOurs('title') && { title: now.title }),
    ...(isOurs('body') && { body: now.body }),
  };
  return Object.keys(change).length > 0
    ? deps.hostFor(project).updatePullRequest(project, pullRequest.number, change)
    : pullRequest;
}
