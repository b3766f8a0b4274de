import type { FindResults } from '../../../api/dashboard/contract/find.ts';
import type { Job, JobFilterOptions, JobList } from '../../../api/dashboard/contract/jobs.ts';
import { recordQuestion } from '../../../db/assistant/questions.ts';
import { saveMessages } from '../../../db/assistant/threads.ts';
import { newId } from '../../../shared/ids.ts';
import { type Browser, startDashboard, type TestDashboard } from './harness.ts';

let dashboard: TestDashboard;
let ann: Browser;
let bob: Browser;
let annsJob: Job;
let bobsJob: Job;
beforeAll(async () => {
  dashboard = await startDashboard();
  ann = await dashboard.signIn('ann@acme.test', 'member');
  bob = await dashboard.signIn('bob@acme.test', 'viewer');
  const project = `/projects/${dashboard.tenant.project.id}`;
  annsJob = await ann.json<Job>('POST', `${project}/jobs`, { prompt: 'Describe 50% discounts' });
  const carl = await dashboard.signIn('carl@acme.test', 'member');
  bobsJob = await carl.json<Job>('POST', `${project}/jobs`, { prompt: 'Correct docs/billing.md' });
  await dashboard.pool.query(
    `update jobs set state = 'completed', model = 'other-model', pr_number = 12,
                     pr_link = 'http://x.test/12', created_at = '2026-03-04T23:30:00Z'
      where id = $1`,
    [bobsJob.id],
  );
});
afterAll(() => dashboard.close());

const list = async (query: string, organization = 'acme') =>
  (await bob.json<JobList>('GET', `/organizations/${organization}/jobs${query}`)).jobs.map(
    ({ id }) => id,
  );

describe('jobs of an organization', () => {
  it('are those of its projects, each with its project', async () => {
    expect(await list('')).toEqual([annsJob.id, bobsJob.id]);
    const first = await bob.json<JobList>('GET', '/organizations/acme/jobs?limit=1');
    expect(first.jobs[0]!.project).toEqual({
      id: dashboard.tenant.project.id,
      domain: 'acme-docs',
    });
    expect(await list(`?cursor=${first.nextCursor}`)).toEqual([bobsJob.id]);
  });

  it('are filtered by person, state, date, model and pull request', async () => {
    const options = await bob.json<JobFilterOptions>('GET', '/organizations/acme/job-filters');
    expect(options).toEqual({
      people: [
        { id: expect.any(String), name: 'ann' },
        { id: expect.any(String), name: 'carl' },
      ],
      models: [annsJob.model, 'other-model'].toSorted(),
    });
    expect(await list(`?person=${options.people[0]!.id}`)).toEqual([annsJob.id]);
    expect(await list('?person=key')).toEqual([]);
    expect(await list('?outcome=open')).toEqual([bobsJob.id]);
    expect(await list('?outcome=active')).toEqual([annsJob.id]);
    expect(await list('?outcome=merged')).toEqual([]);
    expect(await list('?outcome=open&status=failed')).toEqual([]);
    expect(await list('?model=other-model')).toEqual([bobsJob.id]);
    expect(await list('?pullRequest=12')).toEqual([bobsJob.id]);
    expect(await list('?since=2026-03-04T00:00:00Z&until=2026-03-05T00:00:00.000Z')).toEqual([
      bobsJob.id,
    ]);
    expect(await list('?until=2026-03-04T00:00:00Z')).toEqual([]);
    expect(await list('?since=2026-03-05T00:00:00Z')).toEqual([annsJob.id]);
    expect(await list('?until=2026-02-31T00:00:00Z')).toEqual([]);
    expect((await bob.call('GET', '/organizations/acme/jobs?since=March')).statusCode).toBe(400);
  });
});

describe('the palette', () => {
  const find = (words: string, who = bob) =>
    who.json<FindResults>('GET', `/organizations/acme/find?words=${encodeURIComponent(words)}`);

  it('finds jobs by beginnings of words and by pull request', async () => {
    expect((await find('bill corr docs')).jobs).toEqual([
      expect.objectContaining({ id: bobsJob.id, domain: 'acme-docs', outcome: 'open' }),
    ]);
    expect((await find('#12')).jobs.map(({ id }) => id)).toEqual([bobsJob.id]);
    expect((await find('50% disc')).jobs.map(({ id }) => id)).toEqual([annsJob.id]);
    expect((await find('')).jobs.map(({ id }) => id)).toEqual([annsJob.id, bobsJob.id]);
    expect((await find("'; & | ! :* <->")).questions).toEqual([]);
  });

  it('finds a question once, keys, and nothing of others', async () => {
    for (const project of [dashboard.tenant.project, dashboard.stranger.project])
      for (let i = 0; i < 2; i += 1) {
        const threadId = newId('thread');
        const thread = { id: threadId, projectId: project.id, fp: 'anonymous' };
        const question = `How do I pay ${project.domain}?`;
        await saveMessages(dashboard.pool, thread, [{ id: 'u', role: 'user', text: question }], 0);
        await recordQuestion(dashboard.pool, {
          projectId: project.id,
          threadId,
          question,
          answered: false,
        });
      }
    expect((await find('pay')).questions).toEqual([
      { id: expect.any(String), domain: 'acme-docs', question: 'How do I pay acme-docs?' },
    ]);
    const { keys } = await find('test');
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.every(({ start }) => !start.includes('undefined'))).toBe(true);
    expect(JSON.stringify(await find('a'))).not.toContain(dashboard.stranger.project.domain);
  });
});
