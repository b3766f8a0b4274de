import { sweepJobs } from '../../jobs/sweep/job-sweeper.ts';
import { createRepository } from '../../hosts/local/new-repository.ts';
import { ROUTES } from '../../api/dashboard/contract/routes/routes.ts';
import { type Browser, startDashboard, type TestDashboard } from '../dashboard/api/harness.ts';
import type { Tenant } from '../api/harness.ts';
import { findStaleJobs } from '../../db/jobs/lost-jobs.ts';
import { closeLostCalls, keyCostThisMonth, monthlyCost } from '../../db/models/model-calls.ts';
import { countForProject } from '../../db/projects/projects.ts';
import { notePreview, unpreviewedJobs } from '../../db/webhook/previews.ts';
import { insertManyJobs } from './many-jobs.ts';
import { planOf, recordQueries } from './recorded-plans.ts';

/** Rows that may be read of a table without an index: no list shows so many. */
const MOST_ROWS = 1_000;
const JOBS = 100_000;
/** Of another organization, beside. */
const FEW_JOBS = 1_000;

let dashboard: TestDashboard;
let owner: Browser;
let ownerOfFew: Browser;
beforeAll(async () => {
  // Nothing is old enough for a sweep that comes meanwhile.
  dashboard = await startDashboard({
    THREAD_RETENTION_DAYS: '400',
    IDEMPOTENCY_RETENTION_HOURS: '9600',
  });
  owner = await dashboard.signIn('owner@many.test', 'owner');
  ownerOfFew = await dashboard.signIn('owner@few.test', 'owner', dashboard.stranger.organizationId);
  for (const { repository } of [dashboard.tenant.project, dashboard.stranger.project])
    await createRepository(
      { pool: dashboard.pool, dataDir: dashboard.config.DATA_DIR, publicUrl: 'http://x' },
      { name: repository },
    );
  await insertManyJobs(dashboard.pool, { ...of(dashboard.tenant), from: 1, count: JOBS });
  await insertManyJobs(dashboard.pool, {
    ...{ ...of(dashboard.stranger), from: JOBS + 1, count: FEW_JOBS },
  });
}, 600_000);
afterAll(async () => {
  await dashboard.pool.query('truncate jobs cascade'); // none of them has a workflow to end
  await dashboard.close();
}, 120_000);

function of({ organizationId, project: { id, repository } }: Tenant) {
  return { organizationId, projectId: id, repository };
}

/** The tables of which `work` reads more than a few rows without an index, by its queries. */
async function readWhole(work: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const queries = await recordQueries(work);
  const found: Record<string, unknown> = {};
  for (const query of queries) {
    const { scanned, blocks, ms } = await planOf(dashboard.pool, query);
    if (process.env['PLANS'])
      console.log(`${ms} ms`, blocks, query.text.replaceAll(/\s+/g, ' ').slice(0, 300));
    const whole = scanned.filter(({ rows }) => rows > MOST_ROWS);
    if (whole.length > 0) found[query.text] = whole;
  }
  return found;
}

const nameOf = (job: number) => `job_${String(job).padStart(26, '0')}`;
const JOB = nameOf(50_007);
/** Without `search`, which looks inside words: it reads the prompts of all jobs that it may show. */
const FILTERS = [
  '',
  'status=active',
  'status=failed',
  'outcome=merged',
  'outcome=declined',
  'person=usr_many3',
  'person=usr_nobody',
  'person=key',
  'model=model-2',
  'model=none',
  'since=2020-01-01T00:00:00Z&until=2020-02-01T00:00:00Z',
  'pullRequest=50007',
  `cursor=${Buffer.from(JOB).toString('base64url')}`,
];
const ADDRESSES: Record<string, string[]> = {
  'GET /organizations/:organization/jobs': FILTERS,
  'GET /projects/:projectId/jobs': FILTERS,
  'GET /organizations/:organization/find': ['', 'words=rename+widget77', 'words=%2350007'],
  'GET /organizations/:organization/audit': ['', 'action=key.created', 'action=user.removed'],
  'GET /projects/:projectId/pulls': ['', 'state=open', 'state=merged'],
  'GET /projects/:projectId/questions': ['', 'answered=false', 'answered=true', 'closed=true'],
};

/** The commit of a publication. */
const MD5_OF_7 = '8f14e45fceea167a5a36dedd4bea2543';

