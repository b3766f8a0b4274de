import type { AuditAction } from './audit-actions.ts';
import { newId } from '../../shared/ids.ts';
import { type Pool, type Queryable, transaction } from '../pool.ts';

/** Who acts. `operator`: a command on the server, or the bearer of an operator's token. */
export interface AuditActor {
  kind: 'user' | 'key' | 'operator' | 'anybody';
  id?: string;
  /** An e-mail address, or the beginning of a key. */
  name?: string;
  address?: string;
}

export const OPERATOR: AuditActor = { kind: 'operator' };

export interface AuditEvent {
  action: AuditAction;
  actor: AuditActor;
  subject?: { kind: string; id?: string; name?: string };
  /** Settings by name. Never content, a secret, or what a person typed for one. */
  details?: Record<string, unknown>;
}

export interface AuditRow {
  id: string;
  at: Date;
  organizationId: string | null;
  organization: string | null;
  action: AuditAction;
  actor: { kind: AuditActor['kind']; id: string | null; name: string | null };
  address: string | null;
  subject: { kind: string; id: string | null; name: string | null } | null;
  details: Record<string, unknown>;
}

/**
 * Records an act, in the transaction of the act where it has one: then neither is there without the
 * other. `organizationId` null: it concerns none.
 */
export async function recordAudit(
  db: Queryable,
  organizationId: string | null,
  { action, actor, subject, details }: AuditEvent,
): Promise<void> {
  await db.query(
    `insert into audit_log (id, organization_id, action, actor_kind, actor_id, actor_name, address,
                            subject_kind, subject_id, subject_name, details)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      newId('aud'),
      organizationId,
      action,
      actor.kind,
      actor.id ?? null,
      actor.name ?? null,
      actor.address ?? null,
      subject?.kind ?? null,
      subject?.id ?? null,
      subject?.name ?? null,
      JSON.stringify(details ?? {}),
    ],
  );
}

/** Records what concerns a person, once for each organization that they belong to now. */
export async function recordAuditOfUser(
  db: Queryable,
  userId: string,
  event: AuditEvent,
): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    'select organization_id as id from memberships where user_id = $1 order by organization_id',
    [userId],
  );
  for (const { id } of rows.length > 0 ? rows : [{ id: null }]) await recordAudit(db, id, event);
}

/** As many of a person's organizations learn of a failed sign-in. */
const MOST_ORGANIZATIONS = 20;

/**
 * Records a failed sign-in in the organizations of the account, if there is one. What was typed is
 * not recorded: it may be a password. One query either way, so that its time does not tell which.
 */
export async function recordFailedSignIn(
  db: Queryable,
  email: string,
  address: string,
): Promise<void> {
  const ids = Array.from({ length: MOST_ORGANIZATIONS }, () => newId('aud'));
  await db.query(
    `with known as (
       select u.id, u.email, m.organization_id, row_number() over (order by m.organization_id) as n
         from users u left join memberships m on m.user_id = u.id where lower(u.email) = lower($2)),
     found as (
       select * from known
        union all select null, null, null, 1 where not exists (select 1 from known))
     insert into audit_log (id, organization_id, action, actor_kind, address,
                            subject_kind, subject_id, subject_name)
     select each.id, f.organization_id, 'sign_in.failed', 'anybody', $3,
            case when f.id is not null then 'user' end, f.id, f.email
       from found f join unnest($1::text[]) with ordinality as each (id, n) using (n)`,
    [ids, email, address],
  );
}

/** Records what concerns a repository, once for each organization with a project on it. */
export async function recordAuditOfRepository(
  db: Queryable,
  { host, repository }: { host: string; repository: string },
  event: AuditEvent,
): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `select distinct organization_id as id from projects
      where host = $1 and repository = $2 and deleted_at is null order by organization_id`,
    [host, repository],
  );
  for (const { id } of rows.length > 0 ? rows : [{ id: null }]) await recordAudit(db, id, event);
}

const COLUMNS = `a.id, a.at, a.organization_id as "organizationId", o.slug as organization, a.action,
  jsonb_build_object('kind', a.actor_kind, 'id', a.actor_id, 'name', a.actor_name) as actor,
  host(a.address) as address,
  case when a.subject_kind is not null then
    jsonb_build_object('kind', a.subject_kind, 'id', a.subject_id, 'name', a.subject_name)
  end as subject,
  a.details`;

/** An organization's acts, newest first. */
export async function listAudit(
  db: Queryable,
  organizationId: string,
  {
    limit,
    after,
    action,
  }: { limit: number; after?: string | undefined; action?: AuditAction | undefined },
): Promise<AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `select ${COLUMNS} from audit_log a left join organizations o on o.id = a.organization_id
      where a.organization_id = $1 and ($2::text is null or a.id < $2)
        and ($3::text is null or a.action = $3)
      order by a.id desc limit $4`,
    [organizationId, after ?? null, action ?? null, limit],
  );
  return rows;
}

/**
 * One page of the acts since a time, oldest first: of one organization, or of the installation.
 * `after` is the last id of the page before.
 */
export async function readAudit(
  db: Queryable,
  wanted: { organizationId?: string | undefined; since?: Date | undefined; after?: string },
  limit: number,
): Promise<AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `select ${COLUMNS} from audit_log a left join organizations o on o.id = a.organization_id
      where ($1::text is null or a.organization_id = $1) and ($2::timestamptz is null or a.at >= $2)
        and ($3::text is null or a.id > $3)
      order by a.id limit $4`,
    [wanted.organizationId ?? null, wanted.since ?? null, wanted.after ?? null, limit],
  );
  return rows;
}

/**
 * Deletes up to `limit` acts that are older than the configured time: the one way out of the log.
 * How many it were.
 */
export async function deleteExpiredAudit(pool: Pool, days: number, limit: number): Promise<number> {
  return transaction(pool, async tx => {
    await tx.query(
      `select set_config('docent.audit_kept_since',
                         (now() - make_interval(days => $1))::text, true)`,
      [days],
    );
    const { rowCount } = await tx.query(
      `delete from audit_log where ctid = any(array(
         select ctid from audit_log where at < now() - make_interval(days => $1)
          order by at limit $2))`,
      [days, limit],
    );
    return rowCount ?? 0;
  });
}
