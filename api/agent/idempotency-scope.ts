import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { IdempotencyScope } from '../../db/jobs/idempotency.ts';

/** The scope of a request's Idempotency-Key, or undefined if it has none. */
export function idempotencyScope(
  request: FastifyRequest,
  route: string,
): IdempotencyScope | undefined {
  const key = request.headers['idempotency-key'];
  return typeof key === 'string'
    ? scopeOf(request, route, key, request.body ?? request.query)
    : undefined;
}

/** The scope of a key that a request names for what it asks. */
export function scopeOf(
  request: FastifyRequest,
  route: string,
  key: string,
  asked: unknown,
): IdempotencyScope {
  return {
    organizationId: request.apiKey.organizationId,
    apiKeyId: request.apiKey.id,
    route,
    key,
    bodyHash: createHash('sha256').update(JSON.stringify(asked)).digest(),
  };
}