/** Address of a route of a tenant, and of one of its jobs. */
function addressOf(route: string, { project }: Tenant, job: number): string {
  const values: Record<string, string> = {
    organization: project.domain.replace('-docs', ''), // the slug
    projectId: project.id,
    domain: project.domain,
    id: nameOf(job),
    number: String(job),
    turn: '1',
    step: '1',
  };
  return route.slice('GET '.length).replace(/:(\w+)/g, (_, name: string) => values[name] ?? 'x');
}

describe('no list reads a large table as a whole', () => {
  it.each(Object.keys(ADDRESSES))('%s', async route => {
    for (const query of ADDRESSES[route]!) {
      const found = await readWhole(() =>
        owner.json<unknown>('GET', `${addressOf(route, dashboard.tenant, 50_007)}?${query}`),
      );
      expect([query, found]).toEqual([query, {}]);
    }
  });

  // Pages that count and charts read what they count: of their own organization alone.
  it.each(Object.keys(ROUTES).filter(route => route.startsWith('GET ')))(
    '%s, of a small organization beside a large one',
    async route => {
      const found = await readWhole(async () => {
        const address = addressOf(route, dashboard.stranger, JOBS + 507);
        const { statusCode, body } = await ownerOfFew.call('GET', address);
        // Some need what is not there: GitHub, an indexed site, a file.
        if (statusCode >= 500 && statusCode !== 503) throw new Error(`${statusCode} ${body}`);
      });
      expect(found).toEqual({});
    },
  );

  it.each([
    'v2/agent/:p/jobs',
    'v2/agent/:p/jobs?status=active',
    'v2/agent/:p/jobs?status=failed&limit=100',
    `v2/agent/:p/jobs?cursor=${JOB}`,
    `v2/agent/:p/job/${JOB}`,
    `v2/agent/:p/job/${JOB}/messages`,
    `v2/agent/:p/job/${JOB}/events`,
    'v1/agent/:p/jobs',
    `v1/agent/:p/job/${JOB}`,
  ])('GET /%s', async path => {
    const { project, adminKey } = dashboard.tenant;
    const found = await readWhole(() =>
      dashboard.call('GET', `/${path.replace(':p', project.id)}`, { key: adminKey }),
    );
    expect(found).toEqual({});
  });

  it('pull requests of the built-in host', async () => {
    const { repository } = dashboard.tenant.project;
    const found = await readWhole(() =>
      dashboard.call('GET', `/git/${repository}/pulls?head=docent/rename-widget-50007`, {
        key: 'local-host-token-of-the-tests',
      }),
    );
    expect(found).toEqual({});
  });
});

it('what webhooks, timers and questions ask is found by an index', async () => {
  const { project, organizationId } = dashboard.tenant;
  const { pool } = dashboard;
  const preview = { names: [project.repository.toLowerCase()], url: 'http://x', at: '2026-01-01' };
  const branches = ['docent/rename-widget-50007'];
  const asks: Record<string, () => Promise<unknown>> = {
    previewOfBranch: () =>
      notePreview(pool, 'local', { ...preview, commit: 'none', branches, from: 'status' }),
    previewOfCommit: () =>
      notePreview(pool, 'local', {
        ...preview,
        commit: MD5_OF_7,
        branches: [],
        from: 'deployment',
      }),
    unpreviewed: () => unpreviewedJobs(pool, 'local', 20),
    costOfKey: () => keyCostThisMonth(pool, 'key_many1'),
    costOfOrganization: () => monthlyCost(pool, organizationId),
    lostCalls: () => closeLostCalls(pool, 500),
    staleJobs: () => findStaleJobs(pool, 500),
    countsOfProject: () => countForProject(pool, project),
  };
  for (const [name, ask] of Object.entries(asks))
    expect([name, await readWhole(ask)]).toEqual([name, {}]);
}, 120_000);

it('a sweep finds what it deletes by an index', async () => {
  const settings = {
    JOB_RETENTION_DAYS: 270.5,
    THREAD_RETENTION_DAYS: 300,
    IDEMPOTENCY_RETENTION_HOURS: 7_200,
    AUDIT_RETENTION_DAYS: 300,
    USAGE_RETENTION_DAYS: 300,
  };
  const found = await readWhole(() =>
    sweepJobs({
      config: { ...dashboard.config, ...settings },
      pool: dashboard.pool,
      temporal: dashboard.temporal,
      log: dashboard.app.log,
    }),
  );
  expect(found).toEqual({});
}, 120_000);
