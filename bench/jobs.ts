import Anthropic from '@anthropic-ai/sdk';
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitRepositories } from '../hosts/git/repositories.ts';
import { LocalHost } from '../hosts/local/host.ts';
import { openWorkspace } from '../agent/workspace.ts';
import { OFFLINE_MODEL } from '../shared/agent-text.ts';
import { type JobStack, startJobStack } from '../test/support/job-stack.ts';
import { runAgentLoop } from './agent-loop.ts';
import {
  activityTimes,
  durations,
  type History,
  intervals,
  percentile,
} from './jobs/activity-times.ts';
import { startDurableServices } from './jobs/durable-services.ts';

const PAGES = 40;
const LEVELS = [
  { concurrency: 1, jobs: 12 },
  { concurrency: 8, jobs: 32 },
  { concurrency: 32, jobs: 64 },
];
const BARE_RUNS = 12;

/**
 * Whole jobs with the offline model, on durable services as `docent start` runs them: create to
 * pull request, and time per activity. Baselines of the same run: the same loop in one process
 * without Temporal and Postgres ("bare"), and a workflow of as many empty activities ("empty").
 */
export async function run(): Promise<Record<string, unknown>> {
  const services = await startDurableServices();
  const stack = await startJobStack({ files: pages() });
  try {
    await oneJob(stack, 0); // warm: bundle compiled, snapshot cached, connections open
    const { levels, histories } = await measureLevels(stack);
    const activitiesPerJob = Math.round(
      histories.reduce((sum, history) => sum + durations(history).length, 0) / histories.length,
    );
    const empty = await emptyBaseline(stack, activitiesPerJob);
    const bare = await bareBaseline(stack);
    const perActivity = percentile(histories.flatMap(intervals), 0.5);
    const jobMs = levels[0]?.p50ms ?? 0;
    const result = {
      levels,
      activitiesPerJob,
      perType: activityTimes(histories),
      activityMs: perActivity,
      emptyActivityMs: empty.activityMs,
      activityRatio: ratio(perActivity, empty.activityMs),
      jobMs,
      bareLoopMs: bare,
      emptyWorkflowMs: empty.workflowMs,
      jobRatio: ratio(jobMs, bare + empty.workflowMs),
    };
    print(result);
    return { jobs: result };
  } finally {
    await stack.close();
    await services.stop();
  }
}

interface Level {
  concurrency: number;
  jobs: number;
  p50ms: number;
  p95ms: number;
  jobsPerMinute: number;
}

/** Jobs at each level of concurrency, and the histories of those that ran alone. */
async function measureLevels(stack: JobStack): Promise<{ levels: Level[]; histories: History[] }> {
  const levels: Level[] = [];
  const histories: History[] = [];
  for (const { concurrency, jobs } of LEVELS) {
    const started = performance.now();
    const runs = await inParallel(concurrency, jobs, i => oneJob(stack, i));
    const seconds = (performance.now() - started) / 1000;
    if (concurrency === 1)
      for (const { id } of runs)
        histories.push(await stack.temporal.workflow.getHandle(id).fetchHistory());
    const times = runs.map(one => one.ms);
    levels.push({
      concurrency,
      jobs,
      p50ms: percentile(times, 0.5),
      p95ms: percentile(times, 0.95),
      jobsPerMinute: Math.round((jobs / seconds) * 60),
    });
  }
  return { levels, histories };
}

interface JobsResult {
  levels: Level[];
  activitiesPerJob: number;
  perType: ReturnType<typeof activityTimes>;
  activityMs: number;
  emptyActivityMs: number;
  activityRatio: number;
  jobMs: number;
  bareLoopMs: number;
  emptyWorkflowMs: number;
  jobRatio: number;
}

function print(result: JobsResult): void {
  console.table(result.levels);
  console.table(result.perType);
  console.log(
    `from one activity to the next, median: ${result.activityMs} ms, ` +
      `empty one ${result.emptyActivityMs} ms, ratio ${result.activityRatio} (goal 1.5)`,
  );
  console.log(
    `a job, median: ${result.jobMs} ms; bare loop ${result.bareLoopMs} ms + ` +
      `empty workflow of ${result.activitiesPerJob} activities ${result.emptyWorkflowMs} ms, ` +
      `ratio ${result.jobRatio} (goal 2)`,
  );
}

