import { listAutomations, storeAutomations } from '../../../db/automations/automations.ts';
import { type Pool, transaction } from '../../../db/pool.ts';
import type { Definition } from '../../../shared/jobs/automation.ts';

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

/** The id of the project's automation, which an index has found. */
export async function automationIn(pool: Pool, projectId: string): Promise<string> {
  const [found] = await listAutomations(pool, projectId);
  if (found) return found.id;
  const definition: Definition = {
    ...{ name: 'Weekly', trigger: { kind: 'manual' }, context: [], paths: [], labels: [] },
    ...{ draft: true, instruction: 'Look.' },
  };
  const path = '.docent/workflows/weekly.md';
  await transaction(pool, tx =>
    storeAutomations(tx, projectId, [{ path, name: 'Weekly', definition, problem: null }]),
  );
  return automationIn(pool, projectId);
}

/** The entries that are not in `before`, which is completed: action, actor, subject. */
export async function newEntries(pool: Pool, before: Set<string>): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; entry: string }>(
    `select id, concat_ws(' ', action, actor_kind,
                          case when actor_kind = 'user' then actor_name end,
                          case when subject_kind = 'key' then split_part(subject_name, ' (', 1)
                               else subject_name end) as entry
       from audit_log order by id`,
  );
  const fresh = rows.filter(row => !before.has(row.id));
  for (const row of fresh) before.add(row.id);
  return fresh.map(({ entry }) => entry);
}

/** For `catch`: an answer without a body, of status 204. */
export function ignoreEmpty(error: unknown): void {
  if (!(error instanceof SyntaxError)) throw error;
}
