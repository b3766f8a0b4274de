import { OPERATOR, recordAudit } from '../../db/audit/audit-log.ts';
import { type Claim, noteDelivered, noteFailed, putBack } from '../../db/outgoing/deliveries.ts';
import { disableEndpoint, lockEndpoint } from '../../db/outgoing/endpoints.ts';
import { type Pool, transaction } from '../../db/pool.ts';
import type { Config } from '../../shared/config.ts';
import type { Log } from '../../shared/logger.ts';
import { webhookAttempts } from '../../shared/metrics/metrics.ts';
import { guardedFetch } from '../../shared/outgoing/guarded-fetch.ts';
import {
  AddressRefused,
  isPublicAddress,
  reachableAddresses,
} from '../../shared/outgoing/public-address.ts';
import { encryptionKeys, unseal } from '../../shared/secrets/sealed.ts';
import { signedHeaders } from '../../shared/secrets/webhook-secret.ts';
import { VERSION } from '../../shared/version.ts';
import { subjectOf } from './subject.ts';
import { waitAfter } from './retries.ts';

export interface SendDeps {
  config: Config;
  pool: Pool;
  log: Log;
}

export const TIMEOUT_MS = 20_000;
/** An endpoint that fails for so long is disabled. */
const MOST_DAYS = 5;
const GONE = 410;
const UNREADABLE = 'not sent: ENCRYPTION_KEY is not the one that its secret was stored with';
const UNREADABLE_SECONDS = 300;

/**
 * One attempt, and what follows from it; nothing if it is cut off because the process stops: it is
 * made again after its lease.
 */
export async function sendDelivery(
  deps: SendDeps,
  claim: Claim,
  stopping: AbortSignal,
): Promise<void> {
  const { pool } = deps;
  const secrets = open(deps.config, claim);
  // Our own fault, which must not disable a receiver.
  if (!secrets) return putBack(pool, claim, UNREADABLE, UNREADABLE_SECONDS);
  const answer = await post(deps.config, claim, secrets, stopping).catch((error: unknown) =>
    reasonOf(error),
  );
  if (typeof answer === 'string' && stopping.aborted) return;
  const outcome = typeof answer === 'string' ? answer : String(answer.status);
  const isDelivered = typeof answer !== 'string' && answer.ok;
  webhookAttempts.inc({ outcome: isDelivered ? 'delivered' : 'failed' });
  if (isDelivered) return noteDelivered(pool, claim, outcome);
  const response = typeof answer === 'string' ? undefined : answer;
  const isGone = response?.status === GONE;
  const wait = isGone ? null : waitAfter(claim.attempt, response);
  const days = await noteFailed(pool, claim, outcome, wait);
  if (isGone) await giveUp(deps, claim, 'It answered 410 Gone.');
  else if (days >= MOST_DAYS)
    await giveUp(deps, claim, `Every attempt of ${MOST_DAYS} days failed. The last: ${outcome}.`);
}

/** Undefined if this process cannot read them. */
function open(config: Config, claim: Claim): string[] | undefined {
  const keys = encryptionKeys(config);
  try {
    return keys && claim.secrets.map(secret => unseal(keys, claim.endpointId, secret));
  } catch {
    return undefined;
  }
}

/** Only the status counts: nothing of the body is read, and no redirect is followed. */
async function post(
  config: Config,
  { url, eventId, body }: Claim,
  secrets: string[],
  signal: AbortSignal,
): Promise<Response> {
  const mayReach = reachableAddresses(config.ALLOWED_PRIVATE_NETWORKS);
  const isPlain = new URL(url).protocol === 'http:';
  return guardedFetch({
    // Without TLS only where the operator says so: in the private networks that they allow.
    mayReach: address => mayReach(address) && !(isPlain && isPublicAddress(address)),
    ...{ allowsHttp: true, headersOnly: true, timeoutMs: TIMEOUT_MS },
  })(url, {
    method: 'POST',
    redirect: 'manual',
    ...{ body, signal },
    headers: {
      'content-type': 'application/json',
      'user-agent': `Docent/${VERSION}`,
      ...signedHeaders(secrets, eventId, body),
    },
  });
}

/** Why there was no answer, for people. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused) return `the address ${error.message}`;
  const { name, code } = error as { name?: string; code?: string };
  return name === 'TimeoutError' || name === 'AbortError'
    ? `no answer within ${TIMEOUT_MS / 1000} seconds`
    : `no answer (${code ?? 'the connection ended'})`;
}

/** One notice: the audit log, the page of the endpoints and the overview. */
async function giveUp({ pool, log }: SendDeps, claim: Claim, why: string): Promise<void> {
  await transaction(pool, async tx => {
    const endpoint = await lockEndpoint(tx, claim.endpointId);
    if (!endpoint || !(await disableEndpoint(tx, endpoint.id, why))) return;
    await recordAudit(tx, endpoint.organizationId, {
      action: 'webhook.disabled',
      actor: OPERATOR,
      subject: subjectOf(endpoint),
      details: { why },
    });
    log.warn({ endpoint: endpoint.id, why }, 'a webhook endpoint was disabled');
  });
}
