import { claimDeliveries, dueEndpoints, tellOfQuestions } from '../../db/outgoing/deliveries.ts';
import { repeat } from '../sweep/repeat.ts';
import { sendDelivery, type SendDeps, TIMEOUT_MS } from './send.ts';

const EVERY_MS = 1_000;
const QUESTIONS_EVERY_MS = 600_000;
/** Of this process, in turn: slow endpoints take some of them, and keep no other waiting for long. */
const ENDPOINTS_AT_ONCE = 32;
/** After so long an endpoint gives its place to the next one, whatever else is due to it. */
const TURN_MS = 10_000;
const DELIVERIES_AT_ONCE = 5;
/** Longer than an attempt takes. */
const LEASE_SECONDS = (3 * TIMEOUT_MS) / 1_000;

/** Sends what is due until it is stopped, which cuts off the attempts that were begun. */
export function startWebhookSender(deps: SendDeps): { stop(): Promise<void> } {
  const busy = new Map<string, Promise<void>>();
  let newest = '';
  const failed = (error: unknown): void =>
    deps.log.warn({ err: error }, 'webhooks were not sent for the moment');
  const sending = repeat(
    EVERY_MS,
    async stopping => {
      for (const id of await dueEndpoints(deps.pool, newest)) {
        if (busy.has(id) || busy.size >= ENDPOINTS_AT_ONCE) continue;
        newest = id;
        const work = sendDue(deps, id, stopping)
          .catch(failed)
          .finally(() => busy.delete(id));
        busy.set(id, work);
      }
    },
    failed,
  );
  const questions = repeat(QUESTIONS_EVERY_MS, () => tellOfQuestions(deps.pool), failed);
  questions.run();
  return {
    async stop() {
      await Promise.all([sending.stop(), questions.stop()]);
      await Promise.all(busy.values());
    },
  };
}

async function sendDue(deps: SendDeps, id: string, stopping: AbortSignal): Promise<void> {
  for (const end = Date.now() + TURN_MS; !stopping.aborted && Date.now() < end;) {
    const claims = await claimDeliveries(deps.pool, id, DELIVERIES_AT_ONCE, LEASE_SECONDS);
    if (claims.length === 0) return;
    await Promise.all(claims.map(claim => sendDelivery(deps, claim, stopping)));
  }
}
