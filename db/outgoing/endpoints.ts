import type { WebhookEvent } from '../../shared/webhooks/events.ts';
import type { Queryable } from '../pool.ts';

export interface Endpoint {
  id: string;
  organizationId: string;
  /** Null: of all projects. */
  projectId: string | null;
  url: string;
  events: WebhookEvent[];
  /** Until then the secret before the newest one signs as well. */
  oldSecretUntil: Date | null;
  failingSince: Date | null;
  disabledAt: Date | null;
  /** Null: a person disabled it. */
  disabledWhy: string | null;
  createdAt: Date;
}

const COLUMNS = `e.id, e.organization_id as "organizationId", e.project_id as "projectId", e.url,
  e.events, case when e.old_secret_until > now() then e.old_secret_until end as "oldSecretUntil",
  e.failing_since as "failingSince", e.disabled_at as "disabledAt",
  e.disabled_why as "disabledWhy", e.created_at as "createdAt"`;

export async function insertEndpoint(
  db: Queryable,
  endpoint: Pick<Endpoint, 'id' | 'organizationId' | 'projectId' | 'url' | 'events'>,
  sealed: Buffer,
): Promise<void> {
  const { id, organizationId, projectId, url, events } = endpoint;
  await db.query(
    `insert into webhook_endpoints (id, organization_id, project_id, url, events, secret)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, organizationId, projectId, url, events, sealed],
  );
}

/** An organization's, oldest first. */
export async function listEndpoints(db: Queryable, organizationId: string): Promise<Endpoint[]> {
  const { rows } = await db.query<Endpoint>(
    `select ${COLUMNS} from webhook_endpoints e
      where e.organization_id = $1 order by e.created_at, e.id`,
    [organizationId],
  );
  return rows;
}

/** Locks the row until the transaction ends. */
export async function lockEndpoint(
  tx: Queryable,
  id: string,
  organizationId?: string,
): Promise<Endpoint | undefined> {
  const { rows } = await tx.query<Endpoint>(
    `select ${COLUMNS} from webhook_endpoints e
      where e.id = $1 and ($2::text is null or e.organization_id = $2) for no key update`,
    [id, organizationId ?? null],
  );
  return rows[0];
}

/** Locks the organization, so that a limit on its endpoints holds under concurrency. */
export async function countEndpoints(tx: Queryable, organizationId: string): Promise<number> {
  await tx.query('select 1 from organizations where id = $1 for no key update', [organizationId]);
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::int as count from webhook_endpoints where organization_id = $1',
    [organizationId],
  );
  return rows[0]!.count;
}

/** The secrets until now sign for so many hours more; with none, no longer at all. */
export async function replaceSecret(
  tx: Queryable,
  id: string,
  sealed: Buffer,
  graceHours: number,
): Promise<void> {
  await tx.query(
    `update webhook_endpoints
        set old_secrets = case when $3::int = 0 then '{}'
                               when old_secret_until > now() then (secret || old_secrets)[:5]
                               else array[secret] end,
            old_secret_until = case when $3::int > 0 then
              greatest(old_secret_until, now() + make_interval(hours => $3)) end,
            secret = $2
      where id = $1`,
    [id, sealed, graceHours],
  );
}

export async function setEvents(
  tx: Queryable,
  id: string,
  events: readonly string[],
): Promise<void> {
  await tx.query('update webhook_endpoints set events = $2 where id = $1', [id, events]);
}

/** `why`: a sentence, if no person disabled it. False if it was disabled already. */
export async function disableEndpoint(
  tx: Queryable,
  id: string,
  why: string | null,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update webhook_endpoints set disabled_at = now(), disabled_why = $2
      where id = $1 and disabled_at is null`,
    [id, why],
  );
  return rowCount === 1;
}

/** What was not delivered is tried at once. */
export async function enableEndpoint(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `with due as (update webhook_deliveries set due_at = now()
                   where endpoint_id = $1 and state = 'pending')
     update webhook_endpoints
        set disabled_at = null, disabled_why = null, failing_since = null where id = $1`,
    [id],
  );
}

export async function deleteEndpoint(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from webhook_endpoints where id = $1', [id]);
}

/** How many of a project's are disabled, and no person did it. */
export async function countGivenUp(
  db: Queryable,
  project: { id: string; organizationId: string },
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from webhook_endpoints
      where organization_id = $1 and (project_id is null or project_id = $2)
        and disabled_why is not null`,
    [project.organizationId, project.id],
  );
  return rows[0]!.count;
}
