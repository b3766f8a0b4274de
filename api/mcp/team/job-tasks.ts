import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Job } from '../../../db/jobs/job.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { readJob, rowStatus } from '../../../jobs/read-job.ts';
import { Problem } from '../../../shared/errors.ts';
import type { Waiting } from '../../../shared/jobs/waiting-schemas.ts';
import { TASKS } from '../serve-mcp.ts';
import { type McpExchange, sentenceOf } from '../tool.ts';
import { cancel, decideJob, raiseBudget, tellJob } from './job-acts.ts';
import { describeJob, type JobAnswer, toolAnswer, waitingText } from './job-answer.ts';

const POLL_MS = 2_000;

/**
 * A job as a task of the extension: its id is the handle, good as long as the job is kept. A
 * follow-up makes a completed task work again, which the extension does not foresee.
 */
export function taskOf(job: Job) {
  return {
    taskId: job.id,
    status: rowStatus(job) === 'active' ? 'working' : 'completed',
    createdAt: job.createdAt.toISOString(),
    lastUpdatedAt: job.updatedAt.toISOString(),
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
}

const Handle = z.looseObject({ taskId: z.string() });
const Response = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z
    .object({
      decision: z.enum(['approve', 'decline']).optional(),
      answer: z.string().min(1).optional(),
      budgetUsd: z.number().positive().optional(),
    })
    .optional(),
});

/** Adds the extension's three methods to a server, for clients that declare it. */
export function addTasks(
  deps: JobsDeps,
  server: Server,
  exchangeOf: (context: ServerContext) => McpExchange,
): void {
  const handle = (
    method: string,
    act: (id: string, exchange: McpExchange, inputs: unknown) => Promise<object>,
  ) =>
    server.setRequestHandler(method, { params: Handle }, async (params, context) => {
      const exchange = exchangeOf(context);
      if (!(TASKS in exchange.clientExtensions))
        throw new MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [TASKS]: {} } },
        });
      // The library lifts the responses out of the parameters.
      const inputs = context.mcpReq.inputResponses ?? params['inputResponses'];
      return act(params.taskId, exchange, inputs).catch((error: unknown) => {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, sentenceOf(error, exchange));
      }) as Promise<Record<string, unknown>>;
    });
  handle('tasks/get', (id, exchange) => detailedTask(deps, exchange, id));
  handle('tasks/cancel', async (id, exchange) => {
    await cancel(deps, exchange, id);
    return {};
  });
  handle('tasks/update', async (id, exchange, inputs) => {
    await update(deps, exchange, id, inputs);
    return {};
  });
}

async function detailedTask(deps: JobsDeps, { request, clientAsks }: McpExchange, id: string) {
  const job = await readJob(deps, request.project.id, id);
  const task = taskOf(job);
  const answer = await describeJob(deps, job);
  const { waiting, outcome, message } = answer;
  if (task.status === 'working') return task;
  const told = { ...task, statusMessage: message ?? '' };
  if (waiting)
    return {
      ...{ ...told, status: 'input_required', statusMessage: waitingText(waiting) },
      // A client that cannot ask leaves the answer to a person elsewhere, or to a tool.
      inputRequests: clientAsks ? { [keyOf(waiting)]: questionOf(waiting) } : {},
    };
  if (outcome === 'cancelled') return { ...told, status: 'cancelled' };
  if (outcome === 'failed')
    return { ...told, status: 'failed', error: { code: -32_603, message: failureOf(answer) } };
  const { text, structured } = toolAnswer(answer);
  return { ...told, result: { content: [{ type: 'text', text }], structuredContent: structured } };
}

function failureOf({ message, failureCode }: JobAnswer): string {
  return [message, failureCode && `(${failureCode})`].filter(Boolean).join(' ') || 'It failed.';
}

/** An answer to an older turn has no effect. */
function keyOf({ for: what, turn }: Waiting): string {
  return `${what}-${turn}`;
}

function questionOf(waiting: Waiting) {
  const { name, schema } = ANSWERS[waiting.for](waiting);
  const requestedSchema = { type: 'object', properties: { [name]: schema }, required: [name] };
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message: waitingText(waiting), requestedSchema },
  };
}

const ANSWERS: Record<Waiting['for'], (waiting: Waiting) => { name: string; schema: object }> = {
  approval: () => ({
    name: 'decision',
    schema: { type: 'string', title: 'Decision', enum: ['approve', 'decline'] },
  }),
  answer: ({ options }) => ({
    name: 'answer',
    schema: { type: 'string', title: 'Answer', ...(options?.length && { enum: options }) },
  }),
  budget: () => ({
    name: 'budgetUsd',
    schema: { type: 'number', title: 'New budget in US dollars', minimum: 0.01 },
  }),
};

/** Hands on what a person has answered; what the job does not wait for is ignored. */
async function update(deps: JobsDeps, exchange: McpExchange, id: string, inputs: unknown) {
  const job = await readJob(deps, exchange.request.project.id, id);
  const { waiting } = await describeJob(deps, job);
  const given = waiting && (inputs as Record<string, unknown> | undefined)?.[keyOf(waiting)];
  if (!waiting || given === undefined) return;
  const read = Response.safeParse(given);
  if (!read.success) throw new Problem('invalid_request', 'The response is not one of a form.');
  const { action, content = {} } = read.data;
  const { turn } = waiting;
  if (action === 'cancel') return;
  if (waiting.for === 'approval') {
    const verb = action === 'accept' ? content.decision : 'decline';
    if (!verb) throw new Problem('invalid_request', 'The response has no decision.');
    await decideJob(deps, exchange, { verb, id, turn });
  } else if (action === 'accept' && content.answer !== undefined)
    await tellJob(deps, exchange, { id, prompt: content.answer, turn });
  else if (action === 'accept' && content.budgetUsd !== undefined)
    await raiseBudget(deps, exchange, { id, budgetUsd: content.budgetUsd });
}
