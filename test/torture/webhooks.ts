import type { Dice } from '../jobs/random/dice.ts';
import { passWait, type Receiver, settled, startReceiver } from '../jobs/webhook-receiver.ts';
import type { Installation } from './installation.ts';

const EVENTS = ['job.completed', 'job.failed', 'job.waiting', 'pull_request.opened'];
/** As many attempts as an event has. */
const MOST_WAITS = 10;

/** Somebody's server, which wants everything, and often fails or is slow. */
export async function startWebhook(
  { apis, adminKey }: Pick<Installation, 'apis' | 'adminKey'>,
  luck: Dice,
): Promise<Receiver> {
  const receiver = await startReceiver();
  receiver.answer = () => ({
    status: luck.below(4) === 0 ? 503 : 204,
    afterMs: luck.below(4) === 0 ? 3_000 : 0,
  });
  const response = await fetch(`${apis[0]!.url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiver.url, events: EVENTS }),
  });
  const made = (await response.json()) as { secret: string };
  if (!response.ok) throw new Error(`no webhook: ${JSON.stringify(made)}`);
  receiver.trust(made.secret);
  return receiver;
}

/** Each event is stored once, with one body, and arrives under its id; none is made up. */
export async function judgeWebhooks(
  { pool }: Pick<Installation, 'pool'>,
  receiver: Receiver,
): Promise<string[]> {
  receiver.answer = () => ({ status: 204 });
  const pending = async () =>
    (await pool.query("select from webhook_deliveries where state = 'pending'")).rowCount;
  for (let waits = 0; waits < MOST_WAITS && (await pending()); waits++) {
    await passWait(pool);
    await settled(pool);
  }
  const { rows: stored } = await pool.query<{ id: string; body: string }>(
    'select event_id as id, body from webhook_deliveries',
  );
  const bodies = new Map(stored.map(({ id, body }) => [id, body]));
  const said: string[] = [];
  for (const { id } of stored)
    if (!receiver.known.has(id)) said.push(`webhook ${id} never arrived`);
  for (const { id, body } of receiver.attempts)
    if (bodies.get(id) !== body)
      said.push(`webhook ${id} arrived with another body than is stored`);
  if (bodies.size !== stored.length) said.push('a webhook is stored twice');
  if (receiver.forged() > 0) said.push(`${receiver.forged()} webhooks had a wrong signature`);
  const { rows: missing } = await pool.query<{ id: string }>(
    `select 'evt_' || e.job_id || '_' || e.seq as id
       from job_events e join jobs j on j.id = e.job_id
      where (e.type = 'pull_request' and e.data ->> 'state' = 'opened'
             or e.type = 'finish' and j.state in ('completed', 'failed')
                and e.seq = (select max(seq) from job_events
                              where job_id = j.id and type = 'finish'))
        and not exists (select from webhook_deliveries d
                         where d.event_id = 'evt_' || e.job_id || '_' || e.seq)`,
  );
  return [...said, ...missing.map(({ id }) => `webhook ${id} was never stored`)];
}
