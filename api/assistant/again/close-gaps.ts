import { BadRequestError } from '@anthropic-ai/sdk';
import type { FastifyBaseLogger } from 'fastify';
import { createHash } from 'node:crypto';
import { brakeFor } from '../../../automations/brakes.ts';
import { stillUnanswered } from '../../../automations/reader-questions.ts';
import { withAdvisoryLock } from '../../../db/advisory-lock.ts';
import {
  awaitedPullRequests,
  type DueGap,
  dueGaps,
  noteGapAsked,
  noteGapsMerged,
  noteGapsTold,
  putOffGap,
  putOffProject,
  type UnansweredJob,
  unansweredJobs,
} from '../../../db/assistant/gaps.ts';
import { useOfProject } from '../../../db/automations/project-use.ts';
import { findProject } from '../../../db/projects/projects.ts';
import { notePullRequest } from '../../../db/webhook/deliveries.ts';
import { HOSTS } from '../../../hosts/registry.ts';
import { RepositoryError } from '../../../hosts/repository-error.ts';
import { sendMessage } from '../../../jobs/send-message.ts';
import { repeat } from '../../../jobs/sweep/repeat.ts';
import { requestIndex } from '../../../search/indexing/index-requests.ts';
import type { HostKind } from '../../../shared/host-kind.ts';
import { Problem } from '../../../shared/errors.ts';
import { FAILURES } from '../../../shared/jobs/failures.ts';
import type { ApiDeps } from '../../deps.ts';
import type { AssistantDeps } from '../deps.ts';
import { askAgain } from './ask-again.ts';

const LOCK = 'questions that are asked again';
const EVERY_MS = 10_000;
/** A host is asked so often: nothing may tell us, and a delivery may be lost. */
const ASK_MS = 5 * 60_000;
/** Questions and pull requests that one round asks about, and questions of one project. */
const MOST_AT_ONCE = 20;
const MOST_OF_PROJECT = 5;
const AGAIN_SECONDS = 600;
const INDEX_SECONDS = 5;
const NEXT_ATTEMPT_SECONDS = 60;
/** A question that gets no whole answer so often counts as unanswered. */
const MOST_ATTEMPTS = 3;
const MOST_FOLLOW_UPS = 2;

export interface GapDeps extends Omit<ApiDeps, 'logger'> {
  assistant: AssistantDeps;
  log: FastifyBaseLogger;
}

/** Closes gaps until it is stopped. */
export function startClosingGaps(deps: GapDeps): { run(): void; stop(): Promise<void> } {
  const askedAt = new Map<HostKind, number>();
  return repeat(
    EVERY_MS,
    async stopping => {
      await withAdvisoryLock(deps.pool, LOCK, async () => {
        await askHosts(deps, askedAt, stopping);
        await closeGaps(deps, stopping);
      });
    },
    error => deps.log.warn({ err: error }, 'questions were not asked again for the moment'),
  );
}

/**
 * Questions that jobs were made of are asked again once a pull request of the job is merged and an
 * index has read it; what is still unanswered goes back to the job. Rows say how far each is, so
 * that nothing waits in memory.
 */
async function closeGaps(deps: GapDeps, stopping: AbortSignal): Promise<void> {
  await noteGapsMerged(deps.pool);
  const left = new Set<string>();
  for (const gap of await dueGaps(deps.pool, MOST_AT_ONCE, MOST_OF_PROJECT)) {
    if (stopping.aborted) return;
    if (left.has(gap.projectId)) continue;
    const again = await closeGap(deps, gap, stopping).catch((error: unknown) => {
      deps.log.warn({ err: error, projectId: gap.projectId }, 'questions are asked again later');
      return AGAIN_SECONDS;
    });
    if (again === undefined || stopping.aborted) continue;
    left.add(gap.projectId);
    await putOffProject(deps.pool, gap.projectId, again);
  }
  for (const job of await unansweredJobs(deps.pool, MOST_FOLLOW_UPS))
    await tell(deps, job).catch((error: unknown) =>
      deps.log.warn({ err: error, jobId: job.jobId }, 'a job gets its unanswered questions later'),
    );
}

