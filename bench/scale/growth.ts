import { setTimeout as sleep } from 'node:timers/promises';
import { addMember, createUser } from '../../db/people/users.ts';
import { createSession } from '../../db/people/sessions.ts';
import { openPool, type Pool, transaction } from '../../db/pool.ts';
import { percentile } from '../jobs/activity-times.ts';
import { copyJobs } from './copied-jobs.ts';
import { type Installation, startInstallation } from './installation.ts';
import { inParallel, turned } from './measure.ts';
import type { Report } from './report.ts';

/** Jobs that are there when it is measured. */
const SIZES = [100, 1_000, 10_000];
const REAL_JOBS = 100;
const AT_ONCE = 16;
const READS = 40;
const CREATES = 10;
const WHOLE_JOBS = 8;

/**
 * From 100 to 10,000 jobs: the lists of API and dashboard, a create, and a whole job. The first 100
 * ran; the others are copies of their rows, so that Postgres grows as it would and Temporal does
 * not.
 */
export async function growth(report: Report): Promise<Record<string, unknown>> {
  const installation = await startInstallation({ workers: 1 });
  const pool = openPool({ connectionString: installation.cluster.databaseUrl, max: 2 });
  const rows: Record<string, number>[] = [];
  try {
    const [project] = installation.projects;
    const empty = await databaseSize(pool);
    await inParallel(AT_ONCE, report.of(REAL_JOBS), async () =>
      installation.done(project, await installation.create(project)),
    );
    const lists = await listsOf(installation, pool);
    for (const size of SIZES.map(report.of)) {
      await growTo(pool, size);
      const kilobytes = ((await databaseSize(pool)) - empty) / 1000 / size;
      const times = await measureAt(installation, lists);
      rows.push({ Jobs: size, ...times, 'KB a job': Math.round(kilobytes) });
      console.log(rows.at(-1));
    }
  } finally {
    await pool.end();
    await installation.close();
  }
  const title = 'Growth of jobs: p50 in ms (the first 100 ran, the others are copied rows)';
  await report.table('growth-of-jobs', title, turned(rows, 'Jobs'));
  await draw(report, rows);
  return { rows };
}

/** As near to a size as whole copies of the first hundred come; measuring adds a few. */
async function growTo(pool: Pool, size: number): Promise<void> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int from jobs');
  const now = rows[0]?.count ?? 0;
  await copyJobs(pool, Math.round(size / now) - 1);
  await sleep(2_000); // what the copy left to write is written
}

interface Request {
  url: string;
  headers: Record<string, string>;
}
type Lists = Record<string, Request>;

/** What scripts and people ask for, through the proxy. */
async function listsOf(
  { cluster: { url }, projects: [project], adminKey }: Installation,
  pool: Pool,
): Promise<Lists> {
  const { cookie, slug } = await signIn(pool, project);
  const ofApi = (path: string) => ({
    url: `${url}/v2/agent/${project}${path}`,
    headers: { authorization: `Bearer ${adminKey}` },
  });
  const ofDashboard = (path: string) => ({
    url: `${url}/api/dashboard${path}`,
    headers: { cookie },
  });
  return {
    'API: list': ofApi('/jobs?limit=20'),
    'Jobs of a project': ofDashboard(`/projects/${project}/jobs`),
    'Jobs that failed': ofDashboard(`/organizations/${slug}/jobs?status=failed`),
    Overview: ofDashboard(`/projects/${project}/overview`),
    Palette: ofDashboard(`/organizations/${slug}/find?words=rename`),
    Usage: ofDashboard(`/organizations/${slug}/usage`),
  };
}

/** An owner of the project's organization, with a session. */
async function signIn(pool: Pool, project: string): Promise<{ cookie: string; slug: string }> {
  const { rows } = await pool.query<{ id: string; slug: string }>(
    `select o.id, o.slug from organizations o
       join projects p on p.organization_id = o.id where p.id = $1`,
    [project],
  );
  const [organization] = rows;
  if (!organization) throw new Error(`${project} has no organization`);
  const user = { email: 'bench@example.com', name: 'Bench', passwordHash: null };
  const token = await transaction(pool, async tx => {
    const { id: userId } = await createUser(tx, user);
    await addMember(tx, organization.id, userId, 'owner');
    return (await createSession(tx, { userId, address: '127.0.0.1', userAgent: 'bench' })).token;
  });
  return { cookie: `docent=${token}`, slug: organization.slug };
}

async function measureAt(
  installation: Installation,
  lists: Lists,
): Promise<Record<string, number>> {
  const result: Record<string, number> = {};
  for (const [name, request] of Object.entries(lists)) {
    const times = await inParallel(1, READS, () => read(request));
    result[name] = percentile(times.slice(2), 0.5); // the first plan and compile
  }
  const { projects, create, done } = installation;
  const [project] = projects;
  const created: string[] = [];
  const creates = await inParallel(1, CREATES, async () => created.push(await create(project)));
  for (const id of created) await done(project, id);
  const whole = await inParallel(1, WHOLE_JOBS, async () => done(project, await create(project)));
  return {
    ...result,
    'Create a job': percentile(creates, 0.5),
    'A whole job': Math.round(percentile(whole, 0.5)),
  };
}

async function read({ url, headers }: Request): Promise<void> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/** Of Docent's own database, in bytes. */
async function databaseSize(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ size: string }>(
    'select pg_database_size(current_database())::text as size',
  );
  return Number(rows[0]?.size);
}

async function draw(report: Report, rows: Record<string, number>[]): Promise<void> {
  const shown = Object.keys(rows[0] ?? {}).filter(name => name !== 'Jobs' && name !== 'KB a job');
  // A picture has room for six curves.
  const drawn = shown.filter(name => name !== 'Jobs that failed' && name !== 'Usage');
  await report.curves('growth-of-jobs', {
    title: 'Time by the number of jobs in the database',
    ...{ x: 'jobs', y: 'ms (p50)', logY: true },
    lines: drawn.map(name => ({
      name,
      points: rows.map((row): [number, number] => [row['Jobs'] ?? 1, row[name] ?? 1]),
    })),
  });
}
