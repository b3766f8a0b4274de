import type { WebhookEvent } from '../../shared/webhooks/events.ts';
import type { Queryable } from '../pool.ts';

export interface Delivery {
  /** Of the event: the header "webhook-id". */
  id: string;
  type: WebhookEvent | 'webhook.test';
  body: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** Of the next attempt. */
  dueAt: Date | null;
  answer: string | null;
  createdAt: Date;
  attemptedAt: Date | null;
}

const COLUMNS = `d.event_id as id, d.type, d.body, d.state, d.attempts, d.answer,
  case when d.state = 'pending' then d.due_at end as "dueAt", d.created_at as "createdAt",
  d.attempted_at as "attemptedAt"`;

/** An endpoint's, newest first. */
export async function listDeliveries(
  db: Queryable,
  endpointId: string,
  page: { limit: number; after?: string },
): Promise<Delivery[]> {
  const { rows } = await db.query<Delivery>(
    `select ${COLUMNS} from webhook_deliveries d
      where d.endpoint_id = $1
        and ($3::text is null or (d.created_at, d.event_id) <
             (select created_at, event_id from webhook_deliveries
               where endpoint_id = $1 and event_id = $3))
      order by d.created_at desc, d.event_id desc limit $2`,
    [endpointId, page.limit, page.after ?? null],
  );
  return rows;
}

/** Adds one that tells of nothing but the endpoint itself. */
export async function addTest(db: Queryable, endpointId: string, eventId: string): Promise<void> {
  await db.query(
    `insert into webhook_deliveries (endpoint_id, event_id, type, body)
     values ($1, $2, 'webhook.test',
             webhook_body('webhook.test', jsonb_build_object('id', $1::text)))`,
    [endpointId, eventId],
  );
}

/**
 * Sends again, under the same id: one delivery, or all that failed; how many. One that is to be sent
 * anyway is sent now.
 */
export async function sendAgain(
  db: Queryable,
  endpointId: string,
  eventId: string | undefined,
): Promise<number> {
  const { rowCount } = await db.query(
    `update webhook_deliveries set state = 'pending', due_at = now(),
            attempts = case when state = 'pending' then attempts else 0 end
      where endpoint_id = $1 and (event_id = $2 or $2::text is null and state = 'failed')`,
    [endpointId, eventId ?? null],
  );
  return rowCount ?? 0;
}

