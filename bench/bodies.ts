import { once } from 'node:events';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createKey } from '../db/projects/keys.ts';
import { HOSTILE_BODIES } from '../test/api/hostile-bodies.ts';
import { startJobStack } from '../test/support/job-stack.ts';
import { startServices } from '../test/support/start-services.ts';
import { longestTurn } from './longest-turn.ts';

const GOAL_MS = 50;
const RUNS = 5;

interface Held {
  status: number;
  /** By the clock: other processes of the machine count. */
  heldMs: number;
  cpuMs: number;
}

/**
 * How long the API's event loop is held while it reads a body that it refuses, by the worst of
 * several runs; `accepted`: a conversation of 4 MiB that is answered.
 */
export async function run(): Promise<Record<string, unknown>> {
  const services = await startServices();
  const stack = await startJobStack({
    files: { 'docs/index.md': '# Welcome\n' },
    script: () => ({ text: 'Welcome.' }),
    env: { TRUSTED_PROXIES: '127.0.0.1' },
    noWorker: true,
  });
  const { token } = await createKey(stack.pool, {
    organizationId: stack.project.organizationId,
    projectId: stack.project.id,
    kind: 'assistant',
    name: 'bench',
  });
  const url = `${stack.baseUrl}/discovery/v2/assistant/${stack.project.domain}/message`;
  const sender = new Worker(join(import.meta.dirname, 'bodies/sender.mjs'), {
    workerData: { url, key: token },
  });
  try {
    // Once before: compiled, and the first connection.
    for (const [, body] of HOSTILE_BODIES.slice(0, 3)) await heldBy(sender, body);
    const rows: Record<string, Held> = {};
    for (const [name, body] of [...HOSTILE_BODIES, ['accepted', conversation()] as const])
      rows[name] = await worstOf(sender, body);
    console.table(rows);
    const worst = Math.max(...Object.values(rows).map(({ cpuMs }) => cpuMs));
    console.log(`goal: no request blocks the event loop for more than ${GOAL_MS} ms: ${worst} ms`);
    return { bodies: { worstMs: worst, goalMs: GOAL_MS } };
  } finally {
    await sender.terminate();
    await stack.close();
    await services.stop();
  }
}

async function worstOf(sender: Worker, body: string): Promise<Held> {
  let worst: Held = { status: 0, heldMs: 0, cpuMs: 0 };
  for (let i = 0; i < RUNS; i++) {
    const one = await heldBy(sender, body);
    if (one.cpuMs >= worst.cpuMs) worst = one;
  }
  return worst;
}

/** The longest turn of this process's event loop while a body is read. */
async function heldBy(sender: Worker, body: string): Promise<Held> {
  const status = once(sender, 'message');
  sender.postMessage({ body });
  await sleep(5); // the copy to the other thread is none of the API's work
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const turns = longestTurn();
  const [code] = (await status) as [number];
  const cpuMs = turns.stop();
  delay.disable();
  return { status: code, heldMs: Math.round(delay.max / 1e6), cpuMs };
}

/** As a chat hook sends it back: sources included, the question last. */
function conversation(): string {
  const part = (text: string) => [{ type: 'text', text }];
  const source = {
    type: 'source-url',
    sourceId: 's',
    url: 'https://a.example',
    title: 'é'.repeat(80),
  };
  const messages = Array.from({ length: 199 }, (_, i) => ({
    id: `m${i}`,
    role: i % 2 === 0 ? 'user' : 'assistant',
    parts: [...part('Wie geht das? €'.repeat(900)), ...Array.from({ length: 8 }, () => source)],
  }));
  messages.push({ id: 'last', role: 'user', parts: part('How do I begin?') });
  return JSON.stringify({ fp: 'anonymous', messages });
}
