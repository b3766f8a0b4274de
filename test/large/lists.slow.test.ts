import { sweepJobs } from '../../api/background/job-sweeper.ts';
import { ROUTES } from '../../shared/dashboard/routes/routes.ts';
import { type Browser, startDashboard, type TestDashboard } from '../dashboard/api/harness.ts';
import { insertManyJobs, JOBS } from './many-jobs.ts';
import { planOf, recordQueries } from './recorded-plans.ts';

/** A table of so many rows is never read from one end to the other. */
const LARGE = 5_000;

let dashboard: TestDashboard;
let owner: Browser;
let large: Set<string>;
beforeAll(async () => {
  dashboard = await startDashboard();
  const { organizationId, project } = dashboard.tenant;
  owner = await dashboard.signIn('owner@many.test', 'owner');
  await insertManyJobs(dashboard.pool, {
    ...{ organizationId, projectId: project.id, repository: project.repository },
  });
  const { rows } = await dashboard.pool.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and reltuples > $1",
    [LARGE],
  );
  large = new Set(rows.map(({ name }) => name));
}, 600_000);
afterAll(() => dashboard.close());

/** The large tables that `work` reads as a whole, with the query that does. */
async function readWhole(work: () => Promise<unknown>): Promise<Record<string, string[]>> {
  const queries = await recordQueries(work);
  if (queries.length === 0) throw new Error('Nothing was asked of Postgres.');
  const found: Record<string, string[]> = {};
  for (const query of queries) {
    const { scanned, blocks } = await planOf(dashboard.pool, query);
    if (process.env['PLANS']) console.log(blocks, query.text.replaceAll(/\s+/g, ' ').slice(0, 300));
    const whole = scanned.filter(table => large.has(table));
    if (whole.length > 0) found[query.text] = whole;
  }
  return found;
}

it('the tables are large', () => {
  for (const table of ['jobs', 'job_events', 'questions', 'model_calls', 'local_pull_requests'])
    expect(large).toContain(table);
});

const JOB = `job_${String(JOBS / 2 + 7).padStart(8, '0')}`;
const FILTERS = [
  '',
  'status=active',
  'status=failed',
  'outcome=merged',
  'outcome=declined',
  'search=widget77777',
  'search=nowhere',
  'person=usr_many3',
  'person=usr_nobody',
  'person=key',
  'model=model-2',
  'model=none',
  'since=2020-01-01&until=2020-01-31',
  'pullRequest=50007',
  `cursor=${Buffer.from(JOB).toString('base64url')}`,
];
const ADDRESSES: Record<string, string[]> = {
  'GET /organizations/:organization/jobs': FILTERS,
  'GET /projects/:projectId/jobs': FILTERS,
  'GET /organizations/:organization/find': ['', 'words=rename+widget77', 'words=%2350007'],
  'GET /organizations/:organization/audit': ['', 'action=key.created', 'action=user.removed'],
  'GET /organizations/:organization/usage': ['', 'days=366'],
  'GET /projects/:projectId/overview': ['', 'days=366'],
  'GET /projects/:projectId/pulls': ['', 'state=open', 'state=merged'],
  'GET /projects/:projectId/questions': ['', 'answered=false', 'closed=true', 'search=widget777'],
};

/** Address of a route in this installation. */
function addressOf(route: string): string {
  const { organizationId, project } = dashboard.tenant;
  const values: Record<string, string> = {
    organization: organizationId,
    projectId: project.id,
    domain: project.domain,
    id: JOB,
    number: '50007',
    turn: '1',
    step: '1',
    file: 'upl_50005',
  };
  return route.slice('GET '.length).replace(/:(\w+)/g, (_, name: string) => values[name] ?? 'x');
}

describe('no list reads a large table as a whole', () => {
  const routes = Object.keys(ROUTES).filter(route => route.startsWith('GET '));

  it.each(routes)('%s', async route => {
    for (const query of ADDRESSES[route] ?? ['']) {
      const found = await readWhole(async () => {
        const { statusCode, body } = await owner.call('GET', `${addressOf(route)}?${query}`);
        // Some need what is not there: GitHub, an indexed site, a file.
        const isFine = ADDRESSES[route] ? statusCode === 200 : statusCode < 500;
        if (!isFine) throw new Error(`${route}: ${statusCode} ${body}`);
      });
      expect([query, found]).toEqual([query, {}]);
    }
  });

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

it('a sweep finds what it deletes by an index', async () => {
  const settings = { JOB_RETENTION_DAYS: 270.5, THREAD_RETENTION_DAYS: 300 };
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
