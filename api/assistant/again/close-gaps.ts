import type { FastifyBaseLogger } from 'fastify';
import { createHash } from 'node:crypto';
import { stillUnanswered } from '../../../automations/reader-questions.ts';
import { withAdvisoryLock } from '../../../db/advisory-lock.ts';
import {
  awaitedPullRequests,
  type DueGap,
  dueGaps,
  noteGapAsked,
  noteGapsMerged,
  noteGapsTold,
  putOffGaps,
  type UnansweredJob,
  unansweredJobs,
} from '../../../db/assistant/gaps.ts';
import { findProject } from '../../../db/projects/projects.ts';
import { notePullRequest } from '../../../db/webhook/deliveries.ts';
import { HOSTS } from '../../../hosts/registry.ts';
import { sendMessage } from '../../../jobs/send-message.ts';
import { repeat } from '../../../jobs/sweep/repeat.ts';
import { requestIndex } from '../../../search/indexing/index-requests.ts';
import type { HostKind } from '../../../shared/host-kind.ts';
import { Problem } from '../../../shared/errors.ts';
import type { ApiDeps } from '../../deps.ts';
import type { AssistantDeps } from '../deps.ts';
import { askAgain } from './ask-again.ts';

const LOCK = 'questions that are asked again';
const EVERY_MS = 10_000;
/** A host is asked so often where nothing tells us, and where a delivery may be lost. */
const ASK_MS = { untold: 5 * 60_000, told: 60 * 60_000 };
const MOST_AT_ONCE = 20;
const AGAIN_SECONDS = 600;
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
        await askHosts(deps, askedAt);
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
  for (const gap of await dueGaps(deps.pool, MOST_AT_ONCE)) {
    if (stopping.aborted) return;
    if (left.has(gap.projectId)) continue;
    if (gap.index !== 'read') left.add(gap.projectId);
    if (gap.index === 'none') {
      const { projectId: id, domain } = gap;
      await requestIndex(deps.temporal, deps.config.TASK_QUEUE, { id, domain });
    }
    if (gap.index === 'read' && !(await ask(deps, gap, stopping))) left.add(gap.projectId);
  }
  for (const job of await unansweredJobs(deps.pool, MOST_FOLLOW_UPS))
    await tell(deps, job).catch((error: unknown) =>
      deps.log.warn({ err: error, jobId: job.jobId }, 'a job gets its unanswered questions later'),
    );
}

/** False: the assistant cannot answer now, and nothing of the project is asked for a while. */
async function ask(
  { pool, assistant, log }: GapDeps,
  { id, projectId, question }: DueGap,
  stopping: AbortSignal,
): Promise<boolean> {
  const project = await findProject(pool, projectId);
  if (!project) return false;
  try {
    const answer = await askAgain(assistant, { project, question }, log, stopping);
    if (answer) await noteGapAsked(pool, id, answer.sources, answer.page);
    if (answer || stopping.aborted) return true;
  } catch (error) {
    log.warn({ err: error, projectId }, 'a question is asked again later');
  }
  await putOffGaps(pool, projectId, AGAIN_SECONDS);
  return false;
}

/** As a follow-up, once for each merge, also by several processes. */
async function tell(deps: GapDeps, job: UnansweredJob): Promise<void> {
  const { jobId, projectId, organizationId, prNumber, questions, requirePlanApproval } = job;
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

/** How pull requests ended of which no delivery told. */
async function askHosts(
  { pool, config, log }: GapDeps,
  askedAt: Map<HostKind, number>,
): Promise<void> {
  for (const { kind, webhook } of HOSTS) {
    const every = webhook?.secret(config) === undefined ? ASK_MS.untold : ASK_MS.told;
    if (!webhook || performance.now() - (askedAt.get(kind) ?? -Infinity) < every) continue;
    askedAt.set(kind, performance.now());
    const pulls = await awaitedPullRequests(pool, kind);
    const questions = pulls.length > 0 ? webhook.open({ config, pool }) : undefined;
    for (const { repository, number } of questions ? pulls : []) {
      try {
        const { state, at } = await questions!.pullRequest(repository, number);
        const names = [repository.toLowerCase()];
        await notePullRequest(pool, kind, { names, number, state, at });
      } catch (error) {
        log.info({ err: error, repository, number }, 'the host does not say how it ended');
      }
    }
  }
}
