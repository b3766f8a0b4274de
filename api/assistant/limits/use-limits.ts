import type { Config } from '../../../shared/config.ts';
import {
  type Limit,
  type LimitState,
  type Taken,
  takeLimits,
} from '../../../db/assistant/limits.ts';
import type { Queryable } from '../../../db/pool.ts';
import type { ApiKey } from '../../../db/projects/keys.ts';
import { limitRefusals } from '../../../shared/metrics/metrics.ts';
import { Problem } from '../../../shared/errors.ts';
import { addressScope } from '../../plugins/client-address.ts';
import { retryAfter } from '../../../shared/retry-after.ts';

/** What the headers and sentences call each limit. */
const NAMES = {
  address: { policy: 'address', sentence: 'requests per day for this address' },
  key: { policy: 'assistant-key', sentence: 'uses per month for this API key' },
  organization: { policy: 'organization', sentence: 'requests per hour for this organization' },
} as const;

/**
 * How long a refusal is repeated without a query. If it were longer, raising a limit would seem to
 * have no effect.
 */
const REFUSAL_MS = 1_000;
const MAX_REFUSALS = 10_000;

/**
 * Counts uses, with connections of its own. It keeps the refusals of the last second, so that a
 * flood costs the database nothing.
 */
export interface Limiter {
  config: Config;
  db: Queryable;
  refusals: Map<string, { taken: Taken; until: number }>;
}

/** Who asks; a request is one. */
export interface Caller {
  apiKey: ApiKey;
  /** Null: Docent itself. */
  ip: string | null;
}

/**
 * Counts a use against the three limits (a message) or against the address's and the organization's
 * (`search`), and returns the headers for the response. Throws 429 if one is exceeded; then nothing
 * is counted.
 */
export async function countUse(
  limiter: Limiter,
  caller: Caller,
  kind: 'message' | 'search',
): Promise<Record<string, string>> {
  const { states, violated } = await take(limiter, limitsOf(limiter.config, caller, kind));
  const headers = rateHeaders(states);
  if (violated) throw limitExceeded(violated, headers);
  return headers;
}

/**
 * Counts a read against the address's and the organization's limit, as a search; of Docent's own
 * docs (`organizationId` null) against the address's.
 */
export async function countRead(
  limiter: Limiter,
  caller: { organizationId: string | null; ip: string },
): Promise<Record<string, string>> {
  const { states, violated } = await take(limiter, readLimits(limiter.config, caller));
  const headers = rateHeaders(states);
  if (violated) throw limitExceeded(violated, headers);
  return headers;
}

/**
 * A limit that is always full, and the last to be looked at: with it in the list, limits are read
 * and none is counted.
 */
const NOTHING: Limit = { scope: 'organization', id: '', maximum: 0 };

/** Throws a message's 429 if one of its limits is exceeded; never counts. */
export async function refuseOverQuestionLimits(limiter: Limiter, caller: Caller): Promise<void> {
  const limits = limitsOf(limiter.config, caller, 'message');
  const { states, violated } =
    recentRefusal(limiter, JSON.stringify(limits)) ??
    (await takeLimits(limiter.db, [...limits, NOTHING]));
  const own = states.slice(0, limits.length);
  if (violated && own.includes(violated)) throw limitExceeded(violated, rateHeaders(own));
}

function limitsOf(config: Config, { apiKey, ip }: Caller, kind: 'message' | 'search'): Limit[] {
  const limits = readLimits(config, { organizationId: apiKey.organizationId, ip });
  if (kind === 'message')
    limits.push({
      scope: 'key',
      id: apiKey.id,
      maximum: apiKey.monthlyLimit ?? config.ASSISTANT_KEY_MONTHLY_LIMIT,
    });
  return limits;
}

function readLimits(
  config: Config,
  { organizationId, ip }: { organizationId: string | null; ip: string | null },
): Limit[] {
  const limits: Limit[] = [];
  if (ip !== null)
    limits.push({
      scope: 'address',
      id: addressScope(ip),
      maximum: config.ASSISTANT_ADDRESS_DAILY_LIMIT,
    });
  if (organizationId !== null)
    limits.push({
      scope: 'organization',
      id: organizationId,
      maximum: config.ASSISTANT_ORGANIZATION_HOURLY_LIMIT,
    });
  return limits;
}

/** A full window stays full until it ends, so a refusal of the same limits can be repeated. */
async function take(limiter: Limiter, limits: readonly Limit[]): Promise<Taken> {
  const { db, refusals } = limiter;
  const name = JSON.stringify(limits);
  const refusal = recentRefusal(limiter, name);
  if (refusal) return refusal;
  const taken = await takeLimits(db, limits);
  if (taken.violated) {
    if (refusals.size >= MAX_REFUSALS) refusals.clear();
    refusals.set(name, {
      taken,
      until: performance.now() + Math.min(REFUSAL_MS, taken.violated.resetsInMs),
    });
  } else {
    refusals.delete(name);
  }
  return taken;
}

function recentRefusal({ refusals }: Limiter, name: string): Taken | undefined {
  const refusal = refusals.get(name);
  return refusal && performance.now() < refusal.until ? refusal.taken : undefined;
}

/** Of the key's and the address's limits; the organization's is private, and the key is public. */
function rateHeaders(states: readonly LimitState[]): Record<string, string> {
  const own = states.filter(state => state.scope !== 'organization').reverse();
  return {
    'ratelimit-policy': own
      .map(state => `"${NAMES[state.scope].policy}";q=${state.maximum};w=${state.windowSeconds}`)
      .join(', '),
    ratelimit: own
      .map(state => {
        const left = Math.max(0, state.maximum - state.used);
        return `"${NAMES[state.scope].policy}";r=${left};t=${seconds(state)}`;
      })
      .join(', '),
  };
}

function limitExceeded(state: LimitState, headers: Record<string, string>): Problem {
  const amount = state.scope === 'organization' ? '' : `${state.maximum.toLocaleString('en-US')} `;
  limitRefusals.inc({ limit: NAMES[state.scope].policy });
  const limit = `${amount}${NAMES[state.scope].sentence}`;
  return new Problem(
    'limit_exceeded',
    `Limit exceeded: ${limit}. It resets at ${state.resetsAt.toISOString()}.`,
    { headers: { ...headers, ...retryAfter(seconds(state)) } },
  );
}

function seconds(state: LimitState): number {
  return Math.max(1, Math.ceil(state.resetsInMs / 1000));
}
