import type { Definition, Trigger, WatchedBranch } from '../../shared/jobs/automation.ts';
import type { HostKind } from '../../shared/host-kind.ts';
import { newId } from '../../shared/ids.ts';
import { TOUCH_JOB } from '../jobs/job.ts';
import { jsonText } from '../json.ts';
import type { Queryable, Transaction } from '../pool.ts';

/** A file that an index found. */
export interface FoundAutomation {
  path: string;
  name: string;
  definition: Definition | null;
  problem: string | null;
}

export interface Automation extends FoundAutomation {
  id: string;
  projectId: string;
  jobId: string | null;
  pausedAt: Date | null;
  /** Null: a person paused it. */
  pausedWhy: string | null;
  scheduled: string | null;
  seenAt: Date;
  seenCommit: string | null;
  requestsSeenAt: Date;
  removedAt: Date | null;
}

const COLUMNS = `a.id, a.project_id as "projectId", a.path, a.name, a.definition, a.problem,
  a.job_id as "jobId", a.paused_at as "pausedAt", a.paused_why as "pausedWhy", a.scheduled,
  a.seen_at as "seenAt", a.seen_commit as "seenCommit", a.removed_at as "removedAt",
  a.requests_seen_at as "requestsSeenAt"`;
/** Of projects that exist, with their file. */
const LIVE = `automations a join projects p on p.id = a.project_id and p.deleted_at is null
  where a.removed_at is null`;
const TRIGGER = `a.definition -> 'trigger'`;

/**
 * Brings a project's automations to the files that an index found. One whose file is gone keeps its
 * runs; one that is back, or watches another branch, reads that from now on.
 */
export async function storeAutomations(
  tx: Transaction,
  projectId: string,
  found: readonly FoundAutomation[],
): Promise<void> {
  await tx.query(
    `update automations set removed_at = now()
      where project_id = $1 and removed_at is null and path <> all($2)`,
    [projectId, found.map(({ path }) => path)],
  );
  for (const { path, name, definition, problem } of found) {
    if (definition && definition.budgetUsd === undefined) await liftBudget(tx, projectId, path);
    await tx.query(
      `insert into automations as a (id, project_id, path, name, definition, problem)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (project_id, path) do update
          set name = excluded.name, definition = excluded.definition, problem = excluded.problem,
              removed_at = null,
              seen_at = case when a.removed_at is not null or ${TRIGGER} is distinct from
                excluded.definition -> 'trigger' then now() else a.seen_at end,
              seen_commit = case when a.removed_at is not null or ${TRIGGER} is distinct from
                excluded.definition -> 'trigger' then null else a.seen_commit end
        where (a.name, a.definition, a.problem, a.removed_at) is distinct from
              (excluded.name, excluded.definition, excluded.problem, null)`,
      [newId('aut'), projectId, path, name, definition && jsonText(definition), problem],
    );
  }
}

/** The standing job loses the budget that a file had until now. */
async function liftBudget(tx: Transaction, projectId: string, path: string): Promise<void> {
  await tx.query(
    `${TOUCH_JOB}, budget_microusd = null where id = (
       select job_id from automations
        where project_id = $1 and path = $2 and definition ? 'budgetUsd')`,
    [projectId, path],
  );
}

/** Of a project, by name. */
export async function listAutomations(db: Queryable, projectId: string): Promise<Automation[]> {
  const { rows } = await db.query<Automation>(
    `select ${COLUMNS} from ${LIVE} and a.project_id = $1 order by lower(a.name), a.path`,
    [projectId],
  );
  return rows;
}

export async function findAutomation(
  db: Queryable,
  id: string,
  projectId?: string,
): Promise<Automation | undefined> {
  const { rows } = await db.query<Automation>(
    `select ${COLUMNS} from ${LIVE} and a.id = $1 and ($2::text is null or a.project_id = $2)`,
    [id, projectId ?? null],
  );
  return rows[0];
}

/** As `findAutomation`, and locks the row until the transaction ends. */
export async function lockAutomation(tx: Transaction, id: string): Promise<Automation | undefined> {
  await tx.query('select 1 from automations where id = $1 for update', [id]);
  return findAutomation(tx, id);
}

/** Those of all projects that have a schedule, or had one: what Temporal must have. */
export async function automationsToSchedule(
  db: Queryable,
): Promise<(Automation & { domain: string; isLive: boolean })[]> {
  const { rows } = await db.query<Automation & { domain: string; isLive: boolean }>(
    `select ${COLUMNS}, p.domain,
            a.removed_at is null and p.deleted_at is null and a.definition is not null
              and ${TRIGGER} ->> 'kind' = 'cron' as "isLive"
       from automations a join projects p on p.id = a.project_id
      where a.scheduled is not null
         or (a.removed_at is null and p.deleted_at is null and ${TRIGGER} ->> 'kind' = 'cron')`,
  );
  return rows;
}

