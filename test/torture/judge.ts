import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Installation } from './installation.ts';
import type { Operation } from './load.ts';
import { PAGE } from './model.ts';
import { personsPage } from './person.ts';

interface JobRow {
  id: string;
  state: string;
  ref: string | null;
  base: string;
  pr: string | null;
  message: string | null;
  events: number;
}

type Judged = Pick<Installation, 'pool' | 'repository' | 'pulls'> & { project: { id: string } };

/** Everything that is not as it was promised, one sentence each. */
export async function judge(
  installation: Installation,
  operations: Operation[],
): Promise<string[]> {
  return [
    ...(await judgeJobs(installation, operations)),
    ...(await judgePlans(installation)),
    ...(await judgeLedger(installation)),
    ...judgeFiles(installation),
  ];
}

/** What was acknowledged, in jobs, branches, pull requests and events of one project. */
export async function judgeJobs(installation: Judged, operations: Operation[]): Promise<string[]> {
  const { rows: jobs } = await installation.pool.query<JobRow>(
    `select id, state, ref, base_ref as base, pr_link as pr,
            message_to_user as message, last_event as events
       from jobs where state <> 'given_up' and project_id = $1 order by id`,
    [installation.project.id],
  );
  const said: string[] = [];
  const known = new Set(jobs.map(({ id }) => id));
  for (const { jobId, marker, acknowledged } of operations)
    if (acknowledged !== null && !known.has(jobId ?? ''))
      said.push(`${marker} was acknowledged, and its job ${jobId} is gone`);
  for (const job of jobs) {
    const asked = operations.filter(({ jobId }) => jobId === job.id);
    said.push(...judgeJob(installation, job, asked), ...(await judgeRows(installation, job)));
  }
  return said;
}

const IN_ORDER: readonly Operation['kind'][] = ['create', 'message'];

/** Acknowledged means: once, in order, in the final tree, on one linear branch. */
function judgeJob(
  { repository }: Pick<Installation, 'repository'>,
  job: JobRow,
  asked: Operation[],
): string[] {
  const said: string[] = [];
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', repository, ...args], { encoding: 'utf8' });
  if (!['completed', 'failed'].includes(job.state)) said.push(`${job.id} still is ${job.state}`);
  if (job.state === 'failed') said.push(`${job.id} failed: ${job.message}`);
  if (job.ref === null) return asked.length > 0 ? [...said, `${job.id} has no branch`] : said;
  const lines = git('show', `${job.ref}:${PAGE}`).match(/^m\d+x$/gm) ?? [];
  const pages = git('ls-tree', '-r', '--name-only', job.ref).split('\n');
  for (const { marker, acknowledged, kind } of asked) {
    if (kind === 'commit') {
      if (acknowledged !== null && !pages.includes(personsPage(marker)))
        said.push(`${job.id}: the page ${marker} of a person is gone`);
      continue;
    }
    const times = lines.filter(line => line === marker).length;
    if (times > 1 || (acknowledged !== null && times !== 1))
      said.push(`${job.id}: ${kind} ${marker} is there ${times} times`);
  }
  // One sender per job sends the next after the answer to the one before. A signal passes the API,
  // so that its order among those of HTTP is that of their arrival.
  const sent = asked.filter(
    ({ acknowledged, kind }) => acknowledged !== null && IN_ORDER.includes(kind),
  );
  const order = lines.filter(line => sent.some(({ marker }) => marker === line));
  if (order.join() !== sent.map(({ marker }) => marker).join())
    said.push(`${job.id}: order ${order.join(' ')} of ${sent.map(each => each.marker).join(' ')}`);
  const commits = git('rev-list', '--parents', `${job.base}..${job.ref}`).trim().split('\n');
  for (const line of commits)
    if (line.split(' ').length !== 2) said.push(`${job.id}: commit ${line} has not one parent`);
  const branches = git('for-each-ref', '--format=%(refname:short)', 'refs/heads')
    .split('\n')
    .filter(name => name.startsWith(job.ref ?? ' '));
  if (branches.length !== 1) said.push(`${job.id} has the branches ${branches.join(' ')}`);
  return said;
}

