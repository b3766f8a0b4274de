import { Type } from '@sinclair/typebox';
import { readChangedFiles } from '../../../db/jobs/conversation.ts';
import { createJob } from '../../../jobs/create-job.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { awaitJob, rowStatus } from '../../../jobs/read-job.ts';
import { unifiedDiff } from '../../../jobs/unified-diff.ts';
import { scopeOf } from '../../agent/idempotency-scope.ts';
import { listedJobs } from '../../agent/read-routes.ts';
import {
  CreateJobBody,
  DecisionQuery,
  IdempotencyHeaders,
  JobList,
  JobParams,
  ListQuery,
  MessageBody,
} from '../../agent/schemas.ts';
import { newJob } from '../../agent/write-routes.ts';
import { responseEnd } from '../../plugins/response-end.ts';
import { TASKS } from '../serve-mcp.ts';
import { defineTool, type McpTool, READS } from '../tool.ts';
import { cancel, decideJob, namedJob, tellJob } from './job-acts.ts';
import { describeJob, JobAnswer, toolAnswer } from './job-answer.ts';
import { taskOf } from './job-tasks.ts';

const WRITES = { ...READS, readOnlyHint: false, idempotentHint: false, openWorldHint: true };
const { id } = JobParams.properties;
const { uploads: _, ...NEW_JOB } = CreateJobBody.properties;
const { uploads: __, ...MESSAGE } = MessageBody.properties;
/** Characters of a diff: a model has to read it. */
const MAX_DIFF = 60_000;

const create = defineTool({
  name: 'create_job',
  title: 'Give the documentation agent an instruction',
  description:
    'Starts a job: the agent edits the docs in their repository and opens a pull request. It ' +
    'runs in the background, for minutes. Say in the prompt what readers shall find, and where.',
  annotations: WRITES,
  input: Type.Object({
    ...NEW_JOB,
    idempotencyKey: IdempotencyHeaders.properties['idempotency-key'],
  }),
  output: JobAnswer,
  async run(deps: JobsDeps, { request, clientExtensions }, { idempotencyKey: key, ...body }) {
    const route = `create ${request.project.id}`;
    const scope = key === undefined ? undefined : scopeOf(request, route, key, body);
    const job = await createJob(deps, newJob(request, body, scope));
    const answer = toolAnswer(await describeJob(deps, job));
    return TASKS in clientExtensions ? { ...answer, task: taskOf(job) } : answer;
  },
});

const get = defineTool({
  name: 'get_job',
  title: 'Read a job',
  description:
    'Status, outcome, pull request, and what the job waits for. With waitSeconds it answers once ' +
    'the job is no longer active.',
  annotations: READS,
  input: Type.Object({
    id,
    waitSeconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 60, description: 'How long to wait, at most.' }),
    ),
  }),
  output: JobAnswer,
  async run(deps: JobsDeps, exchange, { id: jobId, waitSeconds = 0 }) {
    const { request, reply, progress } = exchange;
    if (waitSeconds > 0) await progress('Waiting for the job');
    const job = await awaitJob(deps, request.project.id, jobId, {
      ms: waitSeconds * 1000,
      reader: { id: request.apiKey.id, end: responseEnd(reply) },
      untilIdle: true,
      enough: current => rowStatus(current) !== 'active',
    });
    return toolAnswer(await describeJob(deps, job));
  },
});

const send = defineTool({
  name: 'send_message',
  title: 'Send a job a follow-up',
  description:
    'A further instruction, or the answer to what the agent asks. It updates the same pull ' +
    'request. To answer a question, name its turn: the first answer counts.',
  annotations: WRITES,
  input: Type.Object({ id, ...MESSAGE }),
  output: JobAnswer,
  run: async (deps: JobsDeps, exchange, told) =>
    toolAnswer(await describeJob(deps, await tellJob(deps, exchange, told))),
});

const list = defineTool({
  name: 'list_jobs',
  title: 'List jobs',
  description: 'Jobs of the project, newest first, with what came of them.',
  annotations: READS,
  input: ListQuery,
  output: Type.Object(JobList.properties),
  async run(deps: JobsDeps, { request }, query) {
    const found = await listedJobs(deps, request.project.id, query);
    const lines = found.jobs.map(
      job => `${job.id} ${job.status} ${job.outcome ?? ''} ${job.prLink ?? ''}`,
    );
    return { text: lines.join('\n') || 'There are no such jobs.', structured: found };
  },
});

const diff = defineTool({
  name: 'get_diff',
  title: 'Read what a job has changed',
  description: 'The changes so far, as a unified diff.',
  annotations: READS,
  input: Type.Object({ id }),
  output: Type.Object({
    diff: Type.String({ description: 'Unified diff; empty: nothing is changed.' }),
    truncated: Type.Boolean({ description: `It is longer than ${MAX_DIFF} characters.` }),
  }),
  async run(deps: JobsDeps, exchange, { id: jobId }) {
    const job = await namedJob(deps, exchange, jobId);
    const whole = unifiedDiff(await readChangedFiles(deps.pool, job.workspaceHead));
    const structured = { diff: whole.slice(0, MAX_DIFF), truncated: whole.length > MAX_DIFF };
    return { text: structured.diff || 'Nothing is changed.', structured };
  },
});

const stop = defineTool({
  name: 'cancel_job',
  title: 'Cancel a job',
  description: 'Ends the running turn. What was edited stays in the diff, unpublished.',
  annotations: { ...WRITES, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: Type.Object({ id }),
  output: JobAnswer,
  run: async (deps: JobsDeps, exchange, { id: jobId }) =>
    toolAnswer(await describeJob(deps, await cancel(deps, exchange, jobId))),
});

function decision(verb: 'approve' | 'decline', title: string, description: string) {
  return defineTool({
    name: `${verb}_job`,
    title,
    description: `${description} Only on the word of a person: name the turn that they have seen.`,
    annotations: WRITES,
    input: Type.Object({ id, ...DecisionQuery.properties }),
    output: JobAnswer,
    run: async (deps: JobsDeps, exchange, given) =>
      toolAnswer(await describeJob(deps, await decideJob(deps, exchange, { verb, ...given }))),
  });
}

/** The tools of a team, in the order in which they are listed. */
export const JOB_TOOLS: readonly McpTool<JobsDeps>[] = [
  ...[create, get, send, list, diff, stop],
  decision('approve', 'Approve what a job waits for', 'The job carries out its plan.'),
  decision('decline', 'Decline what a job waits for', 'The plan is not carried out.'),
];
