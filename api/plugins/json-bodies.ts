import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../shared/errors.ts';

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

/** No request of ours is nested a tenth as deep. Whatever walks a body may recurse. */
const MAX_DEPTH = 100;
/**
 * Members and items of a whole body. A chat of 200 messages has a few thousand; each costs more
 * time than the bytes that it is written with.
 */
const MAX_VALUES = 20_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;

/**
 * How deep and how rich a JSON text is, before it is parsed: counts brackets and commas outside
 * strings. The text comes in portions of UTF-8, in which these characters are bytes of their own.
 */
class JsonShape {
  #depth = 0;
  #values = 0;
  #inString = false;
  #escaped = false;

  /** Why a text that continues so is refused, or undefined so far. */
  read(portion: Uint8Array): string | undefined {
    for (let at = 0; at < portion.length; at++) {
      const byte = portion[at];
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inString = false;
        continue;
      }
      if (byte === QUOTE) this.#inString = true;
      else if (byte === COMMA) this.#values += 1;
      else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) this.#depth -= 1;
      else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
        this.#values += 1;
        this.#depth += 1;
        if (this.#depth > MAX_DEPTH)
          return `The body is nested more than ${MAX_DEPTH} levels deep.`;
      }
      if (this.#values > MAX_VALUES)
        return `The body has more than ${MAX_VALUES} members and items.`;
    }
    return undefined;
  }
}
