import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { IdempotencyScope } from '../../db/jobs/idempotency.ts';

/** The scope of a request's Idempotency-Key, or undefined if it has none. */
export function idempotencyScope(
  request: FastifyRequest,
  route: string,
): IdempotencyScope | undefined {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  const bodyHash = createHash('sha256').update(JSON.stringify(request.body)).digest();
  return {
    organizationId: request.apiKey.organizationId,
    apiKeyId: request.apiKey.id,
    route,
    key,
    bodyHash,
  };
}
