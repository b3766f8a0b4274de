import { sweepJobs } from '../../jobs/sweep/job-sweeper.ts';
import { deleteJob } from '../../db/jobs/removal.ts';
import { transaction } from '../../db/pool.ts';
import { attachUploads, storeUpload } from '../../db/uploads/uploads.ts';
import { deleteProject } from '../../db/projects/projects.ts';
import { startApi, type TestApi } from './harness.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({
    THREAD_RETENTION_DAYS: '30',
    AUDIT_RETENTION_DAYS: '60',
    AUTOMATION_RUN_RETENTION_DAYS: '90',
  });
});
afterAll(() => api.close());

const sweep = () =>
  sweepJobs({ config: api.config, pool: api.pool, temporal: api.temporal, log: api.app.log });

/** More than one batch. */
const MANY = 2_300;
const at = (days: number) =>
  `now() - interval '${days} days' - i * interval '1 second' from generate_series(1, $2) as made (i)`;
/** Rows of that age: the project's id is $1, how many $2. */
const TABLES: Record<string, { keptDays: number; insert: (days: number) => string }> = {
  threads: {
    keptDays: 30,
    insert: days =>
      `insert into threads (id, project_id, fp, updated_at)
       select 't${days}-' || i, $1, 'x', ${at(days)}`,
  },
  questions: {
    keptDays: 30,
    insert: days =>
      `insert into questions (id, project_id, question, answered, created_at)
       select 'q${days}-' || i, $1, 'How?', true, ${at(days)}`,
  },
  searches_without_hits: {
    keptDays: 30,
    insert: days =>
      `insert into searches_without_hits (project_id, query, day)
       select $1, 's${days}-' || i, ${at(days)}`,
  },
  uploads: {
    keptDays: 1,
    insert: days =>
      `insert into uploads (id, project_id, sha256, name, media_type, bytes, created_at)
       select 'u${days}-' || i, $1, ('u${days}-' || i)::bytea, 'x', 'image/png', 'x', ${at(days)}`,
  },
  audit_log: {
    keptDays: 60,
    insert: days =>
      `insert into audit_log (id, action, actor_kind, subject_id, at)
       select 'a${days}-' || i, 'key.revoked', 'operator', $1, ${at(days)}`,
  },
  model_calls: {
    keptDays: 400,
    insert: days =>
      `insert into model_calls (id, organization_id, project_id, purpose, model, started_at)
       select 'c${days}-' || i, 'org', $1, 'agent', 'm', ${at(days)}`,
  },
  idempotency_keys: {
    keptDays: 2,
    insert: days =>
      `insert into idempotency_keys (organization_id, api_key_id, route, key, body_hash, created_at)
       select organization_id, 'key', $1, '${days}-' || i, 'x', created
         from projects, (select i, ${at(days).replace('from', 'as created from')}) made
        where id = $1`,
  },
  automation_runs: {
    keptDays: 90,
    insert: days =>
      `with a as (
         insert into automations (id, project_id, path, name) values ('aut_old', $1, 'x', 'x')
           on conflict (id) do update set name = 'x' returning id)
       insert into automation_runs (id, automation_id, key, cause, state, finished_at)
       select 'r${days}-' || i, a.id, '${days}-' || i, '{"kind": "schedule"}', 'done', finished
         from a, (select i, ${at(days).replace('from', 'as finished from')}) made`,
  },
  github_deliveries: {
    keptDays: 30,
    insert: days =>
      `insert into github_deliveries (host, id, received_at)
       select $1, '${days}-' || i, ${at(days)}`,
  },
  github_pull_requests: {
    keptDays: 30,
    insert: days =>
      `insert into github_pull_requests (repository, number, state, updated_at)
       select $1 || '/${days}', i, 'merged', ${at(days)}`,
  },
};

async function counts(): Promise<Record<string, number>> {
  const rows = Object.keys(TABLES).map(
    async table => [table, (await api.pool.query(`select 1 from ${table}`)).rowCount ?? 0] as const,
  );
  return Object.fromEntries(await Promise.all(rows));
}

it('a sweep deletes all that has reached its retention, and nothing younger', async () => {
  const before = await counts();
  const { id } = api.tenant.project;
  for (const { keptDays, insert } of Object.values(TABLES)) {
    await api.pool.query(insert(keptDays + 1), [id, MANY]);
    // Younger by an hour, of which the rows take some minutes.
    await api.pool.query(insert(keptDays - 0.05), [id, 3]);
  }
  await sweep();
  const after = await counts();
  for (const table of Object.keys(TABLES))
    expect([table, after[table]]).toEqual([table, (before[table] ?? 0) + 3]);
});

it('what keeps a cause from running again stays: the newest change, the newest index, and what has not ended', async () => {
  await api.pool.query(
    `insert into automations (id, project_id, path, name, seen_at)
     values ('aut_kept', $1, 'kept', 'x', now() - interval '500 days')`,
    [api.tenant.project.id],
  );
  const change = (days: number) =>
    `jsonb_build_object('kind', 'change', 'change', jsonb_build_object('at', now() - interval '${days} days'))`;
  await api.pool.query(
    `insert into automation_runs (id, automation_id, key, cause, state, created_at, finished_at)
     select id, 'aut_kept', id, cause, state, now() - days * interval '1 day',
            now() - days * interval '1 day'
       from (values ('newest change', ${change(499)}, 'done', 490), ('change', ${change(501)}, 'done', 500),
                    ('newest index', '{"kind": "index"}', 'done', 490),
                    ('index', '{"kind": "index"}', 'done', 500),
                    ('unfinished', '{"kind": "schedule"}', 'held_back', 500))
            as made (id, cause, state, days)`,
  );
  await sweep();
  const { rows } = await api.pool.query<{ id: string }>(
    "select id from automation_runs where automation_id = 'aut_kept' order by id",
  );
  expect(rows.map(({ id }) => id)).toEqual(['newest change', 'newest index', 'unfinished']);
});

