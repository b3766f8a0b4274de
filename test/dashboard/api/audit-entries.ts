import type { Pool } from '../../../db/pool.ts';

/** Runs `work` while the audit log refuses every entry. */
export async function withoutAudit(pool: Pool, work: () => Promise<void>): Promise<void> {
  await pool.query(
    `create function no_audit() returns trigger language plpgsql as
       $$ begin raise exception 'no room'; end $$;
     create trigger no_audit before insert on audit_log for each row execute function no_audit()`,
  );
  try {
    await work();
  } finally {
    await pool.query('drop trigger no_audit on audit_log; drop function no_audit');
  }
}

/** Action, actor and subject of the entries whose action is like `pattern`, oldest first. */
export async function entriesLike(pool: Pool, pattern: string): Promise<string[]> {
  const { rows } = await pool.query<{ entry: string }>(
    `select concat_ws(' ', action, actor_kind, actor_name, subject_name) as entry from audit_log
      where action like $1 order by id`,
    [pattern],
  );
  return rows.map(({ entry }) => entry);
}
