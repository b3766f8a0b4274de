import { Agent, get } from 'node:http';
import { ask, type Target } from '../assistant/read-stream.ts';
import { percentile } from '../jobs/activity-times.ts';

const HEALTH_EVERY_MS = 25;
const ASK_EVERY_MS = 250;

export interface Probed {
  requests: number;
  p50: number;
  p99: number;
}

/**
 * Asks `/healthz` every 25 ms and the assistant every 250 ms, whether or not the answers come, until
 * `work` is done: milliseconds to the answer, and to its first byte.
 */
export async function probe(
  baseUrl: string,
  assistant: Target | undefined,
  work: () => Promise<unknown>,
): Promise<{ healthz: Probed; firstByte: Probed }> {
  const agent = new Agent({ keepAlive: true });
  const health: Promise<number>[] = [];
  const answers: Promise<number>[] = [];
  const timers = [
    setInterval(() => health.push(healthz(baseUrl, agent)), HEALTH_EVERY_MS),
    ...(assistant ? [setInterval(() => answers.push(firstByte(assistant)), ASK_EVERY_MS)] : []),
  ];
  try {
    await work();
  } finally {
    for (const timer of timers) clearInterval(timer);
  }
  const result = {
    healthz: summary(await Promise.all(health)),
    firstByte: summary(await Promise.all(answers)),
  };
  agent.destroy();
  return result;
}

function healthz(baseUrl: string, agent: Agent): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    get(`${baseUrl}/healthz`, { agent }, response => {
      response.resume().on('end', () => resolve(performance.now() - started));
    }).on('error', reject);
  });
}

async function firstByte(assistant: Target): Promise<number> {
  const timing = await ask(assistant);
  if (!timing.complete) throw new Error('An answer was not complete.');
  return timing.firstByte;
}

function summary(times: number[]): Probed {
  return {
    requests: times.length,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}
