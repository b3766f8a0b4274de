import { pipeline as connect, type Readable, Transform, type TransformCallback } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../shared/errors.ts';

/** The inflated body. Fails with `payload_too_large` if either form is over `limit` bytes. */
export function bodyOf(request: FastifyRequest, limit: number): Readable {
  if (Number(request.headers['content-length']) > limit) throw tooLarge();
  const body = request.body as Readable;
  const bounded = new BoundedStream(limit);
  // An error of any stream ends the others, and reaches the reader.
  return request.headers['content-encoding'] === 'gzip'
    ? connect(body, createGunzip(), bounded, () => undefined)
    : connect(body, bounded, () => undefined);
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
