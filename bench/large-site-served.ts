import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from './assistant/read-stream.ts';
import { ask } from './assistant/read-stream.ts';
import { percentile } from './jobs/activity-times.ts';
import { checkOut } from './large-site/git-grep.ts';
import { type Probed, probe } from './large-site/probes.ts';
import { type ServedStack, startServed } from './large-site/served-stack.ts';
import { type BenchSite, generatedSite, siteOfCheckout } from './large-site/site.ts';
import { startWorkingModel, type WorkingModel } from './large-site/working-model.ts';
import { childOf, memoryOf } from './scale/cpu.ts';
import { openReport, type Report } from './scale/report.ts';
import { jobCalls } from '../test/support/job-calls.ts';

const DOMAIN = 'large';
const IDLE_MS = 30_000;
/** Jobs follow each other for so long. */
const WORK_MS = 45_000;
const JOB_MS = 240_000;
const POLL_MS = 100;

/**
 * `docent start` with a site of `--pages` (1,000), or that of the checkout in `--repository`: how
 * soon it can be searched, and what others wait for while a job works on it, over idle.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const valueOf = (name: string) => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args[at + 1];
  };
  const folder = valueOf('--repository');
  const report = openReport(args);
  const site =
    folder === undefined
      ? generatedSite('docs.json', Number(valueOf('--pages') ?? 1_000))
      : siteOfCheckout(folder);
  console.log(`${site.name}; load of the machine: ${loadavg()[0]?.toFixed(1)}`);
  const checkout = await checkOut(site.files);
  const model = await startWorkingModel(site);
  const stack = await startServed(model.url);
  try {
    const result = await measureServed(stack, model, site, checkout.folder);
    await print(result, model, report, folder === undefined ? '' : '-of-checkout');
    console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)}`);
    return { largeSiteServed: result };
  } finally {
    await stack.close();
    await model.close();
    await checkout.remove();
  }
}

async function measureServed(
  stack: ServedStack,
  model: WorkingModel,
  site: BenchSite,
  folder: string,
) {
  const { indexed, ...indexing } = await index(stack, site, folder);
  const { assistant, adminKey, projectId } = indexed;
  const calls = jobCalls(stack.baseUrl, adminKey, projectId);
  let made = 0;
  const oneJob = async () => {
    const { id } = await calls.create(`Move pages, number ${made++}.`);
    const job = await calls.rest(id, JOB_MS);
    if (job.status !== 'completed' || !job.prLink)
      throw new Error(`${id} ended as ${job.status}; ${model.errors.join('\n')}`);
  };
  await oneJob(); // compiled, the site is read
  for (let i = 0; i < 5; i++) await ask(assistant);
  model.toolMs.clear();
  const idle = await probe(stack.baseUrl, assistant, () => sleep(IDLE_MS));
  const times: number[] = [];
  const busy = await probe(stack.baseUrl, assistant, async () => {
    for (const end = Date.now() + WORK_MS; Date.now() < end;) {
      const started = performance.now();
      await oneJob();
      times.push(performance.now() - started);
    }
  });
  const jobs = { count: times.length, p50ms: Math.round(percentile(times, 0.5)) };
  const worker = memoryOf(childOf(stack.pid, 'docent.mjs worker'));
  const memoryMb = { worker, all: memoryOf(stack.pid) };
  const result = { ...indexing, idle, busy, jobs, memoryMb };
  return { ...result, toolMs: Object.fromEntries(model.toolMs) };
}

/** From the command on: seconds to the first result, to all pages, and what `/healthz` took. */
async function index(stack: ServedStack, site: BenchSite, folder: string) {
  const started = performance.now();
  const secondsNow = () => Math.round((performance.now() - started) / 100) / 10;
  let first: number | undefined;
  let indexed: { assistant: Target; adminKey: string; projectId: string } | undefined;
  const { healthz } = await probe(stack.baseUrl, undefined, async () => {
    const added = stack.docent('project', 'add', 'Large', '--repository', folder);
    const project = await stack.project(DOMAIN);
    const key = await stack.key(project, 'assistant');
    for (; ; await sleep(POLL_MS)) {
      const found = await searched(stack, key, site.query);
      if (found.results > 0) first ??= secondsNow();
      if (found.results > 0 && found.complete) break;
    }
    await added;
    const adminKey = await stack.key(project, 'admin');
    indexed = { assistant: targetOf(stack, key, site), adminKey, projectId: project.id };
  });
  if (!indexed) throw new Error('The site is not indexed.');
  return { indexed, firstResultS: first ?? NaN, allPagesS: secondsNow(), whileIndexing: healthz };
}

async function searched({ baseUrl }: ServedStack, key: string, query: string) {
  const response = await fetch(`${baseUrl}/discovery/v1/search/${DOMAIN}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const body = (await response.json()) as unknown[];
  return {
    results: response.ok ? body.length : 0,
    complete: response.ok && !response.headers.has('x-pages-read'),
  };
}

function targetOf({ baseUrl }: ServedStack, key: string, { query }: BenchSite): Target {
  return {
    url: `${baseUrl}/discovery/v2/assistant/${DOMAIN}/message`,
    end: 'data: [DONE]\n\n',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      fp: 'anonymous',
      messages: [{ role: 'user', parts: [{ type: 'text', text: `What is the ${query}?` }] }],
    }),
  };
}

interface Result {
  firstResultS: number;
  allPagesS: number;
  whileIndexing: Probed;
  idle: { healthz: Probed; firstByte: Probed };
  busy: { healthz: Probed; firstByte: Probed };
  jobs: { count: number; p50ms: number };
  /** `all`: with API, Postgres and Temporal. */
  memoryMb: { worker: number; all: number };
}

async function print(
  { firstResultS, allPagesS, whileIndexing, idle, busy, jobs, memoryMb }: Result,
  { toolMs, errors }: WorkingModel,
  report: Report,
  suffix: string,
): Promise<void> {
  const row = (what: string, quiet: Probed, working: Probed) => ({
    '': what,
    'Idle, p50': quiet.p50,
    'Idle, p99': quiet.p99,
    'While a job works, p50': working.p50,
    'While a job works, p99': working.p99,
    'p99 over idle (goal 50)': Math.round((working.p99 - quiet.p99) * 10) / 10,
  });
  await report.table(`served${suffix}`, 'What others wait for, in ms', [
    row('`/healthz`', idle.healthz, busy.healthz),
    row("First byte of the assistant's answer", idle.firstByte, busy.firstByte),
    row('`/healthz` while the site is indexed', idle.healthz, whileIndexing),
  ]);
  await report.table(`first-index${suffix}`, 'From `project add`, in s', [
    { '': 'First search result (goal 10)', s: firstResultS },
    { '': 'All pages (goal 30)', s: allPagesS },
  ]);
  await report.table(
    `steps${suffix}`,
    'From the answer of the model to its next call',
    [...toolMs].map(([name, times]) => ({
      '': name,
      Times: times.length,
      'p50, ms': Math.round(percentile(times, 0.5)),
    })),
  );
  console.log(
    `${jobs.count} jobs, p50 ${jobs.p50ms} ms. The worker has ${memoryMb.worker} MB, ` +
      `with API, Postgres and Temporal ${memoryMb.all}.`,
  );
  if (errors.length > 0) console.log(`Tools refused: ${errors.slice(0, 5).join('\n')}`);
}
