import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../cli/embedded/ports.ts';
import { startPostgres } from '../cli/embedded/postgres.ts';
import { createKey } from '../shared/db/projects/keys.ts';
import { migrate } from '../shared/db/migrate.ts';
import { createOrganization } from '../shared/db/people/organizations.ts';
import { openPool } from '../shared/db/pool.ts';
import { createProject } from '../shared/db/projects/projects.ts';
import { indexPages } from '../shared/search/build-index.ts';
import { sampleDocs } from '../test/assistant/sample-docs.ts';
import { memorySnapshot } from '../test/support/memory-snapshot.ts';

const QUESTION = 'How do I archive a job?';
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

/**
 * Milliseconds from the request to the first byte of the body and to the first text; whether the
 * stream was read to its proper end.
 */
interface Timing {
  firstByte: number;
  firstText: number;
  complete: boolean;
}

interface Target {
  url: string;
  headers: Record<string, string>;
  body: string;
  end: string;
}

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

interface Servers {
  api: ChildProcess;
  modelProcess: ChildProcess;
  model: Target;
  assistant: Target;
}

async function withServers<T>(
  databaseUrl: string,
  key: string,
  speed: object,
  work: (servers: Servers) => Promise<T>,
): Promise<T> {
  const model = await startProcess('assistant/model.ts', speed);
  const api = await startProcess('../test/assistant/serve.ts', {
    DATABASE_URL: databaseUrl,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'bench',
    LOG_LEVEL: 'silent',
    ASSISTANT_MAX_STREAMS_PER_KEY: '3000',
    ASSISTANT_MAX_STREAMS: '3000',
  });
  try {
    const assistant: Target = {
      url: `${api.url}/discovery/v2/assistant/bench/message`,
      end: 'data: [DONE]\n\n',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        fp: 'anonymous',
        messages: [{ role: 'user', parts: [{ type: 'text', text: QUESTION }] }],
      }),
    };
    for (let i = 0; i < 10; i++) await begin(assistant); // compiled, connected, cached
    return await work({
      api: api.child,
      modelProcess: model.child,
      assistant,
      model: { url: model.url, headers: {}, body: '{}', end: '"message_stop"}\n\n' },
    });
  } finally {
    api.child.kill();
    model.child.kill();
  }
}

async function startProcess(
  script: string,
  argument: object,
): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(join(import.meta.dirname, script), [JSON.stringify(argument)], {
    execArgv: ['--import', 'tsx'],
  });
  const [url] = (await once(child, 'message')) as [string];
  return { child, url };
}

async function prepare(databaseUrl: string): Promise<string> {
  const pool = openPool({ connectionString: databaseUrl });
  await migrate(pool);
  const { id: organizationId } = await createOrganization(pool, { slug: 'bench', name: 'Bench' });
  const project = await createProject(pool, {
    organizationId,
    name: 'Bench',
    domain: 'bench',
    host: 'local',
    repository: 'bench',
    repositoryUrl: 'http://localhost/bench.git',
    baseRef: 'main',
    docsFolder: 'docs',
  });
  await indexPages(pool, project.id, {
    snapshot: memorySnapshot(sampleDocs()),
    docsFolder: 'docs',
  });
  const { token } = await createKey(pool, {
    organizationId,
    projectId: project.id,
    kind: 'assistant',
    name: 'bench',
  });
  await pool.end();
  return token;
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
      await sleep(i * 15); // they arrive within 30 seconds and stay for 45: all are open together in between
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

/** Reads a stream to its end. */
const ask = (target: Target) => stream(target, false);
/** Reads a stream to its first text, and leaves. */
const begin = (target: Target) => stream(target, true);

function stream(target: Target, leave: boolean): Promise<Timing> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    let firstByte = 0;
    let firstText = 0;
    let tail = '';
    const request = httpRequest(
      target.url,
      {
        method: 'POST',
        agent,
        headers: { ...target.headers, 'content-length': target.body.length },
      },
      response => {
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => {
            firstByte ||= performance.now() - started;
            if (!firstText && (chunk.includes('"text-delta"') || chunk.includes('"text_delta"')))
              firstText = performance.now() - started;
            tail = (tail + chunk).slice(-target.end.length);
            if (leave && firstText) {
              resolve({ firstByte, firstText, complete: false });
              request.destroy();
            }
          })
          .on('end', () =>
            resolve({
              firstByte,
              firstText,
              complete: response.statusCode === 200 && tail === target.end,
            }),
          )
          .on('error', reject);
      },
    );
    request.on('error', reject).end(target.body);
  });
}

function quantile(values: number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
