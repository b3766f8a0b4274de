import type { JobList } from '../contract/jobs.ts';
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
import type { Handlers } from '../handlers.ts';
import { page, readCursor } from '../paging.ts';
import { diffBody } from './diff.ts';
import { sendEvents } from './job-events.ts';
import { jobView, readJobDetail, readJobView } from './job-view.ts';
import { startJob } from './start-job.ts';
import { stepResults } from './step-results.ts';

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
