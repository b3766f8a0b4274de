import type { Config } from '../../../shared/config.ts';
import type { ApiKey } from '../../../shared/db/projects/keys.ts';
import {
  type Limit,
  type LimitState,
  type Taken,
  takeLimits,
} from '../../../shared/db/assistant/limits.ts';
import { keyCostThisMonth } from '../../../shared/db/models/model-calls.ts';
import type { Queryable } from '../../../shared/db/pool.ts';
import { Problem } from '../../../shared/errors.ts';
import { plainAddress } from '../../plugins/auth.ts';

/** What the headers and sentences call each limit. */
const NAMES = {
  address: { policy: 'address', sentence: 'requests a day for this address' },
  key: { policy: 'assistant-key', sentence: 'uses a month for this API key' },
  organization: { policy: 'organization', sentence: 'requests an hour for this organization' },
} as const;

/**
 * How long a refusal is repeated without asking again. Longer, and raising a limit would seem to
 * have no effect.
 */
const REFUSAL_MS = 1_000;
const MAX_REFUSALS = 10_000;

/**
 * What counts uses: a pool of its own, and the refusals of the last second, so that a flood costs
 * the database nothing.
 */
export interface Limiter {
  db: Queryable;
  refusals: Map<string, { taken: Taken; until: number }>;
}

/**
 * Counts a use against the three limits (a message) or against the address's and the organization's
 * (`search`), and returns the headers to answer with. Throws the 429 where one is used up; then
 * nothing was counted.
 */
export async function countUse(
  limiter: Limiter,
  config: Config,
  caller: Caller,
  kind: 'message' | 'search',
): Promise<Record<string, string>> {
  const { states, violated } = await take(limiter, limitsOf(config, caller, kind));
  const headers = rateHeaders(states);
  if (violated) throw limitProblem(violated, headers);
  return headers;
}

interface Caller {
  key: ApiKey;
  ip: string;
}

/**
 * A limit that is always full, and the last to be looked at: with it among them, limits are read
 * and none is counted.
 */
const NOTHING: Limit = { scope: 'organization', id: '', maximum: 0 };

/** Throws a message's 429 where one of its limits is used up, and counts nothing where none is. */
export async function refuseUsedUp(
  limiter: Limiter,
  config: Config,
  caller: Caller,
): Promise<void> {
  const limits = limitsOf(config, caller, 'message');
  const { states, violated } =
    remembered(limiter, JSON.stringify(limits)) ??
    (await takeLimits(limiter.db, [...limits, NOTHING]));
  const own = states.slice(0, limits.length);
  if (violated && own.includes(violated)) throw limitProblem(violated, rateHeaders(own));
}

function limitsOf(config: Config, { key, ip }: Caller, kind: 'message' | 'search'): Limit[] {
  const limits: Limit[] = [
    { scope: 'address', id: addressScope(ip), maximum: config.ASSISTANT_ADDRESS_DAILY_LIMIT },
    {
      scope: 'organization',
      id: key.organizationId,
      maximum: config.ASSISTANT_ORGANIZATION_HOURLY_LIMIT,
    },
  ];
  if (kind === 'message')
    limits.push({
      scope: 'key',
      id: key.id,
      maximum: key.monthlyLimit ?? config.ASSISTANT_KEY_MONTHLY_LIMIT,
    });
  return limits;
}

/**
 * A full window stays full until it ends, so a refusal holds that long; one limit more or less
 * makes it another question.
 */
async function take(limiter: Limiter, limits: readonly Limit[]): Promise<Taken> {
  const { db, refusals } = limiter;
  const name = JSON.stringify(limits);
  const refusal = remembered(limiter, name);
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

function remembered({ refusals }: Limiter, name: string): Taken | undefined {
  const refusal = refusals.get(name);
  return refusal && performance.now() < refusal.until ? refusal.taken : undefined;
}

/** Throws the 429 where the key's answers have cost what they may this month. */
export async function checkCost(db: Queryable, config: Config, key: ApiKey): Promise<void> {
  if (config.MODEL_PRICES.trim() === '{}') return; // nothing has a price: spares the query
  if ((await keyCostThisMonth(db, key.id)) < config.ASSISTANT_KEY_MONTHLY_COST_LIMIT_USD * 1e6)
    return;
  const now = new Date();
  const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  throw new Problem(
    'limit_exceeded',
    `The monthly cost limit of this API key is used up; it resets at ${resetsAt.toISOString()}.`,
    {
      headers: { 'retry-after': String(Math.ceil((resetsAt.getTime() - now.getTime()) / 1000)) },
    },
  );
}

/**
 * The key's and the address's policies. The organization's stays out: an assistant key is public.
 */
function rateHeaders(states: readonly LimitState[]): Record<string, string> {
  const own = states.filter(state => state.scope !== 'organization').reverse();
  return {
    'ratelimit-policy': own
      .map(state => `"${NAMES[state.scope].policy}";q=${state.maximum};w=${state.windowSeconds}`)
      .join(', '),
    ratelimit: own
      .map(
        state =>
          `"${NAMES[state.scope].policy}";r=${Math.max(0, state.maximum - state.used)};t=${seconds(state)}`,
      )
      .join(', '),
  };
}

function limitProblem(state: LimitState, headers: Record<string, string>): Problem {
  const amount = state.scope === 'organization' ? '' : `${state.maximum.toLocaleString('en-US')} `;
  const sentence = `The limit of ${amount}${NAMES[state.scope].sentence} is used up; it resets at ${state.resetsAt.toISOString()}.`;
  return new Problem('limit_exceeded', sentence, {
    headers: { ...headers, 'retry-after': String(seconds(state)) },
  });
}

function seconds(state: LimitState): number {
  return Math.max(1, Math.ceil(state.resetsInMs / 1000));
}

/**
 * What an address is counted under: IPv6 by /64, since whoever has one address there has all of
 * them.
 */
export function addressScope(ip: string): string {
  const address = plainAddress(ip);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest);
  }
  return `${groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
