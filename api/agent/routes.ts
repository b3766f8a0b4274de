import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAgentProject } from '../plugins/path-project.ts';
import type { JobsDeps } from '../../jobs/deps.ts';
import { readRoutes } from './read-routes.ts';
import {
  JobSchema,
  ProjectParams,
  JobParams,
  JobRef,
  EventsHeaders,
  EventsQuery,
} from './schemas.ts';
import { writeRoutes } from './write-routes.ts';
import { NewUpload, Upload, UPLOAD_BODY_LIMIT } from '../../shared/jobs/uploads.ts';
import { problems } from '../plugins/problems.ts';
import { CHANGE_PROBLEMS, READ_PROBLEMS, textResponse } from './responses.ts';
import { storeImage } from '../../jobs/uploads/store-image.ts';
import { Type } from '@sinclair/typebox';
import { jobBody } from './job-body.ts';
import { rewindJob } from '../../jobs/rewind/rewind-job.ts';
import { Readable } from 'node:stream';
import { mayKeyStillRead } from '../../db/projects/keys.ts';
import { responseEnd } from '../plugins/response-end.ts';
import { jobOfPath } from './path-job.ts';
import { JobEventSchema } from './event-schemas.ts';
import { EVENT_STREAM_HEADERS, eventStream } from './event-stream.ts';
import { jobProgress } from '../../jobs/watch/job-progress.ts';

/** Agent jobs, v2. */
export const agentRoutes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.addSchema(JobSchema);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'private, no-cache', vary: 'Authorization' });
  });
  requireAgentProject(app, deps.pool);
  app.decorateRequest('job');
  await app.register(writeRoutes, deps);
  await app.register(uploadRoutes, deps);
  await app.register(readRoutes, deps);
  await app.register(streamRoute, deps);
  await app.register(rewindRoute, deps);
};

/** Images for instructions. The same bytes twice are one upload. */
const uploadRoutes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, { pool }) => {
  app.post(
    '/v2/agent/:projectId/upload',
    {
      config: { access: 'admin' },
      bodyLimit: UPLOAD_BODY_LIMIT,
      schema: {
        tags: ['Agent'],
        operationId: 'uploadImage',
        summary: 'Upload an image for an instruction',
        description: 'The same bytes twice are one upload. Instructions name it by its id.',
        params: ProjectParams,
        body: NewUpload,
        response: { 201: Upload, ...CHANGE_PROBLEMS, ...problems('limit_exceeded') },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return storeImage(pool, request.project.id, request.body);
    },
  );
};

const RewindBody = Type.Object(
  {
    step: Type.Integer({
      minimum: 1,
      description: 'The step to make again: it and all that came after it are undone.',
    }),
    turn: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The turn that the step belongs to; the newest where it is left out.',
      }),
    ),
  },
  { title: 'RewindJob', description: 'Where to continue from.', examples: [{ step: 3 }] },
);

/** Rewinds a job to an earlier step, v2. */
const rewindRoute: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.post(
    '/v2/agent/:projectId/job/:id/rewind',
    {
      config: { access: 'admin' },
      schema: {
        tags: ['Agent'],
        operationId: 'rewindJob',
        summary: 'Rewind agent job',
        description: 'Continues from an earlier step, without the follow-ups that came later.',
        params: JobParams,
        body: RewindBody,
        response: { 200: JobRef, ...CHANGE_PROBLEMS },
      },
    },
    async request => {
      const { project, params, body } = request;
      const { turn, step } = body;
      const job = await rewindJob(
        { ...deps, log: request.log },
        { projectId: project.id, jobId: params.id, step, ...(turn !== undefined && { turn }) },
      );
      return jobBody(deps.config, job);
    },
  );
};

/** A job's progress as it happens. */
const streamRoute: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.get(
    '/v2/agent/:projectId/job/:id/events',
    {
      config: { access: 'admin' },
      exposeHeadRoute: false,
      preHandler: jobOfPath(deps.pool),
      schema: {
        tags: ['Agent'],
        operationId: 'followJob',
        summary: 'Follow an agent job',
        description: 'Its progress, as server-sent events; ends when the job rests.',
        params: JobParams,
        headers: EventsHeaders,
        querystring: EventsQuery,
        response: {
          200: textResponse(
            'text/event-stream',
            'Server-sent events; each has the number of the event as its id',
            JobEventSchema,
          ),
          ...READ_PROBLEMS,
        },
      },
    },
    async (request, reply) => {
      const { project, job, apiKey } = request;
      const progress = jobProgress(deps, job, {
        after: request.headers['last-event-id'] ?? 0,
        deltas: request.query.deltas ?? false,
        reader: { id: apiKey.id, end: responseEnd(reply) },
        mayRead: () => mayKeyStillRead(deps.pool, apiKey.id, project.id),
      });
      const stream = Readable.from(eventStream(progress));
      return reply.headers(EVENT_STREAM_HEADERS).send(stream);
    },
  );
};
