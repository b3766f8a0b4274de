import { createHash } from 'node:crypto';
import {
  blocksOf,
  type MessagesRequest,
  type RequestBlock,
  type TokenUsage,
} from '../../offline-model/protocol/messages-protocol.ts';

/** The API caches nothing shorter than this (its smallest models want twice as much). */
const MINIMUM_TOKENS = 1024;
/** The API looks this many blocks back from a breakpoint for something it has cached. */
const LOOK_BACK = 20;
const LIFETIME_MS = 5 * 60_000;

/** Bytes a token, near enough for English and Markdown. */
const BYTES_PER_TOKEN = 4;

export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** The parts of a request in the order in which the API caches them: tools, system, messages. */
export function cacheableParts(request: MessagesRequest): { text: string; breakpoint: boolean }[] {
  const parts: { text: string; breakpoint: boolean }[] = [];
  const add = (label: string, value: object, cacheControl: unknown) =>
    parts.push({
      text: `${label}${JSON.stringify(value, withoutCacheControl)}`,
      breakpoint: Boolean(cacheControl),
    });
  for (const tool of request.tools ?? []) add('tool:', tool, tool.cache_control);
  for (const block of blocksOf(request.system)) add('system:', block, block.cache_control);
  for (const message of request.messages) {
    for (const block of blocksOf(message.content)) add(`${message.role}:`, block, marked(block));
  }
  const last = parts.at(-1);
  if (last && request.cache_control) last.breakpoint = true;
  return parts;
}

/** What the API would have in its cache: it counts a call's tokens by byte-equal prefixes. */
export class PromptCache {
  readonly #expiry = new Map<string, number>();

  /** Counts one request at time `now` (ms) and remembers the prefixes that it marks for caching. */
  count(request: MessagesRequest, outputTokens: number, now = Date.now()): TokenUsage {
    const parts = cacheableParts(request);
    const keys: string[] = [];
    const upTo: number[] = [];
    let key = request.model;
    let total = 0;
    for (const part of parts) {
      key = createHash('sha256').update(key).update('\0').update(part.text).digest('base64');
      total += countTokens(part.text);
      keys.push(key);
      upTo.push(total);
    }
    const breakpoints = parts.flatMap((part, index) =>
      part.breakpoint && (upTo[index] ?? 0) >= MINIMUM_TOKENS ? [index] : [],
    );
    const cacheRead = this.#longest(breakpoints, keys, upTo, now);
    for (const index of breakpoints) this.#expiry.set(keys[index] ?? '', now + LIFETIME_MS);
    const toCache = upTo[breakpoints.at(-1) ?? -1] ?? 0;
    return {
      input: total - Math.max(toCache, cacheRead),
      cacheWrite: Math.max(0, toCache - cacheRead),
      cacheRead,
      output: outputTokens,
    };
  }

  #longest(breakpoints: number[], keys: string[], upTo: number[], now: number): number {
    for (const breakpoint of [...breakpoints].reverse()) {
      for (let index = breakpoint; index >= 0 && index > breakpoint - LOOK_BACK; index--) {
        if ((this.#expiry.get(keys[index] ?? '') ?? 0) > now) return upTo[index] ?? 0;
      }
    }
    return 0;
  }
}

/** A tool result may carry its mark inside. */
function marked(block: RequestBlock): boolean {
  if (block.cache_control) return true;
  return Array.isArray(block.content) && block.content.some(inner => inner.cache_control);
}

function withoutCacheControl(name: string, value: unknown): unknown {
  return name === 'cache_control' ? undefined : value;
}
