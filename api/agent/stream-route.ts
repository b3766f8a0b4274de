import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { mayKeyStillRead } from '../../db/projects/keys.ts';
import { responseEnd } from '../plugins/response-end.ts';
import type { JobsDeps } from '../../jobs/deps.ts';
import { jobOfPath } from './path-job.ts';
import { READ_PROBLEMS, textResponse } from './responses.ts';
import { EventsHeaders, EventsQuery, JobParams } from './schemas.ts';
import { JobEventSchema } from './event-schemas.ts';
import { EVENT_STREAM_HEADERS, eventStream } from './event-stream.ts';
import { jobProgress } from '../../jobs/watch/job-progress.ts';

/** A job's progress as it happens. */
export const streamRoute: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
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
