import { isDeepStrictEqual } from 'node:util';
import { Context } from '@temporalio/activity';
import {
  newPublication,
  type NewPublication,
  undonePublications,
  unopenedPublications,
} from '../db/jobs/publications.ts';
import type { JobProject } from '../db/jobs/job-project.ts';
import { readMarks, readTranscript } from '../db/jobs/transcript.ts';
import { readEventsOfTypes } from '../db/jobs/events.ts';
import { newId } from '../shared/ids.ts';
import type { JobEvent, LeftFinding } from '../shared/jobs/job.ts';
import { commitMessage } from '../shared/jobs/job-trailer.ts';
import { checkJob } from '../agent/checks/check-job.ts';
import { reported, toRepair } from '../agent/checks/finding.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import type { CommitPlan } from '../hosts/host.ts';
import { type LoadedWorkspace, loadWorkspace } from '../agent/job-workspace.ts';
import { once } from './once.ts';
import { openActivity } from './open-activity.ts';
import { refusedConstructs } from '../db/jobs/refused-constructs.ts';
import { policyProject } from '../agent/policy/policy-project.ts';
import { policyViolations } from '../agent/policy/policy.ts';
import type { Violation } from '../agent/policy/violation.ts';
import type { Planned, PlanInput } from '../shared/jobs/activity-types.ts';
import { firstText, UNFINISHED } from '../agent/pull-request-text.ts';
import { allowedPoints } from '../agent/review/allowed.ts';
import { type ReviewPoint, reviewPoints } from '../agent/review/points.ts';
import { isIn } from './push.ts';

const MAX_REASONS = 10;

type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

/** The edits of a turn, and where its branch is now. */
interface Edited extends LoadedWorkspace {
  changes: Map<string, Buffer | null>;
  head: string | null;
  /**
   * The branch is not what this turn was prepared on: people pushed, or a rewind left commits of
   * ours upon it.
   */
  moved: boolean;
}

/**
 * Fixes everything of a publication before anything leaves: parent, tree, message, time, commit id,
 * branch, title and body.
 */
export function createPlanPublish(deps: ActivityDeps) {
  return async function planPublish(input: PlanInput): Promise<Planned> {
    const opened = await openActivity<Planned>(deps, input);
    if (opened.stored) return opened.stored;
    const { project } = opened;
    const edited = await readEdited(deps, project, input);
    const plan =
      edited.changes.size === 0
        ? await orAsk(deps, input, await planWithoutChanges(deps, project, edited))
        : await planChanges(deps, project, input, edited);
    // An evaluation is checked as far as here, and nothing of it leaves.
    if (!('outcome' in plan) && !project.publishes)
      return once(deps, input, { result: { outcome: 'nothing' as const } });
    if ('outcome' in plan) return once(deps, input, { result: plan });
    const { id: publicationId, branch, title } = plan;
    const [events, asks] = await Promise.all([
      leftEvents(deps, input, plan.findings ?? []),
      isMissing(deps, input, edited.changes),
    ]);
    return once(deps, input, {
      result: {
        ...{ outcome: 'planned' as const, publicationId, branch, title },
        ...(asks && { asks: true as const }),
      },
      ...(project.title === null && { change: { title } }),
      events,
      parts: [newPublication(plan)],
    });
  };
}

/** Tells what is left, unless the turn's last check has just said so. */
async function leftEvents(
  { pool }: ActivityDeps,
  { jobId, turn }: PlanInput,
  findings: LeftFinding[],
): Promise<JobEvent[]> {
  const told = await readEventsOfTypes(pool, jobId, ['checks', 'rewound'] as const);
  const last = told.at(-1)?.event;
  const before = last?.type === 'checks' && last.turn === turn ? last.findings : [];
  return isDeepStrictEqual(before, findings) ? [] : [{ type: 'checks', findings, turn }];
}

async function readEdited(
  deps: ActivityDeps,
  project: JobProject,
  { workspaceHead, branch }: PlanInput,
): Promise<Edited> {
  if (!workspaceHead) throw new Error('no workspace');
  const signal = Context.current().cancellationSignal;
  const loaded = await loadWorkspace(deps, project, workspaceHead, signal);
  const [changes, head] = await Promise.all([
    loaded.workspace.changes(),
    deps.hostFor(project).resolveBranch(project, project.branch),
  ]);
  const moved =
    branch !== project.branch || (head !== null && head !== loaded.revision.base_commit);
  return { ...loaded, changes, head, moved };
}

