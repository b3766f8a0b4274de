import { requireMayRead } from '../hosts/context-repositories.ts';
import type { RepositoryAddress, RepositoryHost } from '../hosts/host.ts';
import {
  type Automation,
  findAutomation,
  lockAutomation,
  noteProblem,
  noteSeen,
  watchedBy,
} from '../db/automations/automations.ts';
import { addRun, ownPullRequests, unstartedRuns } from '../db/automations/runs.ts';
import { transaction } from '../db/pool.ts';
import { findProject } from '../db/projects/projects.ts';
import type { Change, WatchedBranch } from '../shared/jobs/automation.ts';
import { isPermanent } from '../shared/errors.ts';
import { FAILURES } from '../shared/jobs/failures.ts';
import { RepositoryError } from '../hosts/repository-error.ts';
import { isDeepStrictEqual } from 'node:util';
import { contextOf } from './changed-files.ts';
import type { AutomationDeps } from './deps.ts';
import { followOpen, mergeKey } from './preparations.ts';
import { MAX_TEXT } from './quote.ts';

const LOG = 30;
/**
 * Hosts list merges late, and not in their order: each look begins so long before the newest one.
 * A merge that comes twice has one run.
 */
const OVERLAP_MS = 10 * 60_000;
/** As many as a host lists at once. */
const FULL = 100;

interface Seen {
  changes: Change[];
  at: Date;
  commit: string | null;
}

/**
 * Reads what happened in the watched repository since it was read last, a run for each change, and
 * returns those that nobody has begun. What was missed while everything was down is read too: the
 * repository is asked, and no delivery is needed.
 */
export async function readChanges(
  deps: AutomationDeps,
  automationId: string,
  signal: AbortSignal,
): Promise<string[]> {
  const automation = await findAutomation(deps.pool, automationId);
  const project = automation && (await findProject(deps.pool, automation.projectId));
  const watched = automation?.definition && watchedBy(automation.definition.trigger);
  if (!project || !watched || automation.pausedAt) return [];
  try {
    await requireMayRead(deps, project.organizationId, contextOf(watched));
    await storeChanges(deps, automation, watched, signal);
    if (automation.definition?.trigger.kind === 'merge')
      await followOpen(deps, automation, watched);
  } catch (error) {
    const isLast =
      error instanceof RepositoryError ? !FAILURES[error.type].retry : isPermanent(error);
    if (!isLast) throw error;
    const { message } = error as Error;
    await noteProblem(deps.pool, automationId, `${watched.repository} cannot be read. ${message}`);
  }
  return unstartedRuns(deps.pool, automationId);
}

async function storeChanges(
  deps: AutomationDeps,
  automation: Automation,
  watched: WatchedBranch,
  signal: AbortSignal,
): Promise<void> {
  const { id: automationId } = automation;
  const trigger = automation.definition?.trigger;
  const address = { host: watched.host, repository: watched.repository, readOnly: true };
  const host = deps.hostFor(address);
  const seen =
    trigger?.kind === 'push'
      ? await readPush(host, address, watched, automation, signal)
      : await readMerges(host, address, watched, automation);
  // What it did itself is no reason to begin again.
  const numbers = seen.changes.flatMap(({ number }) => number ?? []);
  const own = await ownPullRequests(deps.pool, automationId, { ...watched, numbers });
  await transaction(deps.pool, async tx => {
    const now = await lockAutomation(tx, automationId);
    if (!now || now.pausedAt) return;
    // An index has changed what is watched: what was read is of the old branch.
    if (!isDeepStrictEqual(now.definition?.trigger, trigger)) return;
    for (const change of seen.changes.filter(({ number }) => number === null || !own.has(number)))
      await addRun(tx, { automationId, key: keyOf(change), cause: { kind: 'change', change } });
    await noteSeen(tx, automationId, seen);
  });
}

async function readMerges(
  host: RepositoryHost,
  address: RepositoryAddress,
  watched: WatchedBranch,
  { seenAt }: Automation,
): Promise<Seen> {
  const merged = (await host.mergedPullRequests?.(address, watched.branch, seenAt)) ?? [];
  const changes = merged.map(({ mergedAt, title, body, ...merge }): Change => ({
    ...{ host: watched.host, repository: watched.repository, branch: watched.branch },
    ...merge,
    title: title.slice(0, 500),
    body: body.slice(0, MAX_TEXT),
    at: mergedAt,
  }));
  const newest = merged.at(-1);
  // A full list goes on where it ended; another look would bring nothing new.
  const overlap = merged.length < FULL ? OVERLAP_MS : 0;
  const at = newest ? new Date(Date.parse(newest.mergedAt) - overlap) : seenAt;
  return { changes, at, commit: null };
}

/** The first look only notes where the branch is. */
async function readPush(
  host: RepositoryHost,
  address: RepositoryAddress,
  watched: WatchedBranch,
  { seenAt, seenCommit }: Automation,
  signal: AbortSignal,
): Promise<Seen> {
  const commit = await host.resolveBranch(address, watched.branch);
  if (commit === null || commit === seenCommit || seenCommit === null)
    return { changes: [], at: seenAt, commit };
  const log = await host.history(
    address,
    commit,
    { kind: 'log', path: '', skip: 0, limit: LOG },
    signal,
  );
  const at = new Date();
  const { host: kind, repository, branch } = watched;
  const change: Change = {
    ...{ host: kind, repository, branch, number: null, url: null, commit, from: seenCommit },
    title: `Commits on ${branch}`,
    body: log.text.slice(0, MAX_TEXT),
    author: '',
    labels: [],
    at: at.toISOString(),
  };
  return { changes: [change], at, commit };
}

function keyOf(change: Change): string {
  const { host, repository, number, commit } = change;
  return number === null
    ? `${host} ${repository.toLowerCase()} push ${commit}`
    : mergeKey(change, number);
}
