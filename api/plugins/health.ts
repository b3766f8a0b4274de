import { Type } from '@sinclair/typebox';
import type { Client } from '@temporalio/client';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../shared/config.ts';
import type { Pool } from '../../db/pool.ts';
import { databaseShortcoming } from '../../db/schema-version.ts';
import { littleSpace } from '../../shared/free-space.ts';
import { Problem } from '../../shared/errors.ts';
import { isPolled } from '../../shared/jobs/pollers.ts';
import { RETRY_AFTER_SECONDS, retryAfter } from '../../shared/retry-after.ts';
import { problems } from './problems.ts';

const READY_DEADLINE_MS = 2_000;

const Ok = Type.Object(
  { status: Type.Literal('ok', { description: 'Always ok: other answers are problems.' }) },
  { title: 'Health', description: 'All is well.', examples: [{ status: 'ok' }] },
);

interface HealthDeps {
  config: Config;
  pool: Pool;
  temporal: Client;
}

/**
 * `/healthz`: the process answers. `/readyz`: reads and the assistant work, so that a proxy may
 * send requests here; not while the process is being stopped. `/readyz?for=jobs`: jobs continue as well.
 */
export function registerHealth(app: FastifyInstance, deps: HealthDeps): void {
  app.get(
    '/healthz',
    {
      config: { access: 'public' },
      schema: {
        tags: ['Operations'],
        ...{ operationId: 'getHealth', summary: 'Liveness' },
        description: 'Is the process alive?',
        response: { 200: Ok, ...problems('forbidden') },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get<{ Querystring: { for?: 'jobs' } }>(
    '/readyz',
    {
      config: { access: 'public' },
      schema: {
        tags: ['Operations'],
        ...{ operationId: 'getReadiness', summary: 'Readiness' },
        description:
          'Is the service ready for reads and the assistant? With for=jobs: for jobs too?',
        querystring: Type.Object({
          for: Type.Optional(
            Type.Literal('jobs', {
              description:
                'Also ask whether Temporal answers, a worker polls and the disk has space.',
              examples: ['jobs'],
            }),
          ),
        }),
        response: { 200: Ok, ...problems('invalid_request', 'unavailable') },
      },
    },
    async request => {
      const shortcomings = await Promise.all([
        ofPostgres(deps),
        ...(request.query.for === 'jobs' ? ofJobs(deps) : []),
      ]);
      if (!app.acceptsRequests) shortcomings.push('This process is being stopped.');
      const said = shortcomings.filter(Boolean).join(' ');
      if (said !== '') {
        request.log.warn({ shortcomings }, 'not ready');
        throw new Problem('unavailable', said, { headers: retryAfter(RETRY_AFTER_SECONDS.outage) });
      }
      return { status: 'ok' as const };
    },
  );
}

async function ofPostgres({ pool }: HealthDeps): Promise<string | undefined> {
  return databaseShortcoming(pool).catch(() => 'Postgres cannot be reached.');
}

function ofJobs(deps: HealthDeps): Promise<string | undefined>[] {
  return [ofTemporal(deps), littleSpace(deps.config.DATA_DIR)];
}

async function ofTemporal({ config, temporal }: HealthDeps): Promise<string | undefined> {
  try {
    const polled = await isPolled(temporal, config.TASK_QUEUE, Date.now() + READY_DEADLINE_MS);
    return polled ? undefined : `No worker polls the task queue ${config.TASK_QUEUE}.`;
  } catch {
    return 'Temporal cannot be reached.';
  }
}