/** Endpoints with something to send now: those after one by id, then the others. */
export async function dueEndpoints(db: Queryable, after: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select e.id from webhook_endpoints e
      where e.disabled_at is null
        and exists (select from webhook_deliveries d
                     where d.endpoint_id = e.id and d.state = 'pending' and d.due_at <= now())
      order by e.id <= $1, e.id`,
    [after],
  );
  return rows.map(({ id }) => id);
}

/** What one attempt needs. */
export interface Claim {
  endpointId: string;
  eventId: string;
  body: string;
  /** Of this attempt, from 1 on. */
  attempt: number;
  url: string;
  /** Sealed; the newest first. */
  secrets: Buffer[];
}

/**
 * Takes what is due of an endpoint, oldest first. Nobody else gets it for so many seconds: a process
 * that dies in between loses nothing, and the attempt is made again.
 */
export async function claimDeliveries(
  db: Queryable,
  endpointId: string,
  limit: number,
  leaseSeconds: number,
): Promise<Claim[]> {
  const { rows } = await db.query<Claim>(
    `with due as (
       select event_id from webhook_deliveries
        where endpoint_id = $1 and state = 'pending' and due_at <= now()
        order by due_at, event_id limit $2 for update skip locked)
     update webhook_deliveries d
        set attempts = d.attempts + 1, attempted_at = now(),
            due_at = now() + make_interval(secs => $3)
       from due, webhook_endpoints e
      where d.endpoint_id = $1 and d.event_id = due.event_id and e.id = $1
        and e.disabled_at is null
     returning d.endpoint_id as "endpointId", d.event_id as "eventId", d.body,
               d.attempts as attempt, e.url,
               case when e.old_secret_until > now() then e.secret || e.old_secrets
                    else array[e.secret] end as secrets`,
    [endpointId, limit, leaseSeconds],
  );
  return rows;
}

/** It arrived; then the endpoint is well. */
export async function noteDelivered(
  db: Queryable,
  { endpointId, eventId }: Claim,
  answer: string,
): Promise<void> {
  await db.query(
    `with well as (update webhook_endpoints set failing_since = null
                    where id = $1 and failing_since is not null)
     update webhook_deliveries set state = 'delivered', answer = $3
      where endpoint_id = $1 and event_id = $2`,
    [endpointId, eventId, answer],
  );
}

/**
 * An attempt failed; the next is in so many seconds, null: there is none. Nothing of a later
 * attempt, by another process, is changed. For how many days the endpoint has failed.
 */
export async function noteFailed(
  db: Queryable,
  { endpointId, eventId, attempt }: Claim,
  answer: string,
  nextSeconds: number | null,
): Promise<number> {
  await db.query(
    `update webhook_deliveries
        set state = case when $5::float8 is null then 'failed' else 'pending' end, answer = $4,
            due_at = now() + make_interval(secs => coalesce($5, 0))
      where endpoint_id = $1 and event_id = $2 and attempts = $3 and state = 'pending'`,
    [endpointId, eventId, attempt, answer, nextSeconds],
  );
  const { rows } = await db.query<{ days: number }>(
    `update webhook_endpoints set failing_since = coalesce(failing_since, now()) where id = $1
     returning extract(epoch from now() - failing_since)::float8 / 86400 as days`,
    [endpointId],
  );
  return rows[0]?.days ?? 0;
}

/** It was not sent, for a reason of our own: the attempt does not count. */
export async function putBack(
  db: Queryable,
  { endpointId, eventId, attempt }: Claim,
  why: string,
  nextSeconds: number,
): Promise<void> {
  await db.query(
    `update webhook_deliveries
        set attempts = attempts - 1, answer = $4, due_at = now() + make_interval(secs => $5)
      where endpoint_id = $1 and event_id = $2 and attempts = $3 and state = 'pending'`,
    [endpointId, eventId, attempt, why, nextSeconds],
  );
}

/** Tells of the questions that the docs did not answer, of each of the last seven days that ended. */
export async function tellOfQuestions(db: Queryable): Promise<void> {
  await db.query(
    `insert into webhook_deliveries (endpoint_id, event_id, type, body)
     select e.id, 'evt_' || p.id || '_' || to_char(d.day, 'YYYYMMDD'), 'question.unanswered',
            webhook_body('question.unanswered', jsonb_build_object(
              'projectId', p.id, 'day', to_char(d.day, 'YYYY-MM-DD'), 'questions', asked.count))
       from webhook_endpoints e
       join projects p on p.organization_id = e.organization_id and p.deleted_at is null
                      and (e.project_id is null or e.project_id = p.id)
      cross join generate_series(date_trunc('day', now()) - interval '7 days',
                                 date_trunc('day', now()) - interval '1 day', '1 day') as d (day)
      cross join lateral (
              select count(*)::int from questions q
               where q.project_id = p.id and not q.answered and q.created_at >= d.day
                 and q.created_at < d.day + interval '1 day') asked
      where e.disabled_at is null and 'question.unanswered' = any(e.events)
        and e.created_at < d.day + interval '1 day' and asked.count > 0
     on conflict do nothing`,
  );
}

/** Deletes up to `limit` that are older than so many days, delivered or not. How many it were. */
export async function deleteOldWebhookDeliveries(
  db: Queryable,
  days: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from webhook_deliveries where ctid = any(array(
       select ctid from webhook_deliveries where created_at < now() - make_interval(days => $1)
        order by created_at limit $2))`,
    [days, limit],
  );
  return rowCount ?? 0;
}