export async function noteScheduled(
  db: Queryable,
  id: string,
  scheduled: string | null,
): Promise<void> {
  await db.query(
    `update automations set scheduled = $2, problem = case when $2::text is null then problem end
      where id = $1`,
    [id, scheduled],
  );
}

/** A sentence about what its file is not to blame for, until it works again. */
export async function noteProblem(db: Queryable, id: string, problem: string): Promise<void> {
  await db.query('update automations set problem = $2, read_at = now() where id = $1', [
    id,
    problem,
  ]);
}

/** Its repository is to be read: it is asked for again when the time comes, however that ends. */
export async function noteAsked(db: Queryable, id: string): Promise<void> {
  await db.query('update automations set read_at = now() where id = $1', [id]);
}

/** `why`: a sentence, if no person paused it. False if it was paused already. */
export async function pauseAutomation(
  db: Queryable,
  id: string,
  why: string | null,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'update automations set paused_at = now(), paused_why = $2 where id = $1 and paused_at is null',
    [id, why],
  );
  return rowCount === 1;
}

/** What happened while it was paused is not made good. */
export async function resumeAutomation(db: Queryable, id: string): Promise<void> {
  await db.query(
    `update automations set paused_at = null, paused_why = null, resumed_at = now(), seen_at = now(),
            seen_commit = null
      where id = $1 and paused_at is not null`,
    [id],
  );
}

/** The standing job: the one there is, or `wanted` in the place of `instead`. */
export async function takeStandingJob(
  tx: Transaction,
  id: string,
  wanted: string,
  instead: string | null = null,
): Promise<string> {
  const { rows } = await tx.query<{ jobId: string }>(
    `update automations
        set job_id = case when job_id is null or job_id = $3 then $2 else job_id end
      where id = $1 returning job_id as "jobId"`,
    [id, wanted, instead],
  );
  return rows[0]!.jobId;
}

/**
 * Those that watch a repository of a host that says that something happened there; `names` in lower
 * case, `branch` if it is known.
 */
export async function automationsTold(
  db: Queryable,
  host: HostKind,
  names: readonly string[],
  branch?: string,
): Promise<{ id: string; projectId: string }[]> {
  const { rows } = await db.query<{ id: string; projectId: string }>(
    `update automations set told_at = now() where id in (
       select a.id from ${LIVE} and a.paused_at is null
          and ${TRIGGER} ->> 'kind' in ('merge', 'push') and ${TRIGGER} ->> 'host' = $1
          and lower(${TRIGGER} ->> 'repository') = any($2)
          and ($3::text is null or ${TRIGGER} ->> 'branch' = $3))
     returning id, project_id as "projectId"`,
    [host, names, branch ?? null],
  );
  return rows;
}

/**
 * Those whose repositories nobody has asked for so long: `told`, if a delivery came from there in the
 * last thirty days.
 */
export async function automationsToAsk(
  db: Queryable,
  minutes: { untold: number; told: number },
): Promise<{ id: string; projectId: string }[]> {
  const { rows } = await db.query<{ id: string; projectId: string }>(
    `select a.id, a.project_id as "projectId" from ${LIVE} and a.paused_at is null
        and ${TRIGGER} ->> 'kind' in ('merge', 'push')
        and a.read_at < now() - make_interval(mins =>
              case when a.told_at > now() - interval '30 days' then $1::int else $2::int end)`,
    [minutes.told, minutes.untold],
  );
  return rows;
}

/** Moves what is known of the watched branch. */
export async function noteSeen(
  tx: Transaction,
  id: string,
  { at, commit }: { at: Date; commit: string | null },
): Promise<void> {
  await tx.query(
    `update automations set seen_at = greatest(seen_at, $2), seen_commit = coalesce($3, seen_commit),
            read_at = now(), problem = null where id = $1`,
    [id, at, commit],
  );
}

/** Automations of a project that follow its index. */
export async function automationsOnIndex(db: Queryable, projectId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select a.id from ${LIVE} and a.project_id = $1 and a.paused_at is null
        and ${TRIGGER} ->> 'kind' = 'index'`,
    [projectId],
  );
  return rows.map(({ id }) => id);
}

export function watchedBy(trigger: Trigger): WatchedBranch | undefined {
  return trigger.kind === 'merge' || trigger.kind === 'push' ? trigger : undefined;
}
