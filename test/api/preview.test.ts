import { createHmac } from 'node:crypto';
import { startDashboard, type TestDashboard } from '../dashboard/api/harness.ts';

const SECRET = 'webhook-secret-of-the-tests';
const COMMIT = 'a'.repeat(40);
const repository = { id: 42, full_name: 'Acme/Docs', private: true };

let api: TestDashboard;
let jobId: string;
beforeAll(async () => {
  api = await startDashboard({ GITHUB_WEBHOOK_SECRET: SECRET });
  ({ id: jobId } = await api.createJob());
  await api.temporal.workflow.getHandle(jobId).terminate();
  await api.pool.query(
    `update jobs set state = 'completed', archived_at = now(), host = 'github',
            repository = 'acme/docs', ref = 'docent/say-it',
            pr_link = 'https://github.com/acme/docs/pull/7' where id = $1`,
    [jobId],
  );
});
afterAll(() => api.close());

async function deliver(event: string, payload: object): Promise<string> {
  const body = JSON.stringify(payload);
  const answer = await api.app.inject({
    method: 'POST',
    url: '/github/webhook',
    payload: body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': 'any',
      'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
    },
  });
  return answer.json<{ result: string }>().result;
}

let minutes = 0;
const now = () => new Date(Date.UTC(2026, 10, 21, 12, (minutes += 1))).toISOString();
/** As GitHub sends them, less the members that nobody reads. */
const deployed = (url: string | null, more: object = {}, deployment: object = {}) =>
  deliver('deployment_status', {
    action: 'created',
    repository,
    deployment: {
      id: 1,
      sha: COMMIT,
      ref: 'docent/say-it',
      environment: 'Preview',
      production_environment: false,
      transient_environment: true,
      ...deployment,
    },
    deployment_status: {
      id: 2,
      state: 'success',
      target_url: 'https://ci.example/log',
      environment_url: url,
      updated_at: now(),
      ...more,
    },
  });
const status = (context: string, url: string | null, more: object = {}) =>
  deliver('status', {
    id: 3,
    name: 'Acme/Docs',
    repository,
    sha: COMMIT,
    context,
    target_url: url,
    state: 'success',
    branches: [{ name: 'docent/say-it', commit: { sha: COMMIT } }],
    updated_at: now(),
    ...more,
  });
const preview = async () =>
  (await api.call('GET', `${api.base}/job/${jobId}`)).json<{ previewUrl?: string }>().previewUrl;

it('a job has none until a host names one', async () => {
  const job = (await api.call('GET', `${api.base}/job/${jobId}`)).json<object>();
  expect(job).not.toHaveProperty('previewUrl');
});

it.each<[string, () => Promise<string>]>([
  ['a check that links to its log', () => status('ci/test', 'https://x.vercel.app/')],
  ['a service’s link to its dashboard', () => status('Vercel', 'https://vercel.com/acme/x')],
  ['a host that only looks like one', () => status('Vercel', 'https://x.vercel.app.evil.example')],
  [
    'a build that has not ended',
    () => status('netlify/a', 'https://a.netlify.app', { state: 'pending' }),
  ],
  ['no address', () => deployed('')],
  ['a script', () => deployed('javascript:alert(1)')],
  ['a relative address', () => deployed('/preview')],
  ['credentials', () => deployed('https://ada:secret@preview.example/')],
  ['a failure', () => deployed('https://preview.example/', { state: 'failure' })],
  ['production', () => deployed('https://acme.example/', {}, { production_environment: true })],
])('%s is none', async (_, send) => {
  expect(await send()).toBe('nothing to do');
  expect(await preview()).toBeUndefined();
});

it('another branch or repository is not this job’s', async () => {
  const elsewhere = { sha: 'b'.repeat(40), ref: 'main' };
  expect(await deployed('https://main.example/', {}, elsewhere)).toBe('no job of ours');
  expect(
    await status('Vercel', 'https://x.vercel.app/', { repository: { id: 1, full_name: 'acme/x' } }),
  ).toBe('no job of ours');
  expect(await preview()).toBeUndefined();
});

it('is shown by API and dashboard: a status, then a deployment, then that of a newer commit', async () => {
  await status('netlify/acme/deploy-preview', 'https://deploy-preview-7--acme.netlify.app');
  expect(await preview()).toBe('https://deploy-preview-7--acme.netlify.app/');
  expect(await deployed('https://acme-git-say-it.example/docs?x=1')).toBe('preview noted');
  expect(await preview()).toBe('https://acme-git-say-it.example/docs?x=1');
  await status('Vercel', 'https://other.vercel.app/');
  expect(await preview()).toBe('https://acme-git-say-it.example/docs?x=1');
  const newer = { sha: 'c'.repeat(40), branches: [{ name: 'docent/say-it' }] };
  await status('Vercel', 'https://newer.vercel.app/', newer);
  expect(await preview()).toBe('https://newer.vercel.app/');
  const late = { ...newer, updated_at: '2026-11-21T00:00:00Z' };
  await status('Vercel', 'https://late.vercel.app/', late);
  expect(await preview()).toBe('https://newer.vercel.app/');
  const someone = await api.signIn('ada@acme.test', 'member');
  const seen = await someone.json('GET', `/projects/${api.tenant.project.id}/jobs/${jobId}`);
  expect(seen).toMatchObject({ previewUrl: 'https://newer.vercel.app/' });
});

it('a job that works has none: its pull request is about to change', async () => {
  await api.pool.query("update jobs set state = 'active' where id = $1", [jobId]);
  expect(await preview()).toBeUndefined();
});
