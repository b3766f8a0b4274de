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
import { asksToPrepare } from '../hosts/mention.ts';
import { hostOf } from '../hosts/registry.ts';
import { type Change, PREPARE_LABEL, type WatchedBranch } from '../shared/jobs/automation.ts';
import type { AutomationDeps } from './deps.ts';
import { permitted } from './permitted.ts';
import { MAX_TEXT } from './quote.ts';

/** Comments on so many pull requests are read at once, the oldest change first; then the next ones. */
const MOST_READ = 20;
/** Hosts' lists are late. */
const OVERLAP_MS = 60_000;
const BUSY_MS = 5_000;
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
    const { state } = await host.getPullRequest(address, each.number);
    if (state === 'closed') {
      await endPreparation(deps.pool, each, 'closed');
      await closeDocs(deps, each);
    }
    // Its run tells of a merge, unless the automation was paused then.
    const key = mergeKey(watched, each.number);
    if (state === 'merged' && !(await findRunByKey(deps.pool, automation.id, key)))
      await makeReady(deps, each);
  }
  if (readTo) await noteRequestsSeen(deps.pool, automation.id, readTo);
}

interface Requests {
  asked: Set<number>;
  /** Up to which change comments were read. */
  readTo: Date | undefined;
}

/** By a label, which only who may triage can add, or by a comment of a person who may write. */
async function readRequests(
  { config }: AutomationDeps,
  host: RepositoryHost,
  { requestsSeenAt }: Automation,
  { host: kind, repository }: WatchedBranch,
  open: readonly OpenPullRequest[],
  followed: readonly Preparation[],
): Promise<Requests> {
  const asked = new Set(
    open.filter(({ labels }) => labels.includes(PREPARE_LABEL)).map(({ number }) => number),
  );
  const mention = hostOf(kind).webhook?.mention(config);
  if (mention === undefined || !host.reviewComments) return { asked, readTo: undefined };
  const changed = open
    .filter(
      ({ number, updatedAt }) =>
        Date.parse(updatedAt) >= requestsSeenAt.getTime() &&
        !asked.has(number) &&
        !followed.some(each => each.number === number),
    )
    .toSorted((a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt));
  const read = changed.slice(0, MOST_READ);
  for (const { number } of read) {
    const address = { host: kind, repository, readOnly: true };
    const comments = await host.reviewComments(address, number);
    if (comments.some(({ text }) => asksToPrepare(text, mention))) asked.add(number);
  }
  const newest = Math.max(...open.map(({ updatedAt }) => Date.parse(updatedAt)));
  const all = open.length > 0 ? new Date(newest - OVERLAP_MS) : undefined;
  const last = read.at(-1);
  return { asked, readTo: read.length < changed.length && last ? new Date(last.updatedAt) : all };
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
  const newest = await findRunByKey(
    deps.pool,
    run.automationId,
    keyOf(followed.id, followed.headCommit),
  );
  if (newest && newest.state !== 'done')
    return { held: { why: 'Waits for what is being prepared.', again: BUSY_MS } };
  if ((await docsOf(deps, followed))?.state !== 'open') {
    await endPreparation(deps.pool, followed, 'closed');
    return undefined;
  }
  const address = { host: change.host, repository: change.repository, readOnly: true };
  const code = await deps.hostFor(address).getPullRequest(address, followed.number);
  const isWhole =
    code.headCommit === followed.headCommit &&
    (newest?.outcome === 'published' || newest?.outcome === 'unchanged');
  return isWhole
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
  // What the last pushes changed is not in it.
  if (run.outcome === 'failed' || run.outcome === 'held_back')
    return endPreparation(deps.pool, followed, 'ready');
  await makeReady(deps, followed);
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
