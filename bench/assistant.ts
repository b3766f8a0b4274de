import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../cli/embedded/ports.ts';
import { startPostgres } from '../cli/embedded/postgres.ts';
import { ask, begin, type Target, type Timing } from './assistant/read-stream.ts';
import { prepare, type Servers, withServers } from './assistant/servers.ts';

/**
 * What the assistant adds to the time of a model call, alone and among others, how soon it ends the
 * call of a reader who leaves, and what 2,000 streams at once cost. Model, API and this client are
 * processes of their own on this machine; the model's speed is fixed.
 */
export async function run(): Promise<Record<string, unknown>> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-bench-'));
  await chmod(folder, 0o711); // root runs Postgres as another user
  const postgres = await startPostgres({
    folder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    host: '127.0.0.1',
    port: await freePort('127.0.0.1'),
    durable: true,
  });
  try {
    const key = await prepare(postgres.url);
    const one = await withServers(
      postgres.url,
      key,
      { wait: 100, every: 20, words: 50 },
      async servers => ({ added: await oneByOne(servers), left: await leaving(servers) }),
    );
    const many = await withServers(
      postgres.url,
      key,
      { wait: 100, every: 50, words: 400 },
      servers => among(servers, 200),
    );
    const crowd = await withServers(
      postgres.url,
      key,
      { wait: 1_000, every: 1_000, words: 45 },
      servers => atOnce(servers, 2_000),
    );
    const assistant = {
      one: one.added,
      among200: many,
      streams2000: crowd,
      modelCallEndedAfterReaderLeft: one.left,
    };
    console.table(assistant);
    return { assistant };
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * One stream at a time: what the same model call takes alone, and through the assistant, by turns.
 */
async function oneByOne({ model, assistant }: Servers) {
  const alone: Timing[] = [];
  const through: Timing[] = [];
  for (let i = 0; i < 60; i++) {
    alone.push(await begin(model));
    through.push(await begin(assistant));
  }
  return added(alone, through, 0.5);
}

/**
 * Readers who leave, one at a time: milliseconds until the model's connection closes, and how many
 * times what its own caller's leaving takes.
 */
async function leaving({ modelProcess, model, assistant }: Servers) {
  let hear = (_at: number) => {};
  modelProcess.on('message', at => hear(at as number));
  await sleep(1_000); // those who left before are heard of
  const heardAfter = async (target: Target) => {
    const heard = new Promise<number>(resolve => {
      hear = resolve;
    });
    await begin(target);
    const left = performance.timeOrigin + performance.now();
    return (await heard) - left;
  };
  const alone: number[] = [];
  const through: number[] = [];
  for (let i = 0; i < 60; i++) {
    alone.push(await heardAfter(model));
    through.push(await heardAfter(assistant));
  }
  const p95 = quantile(through, 0.95);
  return {
    quantile: 0.95,
    streams: through.length,
    endedMs: round(p95),
    timesItsOwnCaller: round(p95 / quantile(alone, 0.95)),
  };
}

/** Ten new streams a second among `open` others. */
async function among({ model, assistant }: Servers, open: number) {
  const alone: Timing[] = [];
  for (let i = 0; i < 20; i++) alone.push(await begin(model));
  const others = Array.from({ length: open }, () => ask(assistant));
  await sleep(3_000);
  const through: Promise<Timing>[] = [];
  for (let i = 0; i < 100; i++) {
    through.push(begin(assistant));
    await sleep(100);
  }
  const timings = await Promise.all(through);
  await Promise.all(others);
  return added(alone, timings, 0.95);
}

/**
 * Milliseconds that the assistant adds at a quantile of its own over the median of the call alone.
 */
function added(alone: Timing[], through: Timing[], q: number) {
  const over = (member: 'firstByte' | 'firstText') =>
    round(
      quantile(
        through.map(timing => timing[member]),
        q,
      ) -
        quantile(
          alone.map(timing => timing[member]),
          0.5,
        ),
    );
  return {
    quantile: q,
    streams: through.length,
    firstByteMs: round(
      quantile(
        through.map(timing => timing.firstByte),
        q,
      ),
    ),
    addedToFirstTextMs: over('firstText'),
  };
}

/** So many streams at once: how many end as they should, and what the process grows by. */
async function atOnce({ api, assistant }: Servers, streams: number) {
  const before = await memory(api);
  let peak = before;
  const watch = setInterval(
    () =>
      void memory(api).then(now => {
        peak = Math.max(peak, now);
      }),
    250,
  );
  const started = performance.now();
  const timings = await Promise.all(
    Array.from({ length: streams }, async (_, i) => {
      // They arrive within 30 seconds and stay for 45: all are open together in between.
      await sleep(i * 15);
      return ask(assistant).catch((error: Error): Timing => {
        console.error(error.message);
        return { firstByte: NaN, firstText: NaN, complete: false };
      });
    }),
  );
  const seconds = round((performance.now() - started) / 1000);
  clearInterval(watch);
  return {
    streams,
    complete: timings.filter(timing => timing.complete).length,
    firstByteMs: round(
      quantile(
        timings.map(timing => timing.firstByte),
        0.95,
      ),
    ),
    seconds,
    grownMb: round((peak - before) / 1e6),
    rssMb: round(peak / 1e6),
  };
}

async function memory(child: ChildProcess): Promise<number> {
  child.send('memory');
  const [rss] = (await once(child, 'message')) as [number];
  return rss;
}

function quantile(values: number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
