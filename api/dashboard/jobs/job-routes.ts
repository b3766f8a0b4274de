import type { JobList, StepResults } from '../contract/jobs.ts';
import { readChangedFiles } from '../../../db/jobs/conversation.ts';
import type { Query } from '../contract/routes/route-types.ts';
import {
  type JobScope,
  listJobOverviews,
  readJobFilterOptions,
} from '../../../db/jobs/job-overviews.ts';
import { readConversation } from '../../../jobs/conversation.ts';
import { unifiedDiff } from '../../../jobs/unified-diff.ts';
import { archiveJob, cancelJob } from '../../../jobs/end-job.ts';
import { rewindJob } from '../../../jobs/rewind/rewind-job.ts';
import { storeImage } from '../../../jobs/uploads/store-image.ts';
import { sendMessage } from '../../../jobs/send-message.ts';
import { recordEndOfJob } from '../../audit.ts';
import { responseEnd } from '../../plugins/response-end.ts';
import { isAtLeast } from '../access.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers, RouteRequest } from '../handlers.ts';
import { page, readCursor } from '../paging.ts';
import { diffBody } from './diff.ts';
import { jobView, readJobDetail, readJobView } from './job-view.ts';
import { startJob } from './start-job.ts';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { readProgress, type StoredEvent } from '../../../db/jobs/events.ts';
import { isStillThere } from '../../../db/people/sessions.ts';
import type { TextDelta } from '../../../shared/jobs/job.ts';
import { EVENT_STREAM_HEADERS, eventStream, serverSentEvent } from '../../agent/event-stream.ts';
import { jobProgress } from '../../../jobs/watch/job-progress.ts';
import { readStepResults } from '../../../db/jobs/transcript.ts';
import { redact } from '../../../shared/secrets/redact.ts';

/** Jobs of a project: what the agent API does, for people. */
export function jobRoutes(deps: DashboardDeps) {
  return { ...readingRoutes(deps), ...changingRoutes(deps) };
}

function readingRoutes(deps: DashboardDeps) {
  const { pool } = deps;
  return {
    'GET /projects/:projectId/jobs': ({ project, query }) =>
      listJobs(deps, { projectId: project.id }, query),

    'GET /organizations/:organization/jobs': ({ membership, query }) =>
      listJobs(deps, { organizationId: membership.organization.id }, query),

    'GET /organizations/:organization/job-filters': ({ membership }) =>
      readJobFilterOptions(pool, membership.organization.id),

    'GET /projects/:projectId/jobs/:id': ({ project, job, membership }) =>
      readJobDetail(deps, project, job.id, isAtLeast(membership.role, 'owner')),

    'GET /projects/:projectId/jobs/:id/messages': ({ job }) => readConversation(deps, job),

    'GET /projects/:projectId/jobs/:id/steps/:turn/:step': ({ job, params }) =>
      stepResults(deps, job.id, params),

    'GET /projects/:projectId/jobs/:id/diff': async ({ job }) =>
      diffBody(unifiedDiff(await readChangedFiles(pool, job.workspaceHead))),

    'GET /projects/:projectId/jobs/:id/events': (request, reply) =>
      sendEvents(deps, request, reply),
  } satisfies Partial<Handlers>;
}

async function listJobs(
  { pool, config }: DashboardDeps,
  scope: JobScope,
  { limit = 25, cursor, ...filter }: Query<'GET /projects/:projectId/jobs'>,
): Promise<JobList> {
  const found = await listJobOverviews(pool, scope, {
    ...filter,
    limit: limit + 1,
    ...(cursor !== undefined && { after: readCursor(cursor, 'job') }),
  });
  const { rows, nextCursor } = page(found, limit);
  return { jobs: rows.map(row => jobView(config, row)), nextCursor };
}