async function judgeRows(
  { pool, pulls: pullsOf }: Pick<Installation, 'pool' | 'pulls'>,
  job: JobRow,
): Promise<string[]> {
  const said: string[] = [];
  const pulls = job.ref === null ? [] : await pullsOf(job.ref);
  if (job.ref !== null && (pulls.length !== 1 || pulls[0] !== 'open'))
    said.push(`${job.id} has ${pulls.length} pull requests`);
  if (job.ref !== null && job.pr === null) said.push(`${job.id} does not show its pull request`);
  const { rows: events } = await pool.query<{ count: number; first: number; last: number }>(
    'select count(*), min(seq) as first, max(seq) as last from job_events where job_id = $1',
    [job.id],
  );
  const [{ count, first, last } = { count: 0, first: 0, last: 0 }] = events;
  if (count !== job.events || last !== job.events || (count > 0 && first !== 1))
    said.push(`${job.id}: ${count} events from ${first} to ${last} of ${job.events}`);
  const { rows: waiting } = await pool.query<{ id: string }>(
    `select message_id as id from instructions where job_id = $1 and state <> 'taken'
        and state <> 'withdrawn' and not (state = 'dropped' and answer is not null)`,
    [job.id],
  );
  if (waiting.length > 0) said.push(`${job.id}: ${waiting.length} instructions were not taken`);
  return said;
}

/** A plan is decided about once, and nothing is published without an approval. */
async function judgePlans({ pool }: Pick<Installation, 'pool'>): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; turn: number; count: number }>(
    `select job_id as id, turn, count(*) from instructions
      where state = 'taken' and answer ->> 'verb' in ('approve', 'decline')
      group by job_id, turn having count(*) > 1`,
  );
  const { rows: bold } = await pool.query<{ id: string }>(
    `select p.job_id as id from publications p
      where exists (select from job_events e
                     where e.job_id = p.job_id and e.type = 'plan'
                       and (e.data ->> 'turn')::int <= p.turn)
        and not exists (select from instructions i
                         where i.job_id = p.job_id and i.state = 'taken' and i.turn <= p.turn
                           and i.answer ->> 'verb' = 'approve')`,
  );
  return [
    ...rows.map(({ id, turn, count }) => `${id}: ${count} decisions about the plan before ${turn}`),
    ...bold.map(({ id }) => `${id} published without an approval`),
  ];
}

/** Every request that the model has met was entered before it was made. */
async function judgeLedger({ pool, model, project }: Installation): Promise<string[]> {
  const { rows } = await pool.query<{ calls: number; ok: number; free: number }>(
    `select count(*) as calls, count(*) filter (where outcome = 'ok') as ok,
            count(*) filter (where outcome = 'started' and cost_microusd is not null) as free
       from model_calls where project_id = $1`,
    [project.id],
  );
  const [{ calls, ok, free } = { calls: 0, ok: 0, free: 0 }] = rows;
  const said: string[] = [];
  if (model.requests.length > calls)
    said.push(`the model counts ${model.requests.length} requests, the ledger ${calls}`);
  if (ok > model.requests.length) said.push(`the ledger has ${ok} answers of ${calls} requests`);
  if (free > 0) said.push(`${free} calls without an end cost nothing`);
  return said;
}

function judgeFiles({ folder, apis, workers, adminKey, token }: Installation): string[] {
  const said: string[] = [];
  const secrets = {
    'the admin key': adminKey,
    'the host token': token,
    'the model key': 'sk-ant-',
  };
  for (const { logFile, name } of [...apis, ...workers]) {
    const text = readFileSync(logFile, 'utf8');
    for (const [what, secret] of Object.entries(secrets))
      if (text.includes(secret)) said.push(`${what} is in the log of ${name}`);
  }
  for (const worker of workers) {
    const cache = join(folder, worker.name, 'cache');
    const names = readdirSync(cache, { recursive: true, encoding: 'utf8' });
    const old = names.filter(name => /=gone-/.test(name));
    if (old.length > 0) said.push(`${worker.name} has left ${old.join(' ')}`);
  }
  return said;
}
