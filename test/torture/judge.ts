import { execFileSync } from 'node:child_process';
import type { Installation } from './installation.ts';
import { judgeFiles } from './judge-files.ts';
import { judgeLedger } from './judge-ledger.ts';
import type { Operation } from './operations.ts';
import { PAGE } from './model.ts';
import { PEOPLE, personsPage } from './person.ts';

interface JobRow {
  id: string;
  state: string;
  ref: string | null;
  base: string;
  pr: string | null;
  message: string | null;
  events: number;
  isArchived: boolean;
}

type Judged = Pick<Installation, 'pool' | 'repository' | 'pulls'> & { project: { id: string } };

/** Everything that is not as it was promised, one sentence each. */
export async function judge(
  installation: Installation,
  operations: Operation[],
): Promise<string[]> {
  return [
    ...(await judgeJobs(installation, operations)),
    ...(await judgeEvents(installation)),
    ...(await judgePlans(installation)),
    ...(await judgeLedger(installation)),
    ...judgeFiles(installation),
  ];
}

/** What was acknowledged, in jobs, branches, pull requests and events of one project. */
export async function judgeJobs(installation: Judged, operations: Operation[]): Promise<string[]> {
  const { rows: jobs } = await installation.pool.query<JobRow>(
    `select id, state, ref, base_ref as base, pr_link as pr,
            message_to_user as message, last_event as events,
            archived_at is not null as "isArchived"
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
    said.push(...judgeJob(installation, job, asked));
    said.push(...(await judgeRows(installation, job, asked)));
  }
  return said;
}

const LINES: readonly Operation['kind'][] = ['create', 'message', 'signal', 'comment'];
const IN_ORDER = LINES.slice(0, 2);

/** Acknowledged means: once, in order, in the final tree, on one linear branch. */
function judgeJob(
  { repository }: Pick<Installation, 'repository'>,
  job: JobRow,
  asked: Operation[],
): string[] {
  const said: string[] = [];
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', repository, ...args], { encoding: 'utf8' });
  const cancelledAt = Math.max(
    0,
    ...of(asked, 'cancel').map(each => each.acknowledged ?? Infinity),
  );
  if (!['completed', 'failed'].includes(job.state)) said.push(`${job.id} still is ${job.state}`);
  if (job.state === 'failed' && !(cancelledAt && job.message?.startsWith('Cancelled')))
    said.push(`${job.id} failed: ${job.message}`);
  if (of(asked, 'archive').some(({ acknowledged }) => acknowledged !== null) && !job.isArchived)
    said.push(`${job.id} is not archived`);
  const due = asked.filter(({ acknowledged, invoked }) => acknowledged && invoked > cancelledAt);
  if (job.ref === null) return due.length > 0 ? [...said, `${job.id} has no branch`] : said;
  const range = `${job.base}...${job.ref}`;
  const lines = git('show', `${job.ref}:${PAGE}`).match(/^m\d+x$/gm) ?? [];
  const pages = git('ls-tree', '-r', '--name-only', job.ref).split('\n');
  for (const path of git('diff', '--name-only', range).split('\n').filter(Boolean))
    if (path !== PAGE && !path.startsWith(PEOPLE)) said.push(`${job.id} has changed ${path}`);
  for (const { marker } of of(due, 'commit'))
    if (!pages.includes(personsPage(marker)))
      said.push(`${job.id}: the page ${marker} of a person is gone`);
  for (const operation of asked.filter(({ kind }) => LINES.includes(kind))) {
    const { marker, kind } = operation;
    const times = lines.filter(line => line === marker).length;
    if (times > 1 || (due.includes(operation) && times !== 1))
      said.push(`${job.id}: ${kind} ${marker} is there ${times} times`);
  }
  // One sender per job sends the next after the answer to the one before. A signal passes the API,
  // so that its order among those of HTTP is that of their arrival.
  const sent = due.filter(({ kind }) => IN_ORDER.includes(kind));
  const order = lines.filter(line => sent.some(({ marker }) => marker === line));
  if (order.join() !== sent.map(({ marker }) => marker).join())
    said.push(`${job.id}: order ${order.join(' ')} of ${sent.map(each => each.marker).join(' ')}`);
  // None where it is merged.
  const commits = git('rev-list', '--parents', `${job.base}..${job.ref}`).split('\n');
  for (const line of commits.filter(Boolean))
    if (line.split(' ').length !== 2) said.push(`${job.id}: commit ${line} has not one parent`);
  const branches = git('for-each-ref', '--format=%(refname:short)', 'refs/heads')
    .split('\n')
    .filter(name => name.startsWith(job.ref ?? ' '));
  if (branches.length !== 1) said.push(`${job.id} has the branches ${branches.join(' ')}`);
  return said;
}

function of(asked: Operation[], kind: Operation['kind']): Operation[] {
  return asked.filter(operation => operation.kind === kind);
}

async function judgeRows(
  { pool, pulls: pullsOf }: Pick<Installation, 'pool' | 'pulls'>,
  job: JobRow,
  asked: Operation[],
): Promise<string[]> {
  const said: string[] = [];
  const pulls = job.ref === null ? [] : await pullsOf(job.ref);
  const merges = of(asked, 'merge');
  const states = merges.length > 0 ? ['open', 'merged'] : ['open'];
  if (merges.some(({ acknowledged }) => acknowledged !== null)) states.shift();
  if (job.ref !== null && (pulls.length !== 1 || !states.includes(pulls[0]!)))
    said.push(`${job.id} has the pull requests: ${pulls.join(' ')}`);
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
        and state <> 'withdrawn' and not (state = 'dropped' and (answer is not null or $2))`,
    [job.id, of(asked, 'cancel').length > 0],
  );
  if (waiting.length > 0) said.push(`${job.id}: ${waiting.length} instructions were not taken`);
  return said;
}

/** What a reader of a job gets over HTTP is what there is. */
async function judgeEvents({ pool, apis, adminKey, project }: Installation): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; events: number }>(
    "select id, last_event as events from jobs where state in ('completed', 'failed')",
  );
  const said: string[] = [];
  for (const [i, { id, events }] of rows.entries()) {
    const { url } = apis[i % apis.length]!;
    const text = await fetch(`${url}/v2/agent/${project.id}/job/${id}/events`, {
      headers: { authorization: `Bearer ${adminKey}` },
      signal: AbortSignal.timeout(30_000),
    }).then(
      response => response.text(),
      (error: Error) => error.message,
    );
    const seqs = [...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq));
    if (seqs.length !== events || seqs.some((seq, index) => seq !== index + 1))
      said.push(`${id}: ${seqs.length} of ${events} events arrived: ${text.slice(-80)}`);
  }
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