function changingRoutes(deps: DashboardDeps) {
  const { pool } = deps;
  return {
    'POST /projects/:projectId/uploads': ({ project, body }) => storeImage(pool, project.id, body),

    'POST /projects/:projectId/jobs': request => startJob(deps, request, request.body),

    'POST /projects/:projectId/jobs/:id/message': async ({ project, job, body }) => {
      await sendMessage(deps, {
        projectId: project.id,
        jobId: job.id,
        prompt: body.prompt,
        uploads: body.uploads ?? [],
        ...(body.turn !== undefined && { meantFor: { turn: body.turn } }),
        source: 'dashboard',
        idempotency: undefined,
      });
      return readJobView(deps, project.id, job.id);
    },

    'POST /projects/:projectId/jobs/:id/rewind': async ({ project, job, body, log }) => {
      await rewindJob({ ...deps, log }, { projectId: project.id, jobId: job.id, ...body });
      return readJobView(deps, project.id, job.id);
    },

    'POST /projects/:projectId/jobs/:id/cancel': async (request, reply) => {
      const { project, job, signedIn } = request;
      await recordEndOfJob(pool, request, 'job.cancelled', () =>
        cancelJob(deps, project.id, job.id, { id: signedIn.id, end: responseEnd(reply) }),
      );
      return readJobView(deps, project.id, job.id);
    },

    'POST /projects/:projectId/jobs/:id/archive': async (request, reply) => {
      const { project, job, signedIn } = request;
      await recordEndOfJob(pool, request, 'job.archived', () =>
        archiveJob(deps, project.id, job.id, { id: signedIn.id, end: responseEnd(reply) }),
      );
      return readJobView(deps, project.id, job.id);
    },
  } satisfies Partial<Handlers>;
}

/** Streams a job's events for as long as the reader may see the project. */
async function sendEvents(
  deps: DashboardDeps,
  request: RouteRequest<'GET /projects/:projectId/jobs/:id/events'>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { job, project, signedIn } = request;
  const after = request.headers['last-event-id'] ?? 0;
  const progress = await readProgress(deps.pool, job.id, after, 1);
  // A browser reconnects whenever a stream ends; 204 stops it.
  if (progress?.resting && progress.lastEvent <= after) return reply.code(204).send();
  const { deltas = false } = request.query;
  const mayRead = () => isStillThere(deps.pool, signedIn.id, project.id);
  const reader = { id: signedIn.id, end: responseEnd(reply) };
  const progressed = jobProgress(deps, job, { after, deltas, reader, mayRead });
  return reply.headers(EVENT_STREAM_HEADERS).send(Readable.from(eventStream(progressed, withTime)));
}

/** The dashboard shows how long steps take; the agent API's events have no time. */
function withTime(item: StoredEvent | TextDelta): string {
  return serverSentEvent('seq' in item ? { ...item, event: { ...item.event, at: item.at } } : item);
}

/** The longest result of a tool, a view of a whole page, is 30,000 characters. */
const MAX_CHARACTERS = 30_000;
/** Of one answer, so that a step of many calls is not megabytes: the later ones are left out. */
const MAX_CHARACTERS_OF_ALL = 1_000_000;
const MAX_CALLS = 500;
/** Read beyond the cut, so that a secret across it is still seen as one. */
const MARGIN = 1_000;

/** What the calls of one step gave. */
async function stepResults(
  { pool }: Pick<DashboardDeps, 'pool'>,
  jobId: string,
  { turn, step }: { turn: number; step: number },
): Promise<StepResults> {
  const found = await readStepResults(
    pool,
    { jobId, turn, step },
    { calls: MAX_CALLS, characters: MAX_CHARACTERS + MARGIN },
  );
  let left = MAX_CHARACTERS_OF_ALL;
  return {
    results: found.map(({ toolCallId, content, length, isError }) => {
      const safe = redact(content);
      const shown = safe.slice(0, Math.min(MAX_CHARACTERS, Math.max(0, left)));
      left -= shown.length;
      const complete = shown.length === safe.length && content.length === length;
      return { toolCallId, content: shown, complete, isError };
    }),
  };
}
