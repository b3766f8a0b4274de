import type { JobEvent } from '../../shared/jobs/job.ts';
import { startDashboard, type TestDashboard } from '../dashboard/api/harness.ts';

const OLD = 'http://127.0.0.1:3000/under';
const NOW = 'http://docent.test';

let api: TestDashboard;
beforeAll(async () => {
  api = await startDashboard();
});
afterAll(() => api.close());

/** A job at rest whose links were stored as given. */
async function storeJob(
  host: 'local' | 'github',
  repositoryUrl: string,
  prLink: string,
): Promise<string> {
  const { id } = await api.createJob();
  const finish: JobEvent = {
    type: 'finish',
    status: 'completed',
    haltReason: 'completed',
    messageToUser: 'Done.',
    prLink,
    turn: 1,
  };
  const opened: JobEvent = {
    type: 'pull_request',
    prLink,
    title: 'Say it',
    state: 'opened',
    turn: 1,
  };
  await api.temporal.workflow.getHandle(id).terminate();
  await api.pool.query(
    `update jobs set state = 'completed', archived_at = now(), turns = 1, last_event = 2, host = $2, repository_url = $3, pr_link = $4 where id = $1`,
    [id, host, repositoryUrl, prLink],
  );
  await api.pool.query(
    `insert into job_events (job_id, seq, type, data) values ($1, 1, 'pull_request', $2), ($1, 2, 'finish', $3)`,
    [id, opened, finish],
  );
  return id;
}

/** All that the API and the dashboard say of a job, by where they say it. */
async function linksOf(id: string): Promise<Record<string, string>> {
  const someone = await api.signIn(`${id}@acme.test`, 'owner');
  const { id: project } = api.tenant.project;
  const [v1, pages] = [`/v1/agent/${project}`, `/projects/${project}/jobs`];
  const read = async (url: string) => (await api.call('GET', url)).body;
  const see = async (path: string) => (await someone.call('GET', path)).body;
  const [one, all, messages, events, session, sessions, seen, seenAll, seenMessages, seenEvents] =
    await Promise.all([
      read(`${api.base}/job/${id}`),
      read(`${api.base}/jobs?limit=1`),
      read(`${api.base}/job/${id}/messages`),
      read(`${api.base}/job/${id}/events`),
      read(`${v1}/job/${id}`),
      read(`${v1}/jobs?take=1`),
      see(`${pages}/${id}`),
      see(`${pages}?limit=1`),
      see(`${pages}/${id}/messages`),
      see(`${pages}/${id}/events`),
    ]);
  return { one, all, messages, events, session, sessions, seen, seenAll, seenMessages, seenEvents };
}

it('links to the built-in host lead where it is now', async () => {
  const links = await linksOf(
    await storeJob('local', `${OLD}/git/docs.git`, `${OLD}/pulls/tok-en`),
  );
  for (const [where, said] of Object.entries(links)) {
    expect([where, said]).toEqual([where, expect.stringContaining(`"${NOW}/pulls/tok-en"`)]);
    expect([where, said]).toEqual([where, expect.not.stringContaining(OLD)]);
  }
  for (const where of ['one', 'all', 'seen'])
    expect(links[where]).toContain(`"${NOW}/git/docs.git"`);
  await api.pool.query('update projects set repository_url = $2 where id = $1', [
    api.tenant.project.id,
    `${OLD}/git/docs.git`,
  ]);
  const owner = await api.signIn('owner@acme.test', 'owner');
  expect(await owner.json('GET', `/projects/${api.tenant.project.id}`)).toMatchObject({
    repositoryUrl: `${NOW}/git/docs.git`,
  });
});

it('links to GitHub stay as they are', async () => {
  // Names that look like paths of ours.
  const links = await linksOf(
    await storeJob('github', 'https://github.com/git/docs.git', 'https://github.com/acme/pulls/7'),
  );
  for (const [where, said] of Object.entries(links))
    expect([where, said]).toEqual([
      where,
      expect.stringContaining('"https://github.com/acme/pulls/7"'),
    ]);
  expect(links['one']).toContain('"https://github.com/git/docs.git"');
});
