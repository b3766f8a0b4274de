import { askForPreviews } from '../../../jobs/sweep/previews.ts';
import { gitHub } from '../../../hosts/github/definition.ts';
import { createLogger } from '../../../shared/logger.ts';
import { startDashboard, type TestDashboard } from '../../dashboard/api/harness.ts';
import { type GitHubStandIn, startGitHub } from './stand-in.ts';
import type { Repository } from './state.ts';

const COMMIT = 'a'.repeat(40);
const LOG = 'https://ci.example/log';
const AT = '2026-11-21T12:00:00Z';

let github: GitHubStandIn;
let repository: Repository;
let api: TestDashboard;
let jobId: string;
beforeAll(async () => {
  github = await startGitHub();
  repository = github.addRepository('acme/docs', { 'index.md': '# Start\n' });
  const settings = { GITHUB_API_URL: github.apiUrl, GITHUB_TOKEN: github.personalToken() };
  api = await startDashboard(settings);
  // A token serves one organization.
  await api.pool.query('delete from organizations where id <> $1', [api.tenant.organizationId]);
  ({ id: jobId } = await api.createJob());
  await api.temporal.workflow.getHandle(jobId).terminate();
  await api.pool.query(
    `update jobs set state = 'completed', host = 'github', repository = 'Acme/Docs',
            ref = 'docent/say-it', finished_at = now() - interval '10 seconds' where id = $1`,
    [jobId],
  );
  await api.pool.query(
    `insert into publications (id, job_id, turn, revision_id, branch, parent, commit, tree, message,
                               author_time, title, body, state)
     values ('pub_1', $1, 1, 'r', 'docent/say-it', '', $2, '', '', 0, '', '', 'published')`,
    [jobId, COMMIT],
  );
});
afterAll(async () => {
  await api?.close();
  await github?.stop();
});

const asked = new Map<string, number>();
const ask = async () => {
  const before = github.state.requests.length;
  await askForPreviews({ ...api, log: createLogger('silent') }, asked);
  return github.state.requests.slice(before).filter(path => /deployments|commits/.test(path))
    .length;
};
const grow = (seconds: number) =>
  api.pool.query(`update jobs set finished_at = now() - $2 * interval '1 second' where id = $1`, [
    jobId,
    seconds,
  ]);
const preview = async () => {
  const { rows } = await api.pool.query<{ preview_url: string | null }>(
    'select preview_url from jobs where id = $1',
    [jobId],
  );
  return rows[0]!.preview_url;
};

it('is asked for only with a token, and without a webhook that would tell', () => {
  const { previews } = gitHub;
  expect(previews?.mustBeAsked(api.config)).toBe(true);
  expect(previews?.mustBeAsked({ ...api.config, GITHUB_WEBHOOK_SECRET: 's' })).toBe(false);
  expect(previews?.mustBeAsked({ ...api.config, GITHUB_APP_ID: '7' })).toBe(false);
});

it('is asked for ever more rarely, until a status or a deployment names it', async () => {
  repository.deployments.push({ id: 1, sha: COMMIT, production: true, statuses: [] });
  repository.statuses.push({ sha: COMMIT, context: 'ci', state: 'success', url: LOG, at: AT });
  expect(await ask()).toBe(3);
  expect(await ask()).toBe(0);
  await grow(40);
  expect(await ask()).toBe(3);
  await grow(60);
  expect(await ask()).toBe(0);
  expect(await preview()).toBeNull();
  const url = 'https://deploy-preview-7--acme.netlify.app/';
  const context = 'netlify/acme/deploy-preview';
  repository.statuses.push({ sha: COMMIT, context, state: 'success', url, at: AT });
  await grow(90);
  await ask();
  expect(await preview()).toBe(url);
  await grow(1_000);
  expect(await ask()).toBe(0);
});

it('is that of a deployment, if there is one, and a refusal is no failure', async () => {
  await api.pool.query(
    'update jobs set preview_url = null, preview_commit = null, preview_from = null, preview_at = null',
  );
  await grow(10);
  github.fail({ path: /deployments/, status: 403, message: 'Resource not accessible' });
  await ask();
  expect(await preview()).toBeNull();
  await grow(100);
  const failed = { state: 'failure', url: 'https://failed.example/', at: AT };
  const good = { state: 'success', url: 'https://say-it.acme.example/', at: AT };
  repository.deployments.unshift(
    { id: 3, sha: COMMIT, production: false, statuses: [failed] },
    { id: 2, sha: COMMIT, production: false, statuses: [good] },
  );
  await ask();
  expect(await preview()).toBe('https://say-it.acme.example/');
});
