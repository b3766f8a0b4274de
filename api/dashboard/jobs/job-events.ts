import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { readProgress, type StoredEvent } from '../../../db/jobs/events.ts';
import { isStillThere } from '../../../db/people/sessions.ts';
import type { TextDelta } from '../../../shared/jobs/job.ts';
import { EVENT_STREAM_HEADERS, eventStream, serverSentEvent } from '../../agent/event-stream.ts';
import { jobProgress } from '../../../jobs/watch/job-progress.ts';
import { responseEnd } from '../../plugins/response-end.ts';
import type { DashboardDeps } from '../deps.ts';
import type { RouteRequest } from '../handlers.ts';

/** Streams a job's events for as long as the reader may see the project. */
export async function sendEvents(
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
