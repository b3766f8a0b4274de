import type { JobProject } from '../db/jobs/job-project.ts';
import {
  lastShown,
  type NewPublication,
  type Publication,
  publicationState,
  readPlan,
  unopenedPublications,
} from '../db/jobs/publications.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import type { PullRequest } from '../hosts/host.ts';
import { once } from './once.ts';
import { openActivity } from './open-activity.ts';
import type { Opened, PublishInput } from '../shared/jobs/activity-types.ts';
import { type PullRequestText, pullRequestText } from '../agent/pull-request-text.ts';

/**
 * Finds the job's open pull request as it is after the push, or opens one: people may have merged
 * or closed it meanwhile.
 */
export function createOpenPullRequest(deps: ActivityDeps) {
  return async function openPullRequest(input: PublishInput): Promise<Opened> {
    const opened = await openActivity<Opened>(deps, input);
    if (opened.stored) return opened.stored;
    const { project } = opened;
    const publication = await readPlan(deps.pool, input.publicationId);
    const { id, branch, commit } = publication;
    const shown = await lastShown(deps.pool, input.jobId, branch, id);
    const text = await pullRequestText(deps, project, publication);
    const found = await findOrOpen(deps, project, publication, { shown, text });
    const pullRequest =
      found.state === 'open' && !isSame(found, text)
        ? await update(deps, project, publication, { shown, text, found })
        : found;
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

/** `shown`: what the pull request was last written for; `text`: what it is to be now. */
async function findOrOpen(
  deps: ActivityDeps,
  project: JobProject,
  { branch, draft }: NewPublication,
  { shown, text }: { shown: Publication | undefined; text: PullRequestText },
): Promise<PullRequest> {
  const host = deps.hostFor(project);
  if (shown?.pr_number != null) return host.getPullRequest(project, shown.pr_number);
  const ofBranch = await host.findPullRequests(project, branch);
  const open = ofBranch.find(one => one.state === 'open');
  if (open) return open;
  const { jobId, baseRef: base } = project;
  return host.openPullRequest(project, { ...text, head: branch, base, draft, jobId });
}

function isSame(shown: PullRequestText, text: PullRequestText): boolean {
  return PARTS.every(part => shown[part].trim() === text[part].trim());
}

const PARTS = ['title', 'body'] as const;

/**
 * What people have written stays: only a title or body that is still ours is updated. If none of
 * ours is known to be shown, it may be that of an old run, whose last request came through after
 * the rewind.
 */
async function update(
  deps: ActivityDeps,
  project: JobProject,
  publication: NewPublication,
  {
    shown,
    text,
    found,
  }: { shown: Publication | undefined; text: PullRequestText; found: PullRequest },
): Promise<PullRequest> {
  const ours = shown
    ? [shown]
    : await unopenedPublications(deps.pool, project.jobId, publication.branch);
  const before = await Promise.all(ours.map(one => pullRequestText(deps, project, one)));
  const change: Partial<PullRequestText> = {};
  for (const part of PARTS)
    if (
      found[part].trim() !== text[part].trim() &&
      before.some(one => one[part].trim() === found[part].trim())
    )
      change[part] = text[part];
  return Object.keys(change).length > 0
    ? deps.hostFor(project).updatePullRequest(project, found.number, change)
    : found;
}
