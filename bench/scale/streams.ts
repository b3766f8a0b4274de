import { setTimeout as sleep } from 'node:timers/promises';
import { ask, begin, type Target, type Timing } from '../assistant/read-stream.ts';
import { startModelProcess } from '../assistant/servers.ts';
import { percentile } from '../jobs/activity-times.ts';
import { type Installation, startInstallation } from './installation.ts';
import { type ByPart, cpuByPart, cpuSince, memoryByPart, named } from './measure.ts';
import type { Report } from './report.ts';

const STREAMS = 2_000;
/** They come within so long, and each stays for longer: all are open together in between. */
const ARRIVE_MS = 40_000;
const SPEED = { wait: 1_000, every: 1_000, words: 55 };
const WATCH_MS = 1_000;

/** 2,000 answers at once from two APIs behind the proxy, beside as many bare calls of the model. */
export async function streams(report: Report): Promise<Record<string, unknown>> {
  const model = await startModelProcess(SPEED);
  const most = { ASSISTANT_MAX_STREAMS: '3000', ASSISTANT_MAX_STREAMS_PER_KEY: '3000' };
  const installation = await startInstallation({
    workers: 1,
    modelUrl: model.url,
    settings: () => most,
  });
  try {
    const assistant = await assistantOf(installation);
    for (let i = 0; i < 10; i++) await begin(assistant); // compiled, connected, cached
    const before = cpuByPart(installation);
    const memory = memoryByPart(installation);
    const watched = watchMemory(installation);
    const count = report.of(STREAMS);
    const answers = await together(assistant, count);
    const peak = watched.stop();
    const cpuMs = cpuSince(installation, before, count);
    const bare = await together(model.target, count);
    const rows = [
      { '': 'Through proxy and two APIs', ...summary(answers) },
      { '': 'Baseline: the model alone', ...summary(bare) },
    ];
    await report.table('streams', `${count} streams at once`, rows);
    await report.table('streams-cost', 'What they cost', [
      { '': 'CPU of an answer, ms', ...named(cpuMs) },
      { '': 'Memory before, MB', ...named(memory) },
      { '': 'Memory at the peak, MB', ...named(peak) },
    ]);
    return { rows, cpuMs, memory, peak };
  } finally {
    await installation.close();
    model.child.kill();
  }
}

/** The assistant of the first project, once its 40 pages are indexed. */
async function assistantOf({ docent, cluster: { url } }: Installation): Promise<Target> {
  await docent('index', 'a');
  const printed = await docent('key', 'create', '--kind', 'assistant', '--project', 'a');
  const [key = ''] = /svc_dsc_\w+/.exec(printed) ?? [];
  const question = 'What does page 7 explain?';
  return {
    url: `${url}/discovery/v2/assistant/a/message`,
    end: 'data: [DONE]\n\n',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      fp: 'anonymous',
      messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }],
    }),
  };
}

async function together(target: Target, count: number): Promise<Timing[]> {
  return await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      await sleep((i * ARRIVE_MS) / count);
      return ask(target).catch((error: Error): Timing => {
        console.error(error.message);
        return { firstByte: NaN, firstText: NaN, complete: false };
      });
    }),
  );
}

function summary(timings: Timing[]): Record<string, number> {
  const of = (member: 'firstByte' | 'firstText', share: number) =>
    Math.round(
      percentile(
        timings.filter(timing => timing.complete).map(timing => timing[member]),
        share,
      ),
    );
  return {
    Complete: timings.filter(timing => timing.complete).length,
    'First byte, ms (p50)': of('firstByte', 0.5),
    '(p99)': of('firstByte', 0.99),
    'First text, ms (p50)': of('firstText', 0.5),
    '(p99) ': of('firstText', 0.99),
  };
}

/** The most that each part has used. */
function watchMemory(installation: Installation): { stop(): ByPart } {
  let peak = memoryByPart(installation);
  const timer = setInterval(() => {
    const now = memoryByPart(installation);
    for (const part of Object.keys(now) as (keyof ByPart)[])
      peak = { ...peak, [part]: Math.max(peak[part], now[part]) };
  }, WATCH_MS);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}
