import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../shared/errors.ts';
import { JsonShape } from './json-shape.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** How much of the body was read, about; undefined until it was. */
    bodySize?: number;
  }
}

/** Bytes that are looked at before others get a turn: 2 ms. */
const PORTION = 512 * 1024;

/**
 * Accepts JSON bodies only. An empty body counts as none: many clients name a content type for a
 * body that they do not send. A large one is checked, decoded, parsed and validated each in a turn
 * of the event loop of its own: 4 MiB take 10 to 30 ms in each.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  // A member `__proto__` is an own member of the parsed value. The validator copies known members
  // only, and looking for others takes 40 ms.
  const parse = app.getDefaultJsonParser('ignore', 'ignore');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined;
      request.bodySize = body.length;
      const isLarge = body.length > PORTION;
      const refusal = await shapeRefusal(body);
      if (refusal !== undefined) throw new Problem('invalid_request', refusal);
      if (isLarge) await setImmediate();
      const text = body.toString('utf8');
      if (isLarge) await setImmediate();
      const value = await new Promise<unknown>((resolve, reject) => {
        void parse(request, text, (error, parsed) => (error ? reject(error) : resolve(parsed)));
      });
      if (isLarge) await setImmediate();
      return value;
    },
  );
}

async function shapeRefusal(json: Buffer): Promise<string | undefined> {
  const shape = new JsonShape();
  for (let from = 0; from < json.length; from += PORTION) {
    if (from > 0) await setImmediate();
    const refusal = shape.read(json.subarray(from, from + PORTION));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