it('what a job still needs stays: the note of its pull request, and the image of an instruction', async () => {
  const { id } = await api.createJob();
  await api.restJob(id);
  await api.pool.query(
    `update jobs set host = 'github', repository = 'Acme/Docs', pr_number = 7 where id = $1`,
    [id],
  );
  await api.pool.query(
    `insert into github_pull_requests (repository, number, state, updated_at)
     values ('acme/docs', 7, 'merged', now() - interval '99 days'),
            ('acme/docs', 8, 'merged', now() - interval '99 days'),
            ('acme/docs', 9, 'open', now() - interval '99 days')`,
  );
  await api.pool.query(
    `with u as (insert into uploads (id, project_id, sha256, name, media_type, bytes, created_at)
                values ('upl_used', $2, 'x', 'x', 'image/png', 'x', now() - interval '9 days')
                returning id)
     insert into instruction_uploads (job_id, message_id, position, upload_id)
     select i.job_id, i.message_id, 0, u.id from instructions i, u where i.job_id = $1`,
    [id, api.tenant.project.id],
  );
  await sweep();
  const { rows } = await api.pool.query(
    "select number from github_pull_requests where repository = 'acme/docs' order by number",
  );
  expect(rows).toEqual([{ number: 7 }, { number: 9 }]);
  expect((await api.pool.query("select 1 from uploads where id = 'upl_used'")).rowCount).toBe(1);
});

it('a group of questions goes with its last one', async () => {
  const { id } = api.tenant.project;
  await api.pool.query(
    `insert into question_groups (id, project_id, words)
     values ('grp_old', $1, '{old}'), ('grp_both', $1, '{both}')`,
    [id],
  );
  await api.pool.query(
    `insert into questions (id, project_id, question, answered, group_id, created_at)
     values ('qst_1', $1, 'x', true, 'grp_old', now() - interval '31 days'),
            ('qst_2', $1, 'x', true, 'grp_both', now() - interval '31 days'),
            ('qst_3', $1, 'x', true, 'grp_both', now() - interval '29 days')`,
    [id],
  );
  await sweep();
  const { rows } = await api.pool.query('select id from question_groups');
  expect(rows).toEqual([{ id: 'grp_both' }]);
});

it('an image goes a day after the last job that had it', async () => {
  const { id } = await api.createJob();
  const { rows } = await api.pool.query<{ messageId: string }>(
    'select message_id as "messageId" from instructions where job_id = $1',
    [id],
  );
  const upload = await storeUpload(api.pool, {
    ...{ projectId: api.tenant.project.id, name: 'a.png', mediaType: 'image/png' },
    bytes: Buffer.from('image'),
  });
  await transaction(api.pool, tx => attachUploads(tx, id, rows[0]!.messageId, [upload.id]));
  await api.pool.query("update uploads set created_at = now() - interval '2 days' where id = $1", [
    upload.id,
  ]);
  const isThere = async () =>
    (await api.pool.query('select 1 from uploads where id = $1', [upload.id])).rowCount === 1;
  await sweep();
  expect(await isThere()).toBe(true);
  await deleteJob(api.pool, id);
  await sweep();
  expect(await isThere()).toBe(false);
});

it('a job that was given up goes after a day, whatever the retention', async () => {
  const ids = [(await api.createJob()).id, (await api.createJob()).id];
  for (const [i, id] of ids.entries())
    await api.pool.query(
      `update jobs set state = 'given_up', created_at = now() - interval '2 days',
                       updated_at = now() - $2 * interval '1 hour'
        where id = $1`,
      [id, i === 0 ? 25 : 23],
    );
  await sweep();
  const { rows } = await api.pool.query('select id from jobs where id = any($1)', [ids]);
  expect(rows).toEqual([{ id: ids[1] }]);
});

it('a deleted project with many threads, questions and pages goes in one sweep', async () => {
  const { project, organizationId } = api.stranger;
  for (const table of ['threads', 'questions'])
    await api.pool.query(TABLES[table]!.insert(0), [project.id, MANY]);
  await api.pool.query(
    `insert into search_pages (project_id, path, key, title, content, boost, searchable, live)
     select $1, '/' || i, 'x', 'x', 'x', 1, true, true from generate_series(1, $2) as made (i)`,
    [project.id, MANY],
  );
  await deleteProject(api.pool, organizationId, project.id);
  await sweep();
  for (const table of ['projects', 'threads', 'questions', 'search_pages']) {
    const column = table === 'projects' ? 'id' : 'project_id';
    const { rowCount } = await api.pool.query(`select 1 from ${table} where ${column} = $1`, [
      project.id,
    ]);
    expect([table, rowCount]).toEqual([table, 0]);
  }
});
