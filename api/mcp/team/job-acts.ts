import type { Job } from '../../../db/jobs/job.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { cancelJob } from '../../../jobs/end-job.ts';
import { requireJob } from '../../../jobs/read-job.ts';
import { sendMessage } from '../../../jobs/send-message.ts';
import { changeBudget, decide } from '../../../jobs/waiting/answer-job.ts';
import { recordDecision, recordEndOfJob } from '../../audit.ts';
import { responseEnd } from '../../plugins/response-end.ts';
import type { McpExchange } from '../tool.ts';

/** The job that a call names, which is then that of its request: the audit log reads it there. */
export async function namedJob(
  { pool }: JobsDeps,
  { request }: McpExchange,
  id: string,
): Promise<Job> {
  request.job = await requireJob({ pool }, request.project.id, id);
  return request.job;
}

export async function cancel(deps: JobsDeps, exchange: McpExchange, id: string): Promise<Job> {
  const { request, reply } = exchange;
  const job = await namedJob(deps, exchange, id);
  const reader = { id: request.apiKey.id, end: responseEnd(reply) };
  return recordEndOfJob(deps.pool, request, 'job.cancelled', () =>
    cancelJob(deps, job.projectId, job.id, reader),
  );
}

export async function decideJob(
  deps: JobsDeps,
  exchange: McpExchange,
  { verb, id, turn }: { verb: 'approve' | 'decline'; id: string; turn?: number },
): Promise<Job> {
  const job = await namedJob(deps, exchange, id);
  const action = verb === 'approve' ? 'job.approved' : 'job.declined';
  await decide(deps, {
    ...{ verb, turn, projectId: job.projectId, jobId: job.id, source: 'api' },
    idempotency: undefined,
    onStored: recordDecision(exchange.request, action),
  });
  return requireJob(deps, job.projectId, job.id);
}

export async function tellJob(
  deps: JobsDeps,
  exchange: McpExchange,
  told: { id: string; prompt: string; turn?: number; requirePlanApproval?: boolean },
): Promise<Job> {
  const { prompt, turn, requirePlanApproval = false } = told;
  const job = await namedJob(deps, exchange, told.id);
  await sendMessage(deps, {
    ...{ projectId: job.projectId, jobId: job.id, prompt, requirePlanApproval, source: 'api' },
    ...(turn !== undefined && { meantFor: { turn } }),
    idempotency: undefined,
  });
  return requireJob(deps, job.projectId, job.id);
}

export async function raiseBudget(
  deps: JobsDeps,
  exchange: McpExchange,
  { id, budgetUsd }: { id: string; budgetUsd: number },
): Promise<void> {
  const job = await namedJob(deps, exchange, id);
  await changeBudget(deps, {
    ...{ projectId: job.projectId, jobId: job.id, budgetUsd, source: 'api' },
    onStored: recordDecision(exchange.request, 'job.budget_changed', { budgetUsd }),
  });
}
