import { Type } from '@sinclair/typebox';
import type { Client } from '@temporalio/client';
import type { FastifyInstance } from 'fastify';
import { ping, type Pool } from '../../shared/db/pool.ts';
import { Problem } from '../../shared/errors.ts';
import { RETRY_AFTER_SECONDS, retryAfter } from '../retry-after.ts';
import { problems } from './problems.ts';

const READY_DEADLINE_MS = 2_000;

const Ok = Type.Object({ status: Type.Literal('ok') });

/** `/healthz`: the process answers. `/readyz`: it reaches Postgres and Temporal. */
export function registerHealth(app: FastifyInstance, deps: { pool: Pool; temporal: Client }): void {
  app.get(
    '/healthz',
    {
      config: { access: 'public' },
      schema: { tags: ['operations'], summary: 'Is the process alive?', response: { 200: Ok } },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/readyz',
    {
      config: { access: 'public' },
      schema: {
        tags: ['operations'],
        summary: 'Are Postgres and Temporal in reach?',
        response: { 200: Ok, ...problems('unavailable') },
      },
    },
    async request => {
      const [postgres, temporal] = await Promise.allSettled([
        ping(deps.pool),
        deps.temporal.connection.withDeadline(Date.now() + READY_DEADLINE_MS, () =>
          deps.temporal.connection.workflowService.getSystemInfo({}),
        ),
      ]);
      const missing = [
        postgres.status === 'rejected' && 'Postgres',
        temporal.status === 'rejected' && 'Temporal',
      ].filter(Boolean);
      if (missing.length > 0) {
        request.log.warn({ postgres, temporal }, 'not ready');
        throw new Problem('unavailable', `${missing.join(' and ')} cannot be reached.`, {
          headers: retryAfter(RETRY_AFTER_SECONDS.outage),
        });
      }
      return { status: 'ok' as const };
    },
  );
}
