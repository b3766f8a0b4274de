import {
  endPreparation,
  findPreparation,
  followPullRequest,
  noteRequestsSeen,
  openPreparations,
  type Preparation,
} from '../db/automations/preparations.ts';
import type { Automation } from '../db/automations/automations.ts';
import { addRun, findRunByKey, type Run } from '../db/automations/runs.ts';
import { jobById } from '../db/jobs/jobs.ts';
import { transaction } from '../db/pool.ts';
import { notePullRequest } from '../db/webhook/deliveries.ts';
import type { OpenPullRequest, PullRequest, RepositoryHost } from '../hosts/host.ts';
import type { Change, WatchedBranch } from '../shared/jobs/automation.ts';
import type { AutomationDeps } from './deps.ts';
import { permitted } from './permitted.ts';
import { MAX_TEXT } from './quote.ts';
import { readRequests } from './requests-to-prepare.ts';

const BUSY_MS = 5_000;
/** Of one that a brake or a person holds back. */
const HELD_MS = 60_000;
const PREPARED = { needed: false, reason: 'The docs were prepared before the merge.' };

/**
 * Follows the open pull requests that people asked docs for: a run for each commit that they are at.
 * One that was closed takes its docs with it; a merge has its own run.
 */
export async function followOpen(
  deps: AutomationDeps,
  automation: Automation,
  watched: WatchedBranch,
): Promise<void> {
  const { repository, branch } = watched;
  const address = { host: watched.host, repository, readOnly: true };
  const host = deps.hostFor(address);
  if (!host.openPullRequests) return;
  const open = await host.openPullRequests(address, branch);
  const followed = await openPreparations(deps.pool, automation.id, repository);
  const { asked, readTo } = await readRequests(deps, host, automation, watched, open, followed);
  for (const pull of open) {
    const known = followed.find(({ number }) => number === pull.number);
    if (known ? known.headCommit !== pull.headCommit : asked.has(pull.number))
      await prepare(deps, host, automation, watched, pull);
  }
  for (const each of followed) {
    if (open.some(({ number }) => number === each.number)) continue;
    const pull = await host.getPullRequest(address, each.number);
    if (pull.state === 'closed') {
      await permitted(() => closeDocs(deps, each));
      await endPreparation(deps.pool, each, 'closed');
      await permitted(() => closeDocs(deps, each)); // what a run opened meanwhile
    } else if (pull.state === 'merged') await followMerged(deps, automation, watched, each, pull);
  }
  if (readTo) await noteRequestsSeen(deps.pool, automation.id, readTo);
}

/**
 * A merge has a run that tells of it, but if the automation was paused then: what was merged before the
 * reading of merges began again is not listed any more.
 */
async function followMerged(
  deps: AutomationDeps,
  { id, seenAt }: Automation,
  watched: WatchedBranch,
  followed: Preparation,
  code: PullRequest,
): Promise<void> {
  if (code.base !== watched.branch) return endPreparation(deps.pool, followed, 'ready');
  if (await findRunByKey(deps.pool, id, mergeKey(watched, followed.number))) return;
  if (code.mergedAt === undefined || Date.parse(code.mergedAt) >= seenAt.getTime()) return;
  const newest = await newestRun(deps, followed);
  if (newest && newest.state !== 'done') return;
  if (isWhole(followed, newest, code)) await makeReady(deps, followed);
  else await endPreparation(deps.pool, followed, 'ready');
}

function newestRun({ pool }: AutomationDeps, followed: Preparation): Promise<Run | undefined> {
  const { automationId, id, headCommit } = followed;
  return findRunByKey(pool, automationId, keyOf(id, headCommit));
}

/** Whether what was prepared is about the code as it is. */
function isWhole(followed: Preparation, newest: Run | undefined, code: PullRequest): boolean {
  const isDone = newest?.outcome === 'published' || newest?.outcome === 'unchanged';
  return code.headCommit === followed.headCommit && isDone;
}

async function prepare(
  deps: AutomationDeps,
  host: RepositoryHost,
  { id: automationId }: Automation,
  watched: WatchedBranch,
  { headCommit, updatedAt, title, body, ...pull }: OpenPullRequest,
): Promise<void> {
  const { host: kind, repository, branch } = watched;
  const address = { host: kind, repository, readOnly: true };
  const base = await host.resolveBranch(address, branch);
  const change: Change = {
    ...{ host: kind, repository, branch, ...pull, commit: headCommit, prepares: true },
    from: base === null ? null : await host.mergeBase(address, base, headCommit),
    title: title.slice(0, 500),
    body: body.slice(0, MAX_TEXT),
    at: updatedAt,
  };
  await transaction(deps.pool, async tx => {
    const { number } = pull;
    const id = await followPullRequest(tx, automationId, { repository, number, headCommit });
    const cause = { kind: 'change', change } as const;
    await addRun(tx, { automationId, key: keyOf(id, headCommit), cause });
  });
}