function pages(): Record<string, string> {
  const page = (i: number) =>
    `---\ntitle: Page ${i}\n---\n\n# Page ${i}\n\n` +
    `This page explains widget${i} in some detail.\n\n` +
    `${'A paragraph that is there to be read. '.repeat(20)}\n`;
  return Object.fromEntries(
    Array.from({ length: PAGES }, (_, i) => [`docs/page-${i}.md`, page(i)]),
  );
}

const instruction = (i: number) => `Rename "widget${i % PAGES}" to "gadget${i % PAGES}".`;

async function oneJob(stack: JobStack, i: number): Promise<{ id: string; ms: number }> {
  const started = performance.now();
  const { id } = await stack.create(instruction(i));
  const job = await stack.rest(id, 120_000);
  if (job.status !== 'completed' || !job.prLink)
    throw new Error(`job ${i} ended as ${job.status} without a pull request`);
  return { id, ms: performance.now() - started };
}

/**
 * The same work in one process: model over HTTP, tools in memory, commit, push and pull request on
 * the same host.
 */
async function bareBaseline(stack: JobStack): Promise<number> {
  const { config, project } = stack;
  const cache = await mkdtemp(join(tmpdir(), 'docent-bench-'));
  const repositories = new GitRepositories(cache, { name: 'Docent', email: 'docent@localhost' });
  const host = new LocalHost({
    url: config.LOCAL_HOST_URL ?? '',
    token: config.LOCAL_HOST_TOKEN ?? '',
    repositories,
  });
  const client = new Anthropic({
    apiKey: 'offline',
    baseURL: config.ANTHROPIC_BASE_URL ?? null,
    maxRetries: 0,
  });
  const address = { host: project.host, repository: project.repository };
  const { signal } = new AbortController();
  const times: number[] = [];
  for (let i = 0; i <= BARE_RUNS; i++) {
    const started = performance.now();
    const base = (await host.resolveBranch(address, project.baseRef)) ?? '';
    const workspace = openWorkspace(await host.snapshot(address, base, signal), new Map());
    const { finished } = await runAgentLoop(client, workspace, instruction(i), {
      docsFolder: project.docsFolder,
      model: OFFLINE_MODEL,
    });
    if (!finished) throw new Error('the bare loop did not finish');
    const plan = {
      parent: base,
      changes: await workspace.changes(),
      message: finished.title,
      time: Math.floor(Date.now() / 1000),
    };
    const head = `bench/bare-${i}`;
    await host.push(address, head, plan, null, signal);
    await host.openPullRequest(address, {
      title: finished.title,
      body: finished.body,
      head,
      base: project.baseRef,
      draft: false,
      jobId: `bare-${i}`,
    });
    if (i > 0) times.push(performance.now() - started);
  }
  await rm(cache, { recursive: true, force: true });
  return percentile(times, 0.5);
}

async function emptyBaseline(
  stack: JobStack,
  activities: number,
): Promise<{ workflowMs: number; activityMs: number }> {
  const taskQueue = `${stack.config.TASK_QUEUE}-empty`;
  const connection = await NativeConnection.connect({
    address: stack.config.TEMPORAL_ADDRESS ?? '',
  });
  const bundle = await bundleWorkflowCode({
    workflowsPath: join(import.meta.dirname, 'empty-workflow.ts'),
    logger: { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} },
  });
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: bundle,
    activities: { nothing: async () => undefined },
  });
  const histories: History[] = [];
  const times: number[] = [];
  await worker.runUntil(async () => {
    for (let i = 0; i <= BARE_RUNS; i++) {
      const started = performance.now();
      const handle = await stack.temporal.workflow.start('emptyWorkflow', {
        taskQueue,
        workflowId: `empty-${taskQueue}-${i}`,
        args: [activities],
      });
      await handle.result();
      if (i === 0) continue;
      times.push(performance.now() - started);
      histories.push(await handle.fetchHistory());
    }
  });
  await connection.close();
  return {
    workflowMs: percentile(times, 0.5),
    activityMs: percentile(histories.flatMap(intervals), 0.5),
  };
}

async function inParallel<T>(
  width: number,
  count: number,
  work: (i: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) results.push(await work(next++));
    }),
  );
  return results;
}

function ratio(a: number, b: number): number {
  return Math.round((a / b) * 100) / 100;
}
