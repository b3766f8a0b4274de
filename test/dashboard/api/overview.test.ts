import type { Job } from '../../../api/dashboard/contract/jobs.ts';
import type { Overview } from '../../../api/dashboard/contract/overview.ts';
import { recordQuestion } from '../../../db/assistant/questions.ts';
import { saveMessages } from '../../../db/assistant/threads.ts';
import { newId } from '../../../shared/ids.ts';
import { type Browser, startDashboard, type TestDashboard } from './harness.ts';

let dashboard: TestDashboard;
let member: Browser;
let project: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  member = await dashboard.signIn('member@acme.test', 'member');
  project = `/projects/${dashboard.tenant.project.id}`;
});
afterAll(() => dashboard.close());

const read = () => member.json<Overview>('GET', `${project}/overview?days=7`);
const titles = (jobs: Job[]) => jobs.map(({ prompt }) => prompt);

it('shows what waits for people, what came of it by day, and the first steps', async () => {
  const before = await read();
  expect(before.needs).toEqual({
    ...{ waiting: [], review: [], failed: [], unanswered: 0, webhooks: 0 },
  });
  expect(before.steps).toMatchObject({ job: false, merged: false, question: false });

  const made: Job[] = [];
  for (const prompt of ['to review', 'failed', 'cancelled', 'merged', 'too dear'])
    made.push(await member.json<Job>('POST', `${project}/jobs`, { prompt }));
  const [review, failed, cancelled, merged, dear] = made.map(({ id }) => id);
  const { pool, tenant } = dashboard;
  const set = (id: string | undefined, values: string) =>
    pool.query(`update jobs set ${values} where id = $1`, [id]);
  await set(review, `state = 'completed', pr_number = 1, pr_link = 'http://x.test/1'`);
  await set(failed, `state = 'failed'`);
  await set(dear, `state = 'failed', waiting_for = 'budget'`);
  await set(cancelled, `state = 'failed', cancelled = true`);
  await set(merged, `state = 'completed', pr_number = 2, pr_link = 'http://x.test/2'`);
  await set(merged, `created_at = now() - interval '2 days'`);
  await pool.query(
    `insert into local_repositories (name) select repository from jobs where id = $1
     on conflict do nothing`,
    [merged],
  );
  await pool.query(
    `insert into local_pull_requests (repository, number, token, title, body, head, base, state,
                                      head_commit, base_commit, job_id, closed_at)
     select repository, 2, 'token', '', '', branch, 'main', 'merged', 'a', 'b', id,
            now() - interval '1 day'
       from jobs where id = $1 on conflict do nothing`,
    [merged],
  );
  await pool.query(
    `insert into publications (id, job_id, turn, revision_id, branch, parent, commit, tree, message,
                               author_time, title, body, draft, state, created_at)
     select 'pub', id, 1, 'r', branch, 'p', 'c', 't', '', 0, '', '', false, 'published',
            created_at + interval '12 minutes'
       from jobs where id = $1`,
    [merged],
  );
  const thread = { id: newId('thread'), projectId: tenant.project.id, fp: 'anonymous' };
  await saveMessages(pool, thread, [], 0);
  for (const [question, answered] of [
    ['How do I install the pump?', true],
    ['Where is the invoice?', false],
  ] as const)
    await recordQuestion(pool, {
      ...{ projectId: thread.projectId, threadId: thread.id, question, answered },
    });
  await pool.query(
    `insert into model_calls (id, organization_id, project_id, purpose, model, cost_microusd,
                              settled_at)
     values ('c', $1, $2, 'agent', 'm', 250000, now())`,
    [tenant.organizationId, tenant.project.id],
  );

  const { needs, days, steps } = await read();
  expect(titles(needs.waiting)).toEqual(['too dear']);
  expect(titles(needs.review)).toEqual(['to review']);
  expect(titles(needs.failed)).toEqual(['failed']);
  expect(needs.unanswered).toBe(1);
  expect(days).toHaveLength(7);
  expect(days[4]).toMatchObject({ minutesToPullRequest: 12, merged: 0 });
  expect(days[5]).toMatchObject({ merged: 1, minutesToPullRequest: null });
  expect(days[6]).toMatchObject({ questions: 2, answered: 1, costUsd: 0.25, merged: 0 });
  expect(steps).toEqual({
    indexed: false,
    job: true,
    merged: true,
    key: true,
    question: true,
    colleague: false,
  });
  const stranger = await dashboard.signIn(
    'x@other.test',
    'owner',
    dashboard.stranger.organizationId,
  );
  expect((await stranger.call('GET', `${project}/overview`)).statusCode).toBe(404);
});
