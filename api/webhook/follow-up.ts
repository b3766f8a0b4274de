import { createHash } from 'node:crypto';
import { recordAudit } from '../../db/audit/audit-log.ts';
import type { Transaction } from '../../db/pool.ts';
import {
  type CommentedJob,
  jobOfPullRequest,
  repositoryNames,
} from '../../db/webhook/deliveries.ts';
import { readEventsOfTypes } from '../../db/jobs/events.ts';
import { Problem } from '../../shared/errors.ts';
import { instructionIn } from '../../hosts/mention.ts';
import { asksForComments, quoteReviewComments } from '../../hosts/review-comments.ts';
import { MAX_PROMPT } from '../../shared/jobs/job.ts';
import { sendMessage } from '../../jobs/send-message.ts';
import { decide } from '../../jobs/waiting/answer-job.ts';
import type { Said } from '../../hosts/webhook.ts';
import type { DeliveryDeps } from './deps.ts';

/** The pull request is not one of ours. */
export const NO_JOB = 'no job';

/** The host’s clock and ours, and seconds that its times do not have. */
const CLOCKS_DIFFER_MS = 5_000;

/**
 * A comment that mentions the agent, by a person who may write, becomes a follow-up of the job that
 * opened the pull request. Returns what became of it. Throws where it may be tried again: Temporal,
 * Postgres or the host is away, or the job's queue is full.
 */
export async function followUp(deps: DeliveryDeps, said: Said): Promise<string> {
  const { instruction, ignored } = readComment(said, deps.webhook.mention(deps.config));
  if (ignored !== undefined) return ignored;
  const job = await jobOfPullRequest(
    deps.pool,
    deps.host,
    await repositoryNames(deps.pool, deps.host, said.repository),
    said.pullRequest,
  );
  if (!job) return NO_JOB;
  const questions = deps.questions();
  if (!questions || !(await questions.mayWrite(job.repository, said.user.login)))
    return 'by a person who may not write';
  const verb = decisionIn(instruction);
  const seen = verb && (await lastWait(deps, job.jobId));
  if (seen && Date.parse(said.at) + CLOCKS_DIFFER_MS < seen.at.getTime())
    return 'It was written before what the job waits for now.';
  const comments = asksForComments(instruction)
    ? `\n\n${quoteReviewComments(await questions.reviewComments(job.repository, said.pullRequest))}`
    : '';
  const place =
    said.path === null
      ? ''
      : `\n\n(About ${said.path}${said.line === null ? '' : `, line ${said.line}`}.)`;
  const message = messageOf(deps, job, said);
  try {
    if (verb)
      await decide(deps, {
        ...message,
        verb,
        turn: seen?.turn,
        onStored: (tx, details) => record(tx, verb, job, said, details),
      });
    else
      await sendMessage(deps, {
        ...message,
        prompt: `${instruction}${place}${comments}`.slice(0, MAX_PROMPT),
      });
    return 'taken';
  } catch (error) {
    if (
      error instanceof Problem &&
      error.status < 500 &&
      error.headers['retry-after'] === undefined
    )
      return error.message;
    throw error;
  }
}

/** When the job last began to wait for a person, and in which turn. */
async function lastWait({ pool }: DeliveryDeps, jobId: string) {
  const waits = await readEventsOfTypes(pool, jobId, ['waiting'] as const);
  const last = waits.findLast(({ event }) => event.state === 'began');
  return last && { turn: last.event.turn, at: last.createdAt };
}

/** A comment is one instruction, by however many deliveries it comes. */
function messageOf(deps: DeliveryDeps, job: CommentedJob, said: Said) {
  return {
    projectId: job.projectId,
    jobId: job.jobId,
    source: 'comment' as const,
    idempotency: {
      organizationId: job.organizationId,
      apiKeyId: deps.host,
      route: `message ${job.jobId}`,
      key: said.id,
      bodyHash: createHash('sha256').update(said.id).digest(),
    },
  };
}

/** A comment of one word decides about a plan; with more words it is an instruction. */
function decisionIn(instruction: string): 'approve' | 'decline' | undefined {
  const [, word] = /^(approve|decline)[.!]?$/i.exec(instruction) ?? [];
  return word?.toLowerCase() as 'approve' | 'decline' | undefined;
}

function record(
  tx: Transaction,
  verb: 'approve' | 'decline',
  { organizationId, projectId, jobId }: CommentedJob,
  { user, pullRequest }: Said,
  more: Record<string, unknown>,
): Promise<void> {
  return recordAudit(tx, organizationId, {
    action: verb === 'approve' ? 'job.approved' : 'job.declined',
    actor: { kind: 'anybody', name: user.login },
    subject: { kind: 'job', id: jobId },
    details: { project: projectId, pullRequest, ...more },
  });
}

/** What a comment by itself tells: an instruction, or why it is none. */
export function readComment(
  { text, user, sender }: Said,
  mention: string,
): { instruction: string; ignored?: never } | { instruction?: never; ignored: string } {
  const instruction = instructionIn(text, mention);
  if (instruction === undefined) return { ignored: 'not for the agent' };
  return user.type === 'User' && sender.type === 'User' ? { instruction } : { ignored: 'by a bot' };
}