/**
 * Seconds for which nothing of its project is asked, until the index is read. Throws if no question
 * is answered at present.
 */
async function closeGap(
  { pool, temporal, config, assistant, log }: GapDeps,
  { id, projectId, domain, question, index }: DueGap,
  stopping: AbortSignal,
): Promise<number | undefined> {
  if (index === 'running') return INDEX_SECONDS;
  const project = await findProject(pool, projectId);
  if (!project) return AGAIN_SECONDS;
  if (index !== 'read') {
    await requestIndex(temporal, config.TASK_QUEUE, { id: projectId, domain });
    return index === 'none' ? INDEX_SECONDS : AGAIN_SECONDS;
  }
  const answer = await askAgain(assistant, { project, question }, log, stopping).catch(
    async (error: unknown) => {
      if (!(error instanceof BadRequestError)) throw error;
      // Of this question or of the account: another one is asked next, and this one much later.
      await putOffGap(pool, id, AGAIN_SECONDS, 0);
      return 'refused' as const;
    },
  );
  if (stopping.aborted || answer === 'refused') return undefined;
  if (answer) await noteGapAsked(pool, id, answer.sources, answer.page);
  else if ((await putOffGap(pool, id, NEXT_ATTEMPT_SECONDS, 1)) >= MOST_ATTEMPTS)
    await noteGapAsked(pool, id, [], undefined);
  return undefined;
}

/** As a follow-up, once for each merge, also by several processes. */
async function tell(deps: GapDeps, job: UnansweredJob): Promise<void> {
  const { jobId, projectId, organizationId, prNumber, questions, requirePlanApproval } = job;
  if (await isHeldBack(deps, job)) return;
  const key = `gaps ${prNumber}`;
  try {
    await sendMessage(deps, {
      ...{ projectId, jobId, requirePlanApproval, source: 'automation' },
      prompt: stillUnanswered(questions),
      idempotency: {
        ...{ organizationId, apiKeyId: 'gaps', route: `message ${jobId}`, key },
        bodyHash: createHash('sha256').update(key).digest(),
      },
    });
  } catch (error) {
    // A job that takes no more, such as one whose branch went to another job, gets nothing.
    if (!(error instanceof Problem) || error.status >= 500 || error.headers['retry-after'])
      throw error;
  }
  await noteGapsTold(deps.pool, job);
}

/** The brakes of automations hold for a follow-up to the job of one, too. */
async function isHeldBack(
  { pool, config }: GapDeps,
  { automationId: holder, projectId }: UnansweredJob,
): Promise<boolean> {
  if (holder === null) return false;
  const use = await useOfProject(pool, projectId);
  return brakeFor(config, use, { holder, kind: 'index', waitedMs: 0 }) !== undefined;
}

/** How pull requests ended of which no delivery told. */
async function askHosts(
  { pool, config, log }: GapDeps,
  askedAt: Map<HostKind, number>,
  stopping: AbortSignal,
): Promise<void> {
  for (const { kind, webhook } of HOSTS) {
    if (!webhook || performance.now() - (askedAt.get(kind) ?? -Infinity) < ASK_MS) continue;
    askedAt.set(kind, performance.now());
    const pulls = await awaitedPullRequests(pool, kind, MOST_AT_ONCE);
    const questions = pulls.length > 0 ? webhook.open({ config, pool }) : undefined;
    for (const { repository, number } of questions ? pulls : []) {
      if (stopping.aborted) return;
      try {
        const { state, at } = await questions!.pullRequest(repository, number);
        const names = [repository.toLowerCase()];
        await notePullRequest(pool, kind, { names, number, state, at });
      } catch (error) {
        log.info({ err: error, repository, number }, 'the host does not say how it ended');
        // One that is away, or refuses, is away for all.
        if (!(error instanceof RepositoryError) || FAILURES[error.type].retry) break;
      }
    }
  }
}