/** Of the run about a merge. */
export function mergeKey({ host, repository }: WatchedBranch, number: number): string {
  return `${host} ${repository.toLowerCase()} merge ${number}`;
}

function keyOf(preparationId: string, commit: string): string {
  return `prepare ${preparationId} ${commit}`;
}

/** Whether a run about a followed pull request has work; undefined: nothing was prepared. */
export async function judgePrepared(
  deps: AutomationDeps,
  run: Run,
  change: Change,
): Promise<
  { needed: boolean; reason: string } | { held: { why: string; again: number } } | undefined
> {
  const followed = await findPreparation(deps.pool, run.automationId, change);
  if (change.prepares)
    return followed?.state === 'open' && followed.headCommit === change.commit
      ? { needed: true, reason: 'Prepares the docs before the merge.' }
      : { needed: false, reason: 'The pull request has new commits, or has ended.' };
  if (followed?.state === 'ready') return PREPARED;
  if (followed?.state !== 'open') return undefined;
  const newest = await newestRun(deps, followed);
  if (newest && newest.state !== 'done') {
    const again = newest.state === 'running' ? BUSY_MS : HELD_MS;
    return { held: { why: 'Waits for what is being prepared.', again } };
  }
  if ((await docsOf(deps, followed))?.state !== 'open') {
    await endPreparation(deps.pool, followed, 'closed');
    return undefined;
  }
  const address = { host: change.host, repository: change.repository, readOnly: true };
  const code = await deps.hostFor(address).getPullRequest(address, followed.number);
  return isWhole(followed, newest, code)
    ? PREPARED
    : { needed: true, reason: 'The change differs from what was prepared.' };
}

/** After a run: the docs of merged code are ready, those of closed code are closed. */
export async function settlePreparation(
  deps: AutomationDeps,
  run: Run,
  change: Change,
): Promise<void> {
  const followed = await findPreparation(deps.pool, run.automationId, change);
  if (followed?.state === 'closed') return closeDocs(deps, followed);
  if (followed?.state !== 'open' || change.prepares) return;
  // Otherwise what the last pushes changed may not be in it.
  const isInIt =
    run.outcome === 'published' ||
    run.outcome === 'unchanged' ||
    (run.outcome === 'no_action' && run.reason === PREPARED.reason);
  if (isInIt) await makeReady(deps, followed);
  else await endPreparation(deps.pool, followed, 'ready');
}

/** The link of the docs that are open for a change, whichever of its runs opened them. */
export async function preparedLink(
  deps: AutomationDeps,
  { automationId }: Run,
  change: Change,
): Promise<string | undefined> {
  const followed = await findPreparation(deps.pool, automationId, change);
  const docs = followed && (await docsOf(deps, followed));
  return docs?.state === 'open' ? docs.url : undefined;
}

async function makeReady(deps: AutomationDeps, followed: Preparation): Promise<void> {
  const docs = await docsOf(deps, followed);
  if (docs?.state === 'open' && docs.draft)
    await permitted(async () => deps.hostFor(docs).markReady?.(docs, docs.number));
  await endPreparation(deps.pool, followed, 'ready');
}

async function closeDocs(deps: AutomationDeps, followed: Preparation): Promise<void> {
  const docs = await docsOf(deps, followed);
  if (docs?.state !== 'open') return;
  await deps.hostFor(docs).closePullRequest?.(docs, docs.number);
  const names = [docs.repository.toLowerCase()];
  const ended = { names, number: docs.number, state: 'closed', at: new Date().toISOString() };
  await notePullRequest(deps.pool, docs.host, { ...ended, state: 'closed' });
}

/** Its pull request as its host has it. */
async function docsOf(
  deps: AutomationDeps,
  { jobId }: Preparation,
): Promise<(PullRequest & Pick<Change, 'host' | 'repository'>) | undefined> {
  const job = jobId === null ? undefined : await jobById(deps.pool, jobId);
  if (!job || job.prNumber === null) return undefined;
  const { host, repository } = job;
  return { ...(await deps.hostFor(job).getPullRequest(job, job.prNumber)), host, repository };
}
