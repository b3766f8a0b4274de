import { randomBytes } from 'node:crypto';
import { type Pool, type Transaction, transaction } from '../../db/pool.ts';

/** What belongs to a job, in an order that foreign keys accept. */
const TABLES = [
  'jobs',
  'instructions',
  'transcript_entries',
  'workspace_revisions',
  'blobs',
  'activity_results',
  'model_calls',
  'job_events',
  'publications',
  'local_pull_requests',
];
/** Columns with ids that must differ, or follow one that does. */
const IDS = new Set([
  ...['job_id', 'parent_id', 'transcript_head', 'workspace_head', 'revision_id', 'run_id'],
]);
/** Between a job and its copy; a hundred copies lie within the month in which jobs stay open. */
const APART = '6 hours';

/**
 * Copies every job of the database so many times, with all that belongs to it and its pull request,
 * each copy six hours before the one before. Only rows: no workflow, no branch. For the bench
 * alone, which cannot wait for 10,000 jobs.
 */
export async function copyJobs(pool: Pool, times: number): Promise<void> {
  if (times < 1) return;
  // A copy of a copy has other ids than the copies of the round before.
  const round = randomBytes(6).toString('hex');
  await transaction(pool, async tx => {
    await tx.query(
      `create or replace function pg_temp.copied(id text, i integer) returns text immutable language sql as
       $$ select case when id ~ '^[a-z]+_'
                      then substring(id from '^[a-z]+_') || left(md5(id || i || '${round}'), 26)
                      else md5(id || i || '${round}') end $$`,
    );
    await tx.query(
      `create temporary table copied_jobs on commit drop as
       select id, i::integer, i * interval '${APART}' as back,
              i::integer * (select coalesce(max(number), 0) + 1 from local_pull_requests) as further
         from jobs cross join generate_series(1, ${times}) as i`,
    );
    for (const table of TABLES) await copyRows(tx, table);
  });
  await pool.query('analyze');
}

async function copyRows(tx: Transaction, table: string): Promise<void> {
  const { rows } = await tx.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_identity = 'NO'
        and is_generated = 'NEVER'`,
    [table],
  );
  const values = rows.map(({ name, type }) => copyOf(table, name, type));
  await tx.query(
    `insert into ${table} (${rows.map(({ name }) => `"${name}"`).join(', ')})
     select ${values.join(', ')}
       from ${table} t join copied_jobs c on c.id = t.${table === 'jobs' ? 'id' : 'job_id'}`,
  );
}

/** The SQL of a copied column. */
function copyOf(table: string, name: string, type: string): string {
  const column = `t."${name}"`;
  if (name === 'closed_at') return `coalesce(${column}, t.updated_at) - c.back`;
  if (type === 'timestamp with time zone') return `${column} - c.back`;
  if (IDS.has(name) || (name === 'id' && table !== 'blobs'))
    return `pg_temp.copied(${column}, c.i)`;
  if (name === 'pr_number' || (name === 'number' && table === 'local_pull_requests'))
    return `${column} + c.further`;
  if (table !== 'local_pull_requests')
    return name === 'branch' ? `${column} || '-' || c.i` : column;
  // An open one is compared with its branch, and there is none.
  if (name === 'state') return `'merged'`;
  return name === 'token' ? `pg_temp.copied(${column}, c.i)` : column;
}
