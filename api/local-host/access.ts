import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/**
 * Whether the request carries the host's token: as Bearer, or as the password of Basic, which is
 * what git sends.
 */
export function hasToken(request: FastifyRequest, token: string): boolean {
  const [, scheme, value] =
    /^(bearer|basic)\s+(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!scheme || !value) return false;
  const given =
    scheme.toLowerCase() === 'bearer'
      ? value
      : Buffer.from(value, 'base64')
          .toString('utf8')
          .replace(/^[^:]*:/, '');
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
