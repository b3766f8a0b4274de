import { jest } from '@jest/globals';
import { Command } from 'commander';
import type { LightMyRequestResponse } from 'fastify';
import { COMMANDS } from '../../../cli/commands/registry.ts';
import { AUDIT_ACTIONS } from '../../../db/audit/audit-actions.ts';
import { listAutomations, storeAutomations } from '../../../db/automations/automations.ts';
import { type Pool, transaction } from '../../../db/pool.ts';
import type { TestDashboard } from './harness.ts';
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

export const WEBHOOK_ACTIONS = AUDIT_ACTIONS.filter(action => action.startsWith('webhook.'));

/** Adds a webhook and does with it, once each, whatever there is to do. */
export async function webhookActs(
  call: (
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ) => Promise<LightMyRequestResponse>,
): Promise<void> {
  const url = 'https://hooks.acme.test/secret/path';
  const made = await call('POST', '/webhooks', { url, events: ['job.failed'] });
  const at = `/webhooks/${made.json<{ webhook: { id: string } }>().webhook.id}`;
  const answers = [
    await call('POST', `${at}/test`, {}),
    await call('POST', `${at}/resend`, {}),
    await call('POST', `${at}/rotate`, { graceHours: 0 }),
    await call('PATCH', at, { events: ['job.waiting'] }),
    await call('PATCH', at, { enabled: false }),
    await call('PATCH', at, { enabled: true }),
    await call('DELETE', at),
  ];
  for (const { statusCode } of answers) if (statusCode >= 300) throw new Error(`${statusCode}`);
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

/** What a command of `docent` prints. */
export async function printedBy(env: Record<string, string>, args: string[]): Promise<string> {
  const lines: string[] = [];
  const out = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation(text => lines.push(String(text)) > 0);
  const err = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    const program = new Command();
    const [, load] = COMMANDS.find(([name]) => name === args[0])!;
    (await load())(program, env);
    await program.parseAsync(args, { from: 'user' });
    return lines.join('').trim();
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

export const READER_ENTRIES = [
  ...Array<string>(3).fill('reader.exported key acme docs'),
  'reader.deleted key acme docs',
];

/** Deletes what is stored of a reader. */
export async function deleteReaderIn({
  pool,
  tenant,
  call,
}: Pick<TestDashboard, 'pool' | 'tenant' | 'call'>): Promise<unknown> {
  const { id } = tenant.project;
  await pool.query("insert into threads (id, project_id, fp) values ('thread_ada', $1, 'ada')", [
    id,
  ]);
  await call('GET', `/v1/readers/${id}?fp=ada`);
  await call('GET', `/v1/readers/${id}/threads/thread_ada`);
  await call('GET', `/v1/analytics/${id}/questions/export`);
  return call('DELETE', `/v1/readers/${id}?fp=ada`);
}
