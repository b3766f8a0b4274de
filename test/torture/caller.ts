import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from '../jobs/random/dice.ts';

/** Whom the load asks. */
export interface Callee {
  apis: readonly { url: string }[];
  project: { id: string };
  adminKey: string;
  /** Of the built-in host. */
  token?: string;
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: object | undefined;
  /** From then on a limit is not waited for. */
  end: number;
}

const ATTEMPT_MS = 15_000;

/** Asks over HTTP; every doubt is repeated with the same key, and some requests are made twice at once. */
export class Caller {
  /** Answers to one key that differ. */
  readonly violations: string[] = [];
  readonly #callee: Callee;
  readonly #dice: Dice;

  constructor(callee: Callee, dice: Dice) {
    this.#callee = callee;
    this.#dice = dice;
  }

  /** About a job of the project. See `#repeat`. */
  ask(call: Call): Promise<unknown> {
    const { project, adminKey } = this.#callee;
    return this.#repeat({ ...call, path: `/v2/agent/${project.id}${call.path}` }, adminKey);
  }

  /** Of the built-in host. */
  askHost(call: Call): Promise<unknown> {
    return this.#repeat(call, this.#callee.token ?? '');
  }

  /** The body of a 2xx; null if it was refused, undefined if the time was up before there was an answer. */
  async #repeat(call: Call, bearer: string): Promise<unknown> {
    const key = randomUUID();
    // After the end a doubt is still settled: it must not stay one.
    while (Date.now() < call.end + 60_000) {
      const first = this.#dice.below(this.#callee.apis.length);
      const isTwice = call.method === 'POST' && this.#dice.below(4) === 0;
      const at = isTwice ? [first, first + 1] : [first];
      const answers = await Promise.all(at.map(api => this.#once(call, key, bearer, api)));
      const bodies = answers.flatMap(answer => (answer?.ok ? [answer.body] : []));
      const ids = new Set(bodies.map(body => (body as { id?: string }).id));
      if (ids.size > 1) this.violations.push(`one key made ${[...ids].join(' and ')}`);
      if (bodies.length > 0) return bodies[0];
      if (answers.some(answer => answer && isFinal(answer, call.end))) return null;
      await delay(300 + this.#dice.below(1_500));
    }
    return undefined;
  }

  /** Undefined: no answer, or half of one. */
  async #once({ method, path, body }: Call, key: string, bearer: string, api: number) {
    const { apis } = this.#callee;
    try {
      const response = await fetch(`${apis[api % apis.length]!.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(method === 'POST' && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ATTEMPT_MS),
      });
      const { ok, status, headers } = response;
      return { ok, status, isEarly: headers.has('retry-after'), body: await response.json() };
    } catch {
      return undefined;
    }
  }
}

/** 429: over a limit; 409: the first one is under way, or it is too late. */
function isFinal({ status, isEarly }: { status: number; isEarly: boolean }, end: number): boolean {
  if (status === 409) return !isEarly;
  if (status === 429) return Date.now() >= end;
  return ![500, 503].includes(status);
}
