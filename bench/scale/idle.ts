import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../jobs/activity-times.ts';
import { type Installation, startInstallation } from './installation.ts';
import {
  type ByPart,
  cpuByPart,
  cpuSince,
  inParallel,
  memoryByPart,
  named,
  tenths,
} from './measure.ts';
import type { Report } from './report.ts';

const JOBS = 1_000;
const AT_ONCE = 24;
/** The CPU of nothing is measured over so long. */
const IDLE_SECONDS = 30;
const SETTLE_MS = 10_000;
const FOLLOW_UPS = 40;

/**
 * 1,000 jobs that wait for a follow-up, each an open workflow: what they cost beside none, and how
 * soon one of them acts. Their only turn was an answer without an edit.
 */
export async function idle(report: Report): Promise<Record<string, unknown>> {
  const installation = await startInstallation({ workers: 1 });
  try {
    const { model } = installation;
    model.delayMs = 0;
    const called = callTimes(installation);
    const begin = beginner(installation, called);
    for (let i = 0; i < 3; i++) await begin(`warm-${i}`);
    const without = await restingCost(installation);
    const ids: string[] = [];
    const started = performance.now();
    const count = report.of(JOBS);
    await inParallel(AT_ONCE, count, async i => ids.push((await begin(`idle-${i}`)).id));
    const seconds = (performance.now() - started) / 1000;
    console.log(`${count} jobs became idle in ${Math.round(seconds)} s`);
    const withJobs = await restingCost(installation);
    const times = report.of(FOLLOW_UPS);
    const fresh = await timed(times, i => begin(`fresh-${i}`));
    const follow = (id: string | undefined, i: number) =>
      followUp(installation, called, id ?? '', `again-${id}-${i}`);
    const oldest = await timed(times, i => follow(ids[i], i));
    const newest = await timed(times, i => follow(ids.at(-1 - i), -1 - i));
    await printCosts(report, { 'No job': without, [`${count} idle jobs`]: withJobs });
    await report.table('follow-ups', 'Until the model is called, ms', [
      { '': 'A new job', ...fresh },
      { '': 'A follow-up, oldest idle jobs', ...oldest },
      { '': 'A follow-up, newest idle jobs', ...newest },
    ]);
    return { without, withJobs, fresh, oldest, newest };
  } finally {
    await installation.close();
  }
}

/** When the model was called about a prompt with that mark, by `performance.now()`. */
function callTimes({ model }: Installation): Map<string, number> {
  const called = new Map<string, number>();
  model.answer = ({ messages }) => {
    const [mark] =
      JSON.stringify(messages)
        .match(/\bmark:[\w-]+/g)
        ?.slice(-1) ?? [];
    if (mark !== undefined && !called.has(mark)) called.set(mark, performance.now());
    return { text: 'There is nothing to do.' };
  };
  return called;
}

interface Begun {
  id: string;
  /** From the request to the model's call. */
  ms: number;
}

function beginner(installation: Installation, called: Map<string, number>) {
  const [project] = installation.projects;
  return async (name: string): Promise<Begun> => {
    const started = performance.now();
    const id = await installation.create(project, `Is there anything to do? mark:${name}`);
    await completed(installation, id);
    return { id, ms: (called.get(`mark:${name}`) ?? NaN) - started };
  };
}

async function followUp(
  installation: Installation,
  called: Map<string, number>,
  id: string,
  name: string,
): Promise<Begun> {
  const [project] = installation.projects;
  const started = performance.now();
  await installation.call(project, `/job/${id}/message`, { prompt: `And now? mark:${name}` });
  await completed(installation, id);
  return { id, ms: (called.get(`mark:${name}`) ?? NaN) - started };
}

/** A job without a change has no pull request. */
async function completed({ call, projects: [project] }: Installation, id: string): Promise<void> {
  for (;;) {
    const { status } = await call<{ status: string }>(project, `/job/${id}`);
    if (status === 'completed') return;
    if (status !== 'active') throw new Error(`job ${id} ended as ${status}`);
  }
}

async function timed(count: number, one: (i: number) => Promise<Begun>) {
  const times: number[] = [];
  for (let i = 0; i < count; i++) times.push((await one(i)).ms);
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

interface Cost {
  /** Milliseconds of CPU for each second. */
  cpuMs: ByPart;
  memoryMb: ByPart;
}

async function restingCost(installation: Installation): Promise<Cost> {
  await sleep(SETTLE_MS);
  const before = cpuByPart(installation);
  await sleep(IDLE_SECONDS * 1000);
  return {
    cpuMs: cpuSince(installation, before, IDLE_SECONDS),
    memoryMb: memoryByPart(installation),
  };
}

async function printCosts(report: Report, costs: Record<string, Cost>): Promise<void> {
  const rows = Object.entries(costs).flatMap(([name, { cpuMs, memoryMb }]) => [
    { '': `${name}: CPU, % of a core`, ...percentOf(cpuMs) },
    { '': `${name}: memory, MB`, ...named(memoryMb) },
  ]);
  await report.table('idle', 'Idle jobs', rows);
}

/** A core has 1,000 ms in a second. */
function percentOf(cpuMs: ByPart): Record<string, number> {
  return Object.fromEntries(
    Object.entries(named(cpuMs)).map(([part, ms]) => [part, tenths(ms / 10)]),
  );
}