async function planChanges(
  deps: ActivityDeps,
  project: JobProject,
  input: PlanInput,
  { workspace, revision, changes, head, moved }: Edited,
): Promise<NewPublication | Unstamped<Planned>> {
  if (moved) return { outcome: 'moved' };
  const [violations, findings, transcript] = await Promise.all([
    policyViolations(workspace, policyProject(project)),
    checkJob(deps, project, {
      workspace,
      transcriptHead: input.transcriptHead,
      signal: Context.current().cancellationSignal,
    }),
    readTranscript(deps.pool, input.transcriptHead),
  ]);
  if (violations.length > 0) return refused(violations);
  const points = await pointsToReview(workspace, project);
  const { title, body } = firstText(transcript, input.turn, findings, points);
  const unfinished = input.unfinished === true;
  const { commitAuthor } = project.settings;
  const author = commitAuthor ? { name: commitAuthor.name, email: commitAuthor.email } : null;
  const plan: CommitPlan = {
    parent: revision.base_commit,
    changes,
    message: commitMessage(title, input.jobId, commitAuthor),
    time: Math.floor(input.now / 1000),
    author,
  };
  const { commit, tree } = await deps.hostFor(project).planCommit(project, plan);
  return {
    id: newId('pub'),
    job_id: input.jobId,
    turn: input.turn,
    revision_id: revision.id,
    branch: project.branch,
    parent: plan.parent,
    expected_head: head,
    commit,
    tree,
    message: plan.message,
    author_time: plan.time,
    author,
    title,
    body: unfinished ? `${UNFINISHED}\n\n${body}` : body,
    draft: project.asDraft || unfinished,
    findings: toRepair(findings, true).map(reported),
  };
}

async function pointsToReview(
  workspace: LoadedWorkspace['workspace'],
  project: JobProject,
): Promise<ReviewPoint[]> {
  const policy = policyProject(project);
  const allowed = await allowedPoints(workspace, policy, project.allowedForms);
  return [...allowed, ...(await reviewPoints(workspace, policy.docsFolder))];
}

function refused(violations: readonly Violation[]): Unstamped<Planned> {
  const reasons = violations.slice(0, MAX_REASONS).map(one => `${one.path}: ${one.message}`);
  return { outcome: 'refused', reasons };
}

/** Nothing to publish, because the policy refused it: a person may allow it. */
async function orAsk<P extends Unstamped<Planned>>(
  deps: ActivityDeps,
  input: PlanInput,
  plan: P,
): Promise<P | Unstamped<Planned>> {
  if (plan.outcome !== 'nothing') return plan;
  return (await isMissing(deps, input, new Map())) ? { outcome: 'nothing', asks: true } : plan;
}

/**
 * Whether something that the policy refused and a person may allow is missing in the edits. It is
 * not if its page was written otherwise; for what shows another site, if the page names the site.
 */
async function isMissing(
  { pool }: ActivityDeps,
  { transcriptHead, turn }: PlanInput,
  changes: ReadonlyMap<string, Buffer | null>,
): Promise<boolean> {
  const constructs = refusedConstructs(await readMarks(pool, transcriptHead, turn), turn);
  return constructs.some(({ path, form }) => {
    const content = changes.get(path);
    if (content === null) return false; // the page was deleted instead
    const host = /https:\/\/([^/]+)\//.exec(form)?.[1];
    return content === undefined || (host !== undefined && !content.includes(host));
  });
}

/**
 * Nothing to add. But what a rewind undid must go from the branch, and what an old run pushed may
 * lack its pull request.
 */
async function planWithoutChanges(
  deps: ActivityDeps,
  project: JobProject,
  { revision, moved }: Edited,
): Promise<Unstamped<Planned>> {
  const { jobId, branch } = project;
  const unopened = await unopenedPublications(deps.pool, jobId, branch);
  if (moved) {
    const undone = await undonePublications(deps.pool, jobId, branch, revision.id);
    return { outcome: unopened.length + undone.length > 0 ? 'moved' : 'nothing' };
  }
  const host = deps.hostFor(project);
  for (const { id, commit, title } of unopened) {
    if (await isIn(host, project, commit, revision.base_commit))
      return { outcome: 'planned', publicationId: id, branch, title };
  }
  return { outcome: 'nothing' };
}
