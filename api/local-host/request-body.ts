import { pipeline as connect, type Readable, Transform, type TransformCallback } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../shared/errors.ts';

/**
 * The inflated body. Fails with `payload_too_large` if either form is over `limit` bytes, and with
 * `invalid_request` if it is not what its headers say.
 */
export function bodyOf(request: FastifyRequest, limit: number): Readable {
  if (Number(request.headers['content-length']) > limit) throw tooLarge();
  const body = request.body as Readable | undefined;
  // One of another type was parsed.
  if (typeof body?.pipe !== 'function')
    throw new Problem('invalid_request', "The body is not git's. Use this address with git.");
  const bounded = new BoundedStream(limit);
  // An error of any stream ends the others, and reaches the reader.
  if (request.headers['content-encoding'] !== 'gzip')
    return connect(body, bounded, () => undefined);
  const inflated = connect(body, createGunzip(), () => undefined);
  inflated.once('error', (error: NodeJS.ErrnoException) =>
    bounded.destroy(error.code?.startsWith('Z_') ? notGzip() : error),
  );
  bounded.once('close', () => inflated.destroy());
  return inflated.pipe(bounded);
}

function notGzip(): Problem {
  return new Problem('invalid_request', 'The body is not gzip, though Content-Encoding says so.');
}

class BoundedStream extends Transform {
  #left: number;

  constructor(limit: number) {
    super();
    this.#left = limit;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#left -= chunk.length;
    if (this.#left >= 0) return done(null, chunk);
    done(tooLarge());
  }
}

function tooLarge(): Problem {
  return new Problem('payload_too_large', 'The request is larger than this host accepts.');
}
