import type { FastifyRequest } from 'fastify';
import type { Job } from '../../db/jobs/job.ts';
import type { Pool } from '../../db/pool.ts';
import { pathParameter } from '../plugins/path-project.ts';
import { requireJob } from '../../jobs/read-job.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The row of the job that the path names, on routes with `jobOfPath`. */
    job: Job;
  }
}

/**
 * The preHandler of routes that need a job's row: puts that of `:id` on the request, and answers
 * 404 if the project has no such job.
 */
export function jobOfPath(pool: Pool): (request: FastifyRequest) => Promise<void> {
  return async request => {
    request.job = await requireJob({ pool }, request.project.id, pathParameter(request, 'id'));
  };
}
