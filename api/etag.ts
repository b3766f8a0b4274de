import { createHash } from 'node:crypto';

/** A body's ETag: equal for equal bodies. */
export function etagOf(body: object): string {
  return `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 27)}"`;
}

/** Whether an If-None-Match header names this ETag. */
export function etagMatches(header: string | undefined, etag: string): boolean {
  return (
    header !== undefined &&
    header.split(',').some(tag => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
  );
}
