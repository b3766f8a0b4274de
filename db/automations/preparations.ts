import type { HostKind } from '../../shared/host-kind.ts';
import { newId } from '../../shared/ids.ts';
import type { Queryable, Transaction } from '../pool.ts';

/** The docs change for a pull request of code that is not merged yet. */
export interface Preparation {
  automationId: string;
  /** Of the code, in lower case. */
  repository: string;
  number: number;
  id: string;
  headCommit: string;
  jobId: string | null;
  /** `ready`: the code was merged. */
  state: 'open' | 'closed' | 'ready';
}

const COLUMNS = `p.automation_id as "automationId", p.repository, p.number, p.id,
  p.head_commit as "headCommit", p.job_id as "jobId", p.state`;

/** Follows a pull request to this commit; one that had ended begins again. Returns its id. */
export async function followPullRequest(
  tx: Transaction,
  automationId: string,
  pull: { repository: string; number: number; headCommit: string },
): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into preparations as p (automation_id, repository, number, id, head_commit)
     values ($1, lower($2), $3, $4, $5)
     on conflict (automation_id, repository, number) do update
        set head_commit = excluded.head_commit, state = 'open',
            id = case when p.state = 'open' then p.id else excluded.id end
     returning id`,
    [automationId, pull.repository, pull.number, newId('prep'), pull.headCommit],
  );
  return rows[0]!.id;
}

export async function findPreparation(
  db: Queryable,
  automationId: string,
  { repository, number }: { repository: string; number: number | null },
): Promise<Preparation | undefined> {
  const { rows } = await db.query<Preparation>(
    `select ${COLUMNS} from preparations p
      where p.automation_id = $1 and p.repository = lower($2) and p.number = $3`,
    [automationId, repository, number],
  );
  return rows[0];
}

/** Those that follow a pull request of a repository. */
export async function openPreparations(
  db: Queryable,
  automationId: string,
  repository: string,
): Promise<Preparation[]> {
  const { rows } = await db.query<Preparation>(
    `select ${COLUMNS} from preparations p
      where p.automation_id = $1 and p.repository = lower($2) and p.state = 'open'
      order by p.number`,
    [automationId, repository],
  );
  return rows;
}

/** Whether an automation follows a pull request; `names` of its repository in lower case. */
export async function isFollowed(
  db: Queryable,
  host: HostKind,
  names: readonly string[],
  number: number,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from preparations p join automations a on a.id = p.automation_id
      where p.repository = any($2) and p.number = $3 and p.state = 'open'
        and a.definition -> 'trigger' ->> 'host' = $1 limit 1`,
    [host, names, number],
  );
  return rowCount === 1;
}

export async function endPreparation(
  db: Queryable,
  { automationId, id }: Preparation,
  state: 'closed' | 'ready',
): Promise<void> {
  await db.query(
    `update preparations set state = $3
      where automation_id = $1 and id = $2 and state = 'open'`,
    [automationId, id, state],
  );
}

/** The id of its job: the one there is, or `wanted` in the place of `instead`. */
export async function takePreparedJob(
  tx: Transaction,
  { automationId, id }: Preparation,
  wanted: string,
  instead: string | null,
): Promise<string> {
  const { rows } = await tx.query<{ jobId: string }>(
    `update preparations
        set job_id = case when job_id is null or job_id = $4 then $3 else job_id end
      where automation_id = $1 and id = $2 returning job_id as "jobId"`,
    [automationId, id, wanted, instead],
  );
  return rows[0]?.jobId ?? wanted;
}

/** Comments that may ask for something were read up to here. */
export async function noteRequestsSeen(
  db: Queryable,
  automationId: string,
  at: Date,
): Promise<void> {
  await db.query(
    'update automations set requests_seen_at = greatest(requests_seen_at, $2) where id = $1',
    [automationId, at],
  );
}
