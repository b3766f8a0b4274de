import { setTimeout as delay } from 'node:timers/promises';
import { dice } from '../jobs/random/dice.ts';
import { untilReady } from './calm.ts';
import { type Installation, type Link, PROGRAM, startInstallation } from './installation.ts';
import { answer, instruction } from './model.ts';
import type { NetworkFault } from './proxy.ts';

/** What one link does with one fault. Seconds are from the beginning of the fault. */
export interface Met {
  link: string;
  fault: string;
  /** The first answer to what was asked after the fault began. */
  'first answer': string;
  /** From then on everything that is asked succeeds, as fast as before. */
  'normal after, s': number | null;
}

const NAMES: Record<Link, string> = {
  postgres: 'API, Postgres',
  temporal: 'API, Temporal',
  'postgres of workers': 'worker, Postgres',
  'temporal of workers': 'worker, Temporal',
  model: 'worker, model',
  host: 'worker, host',
};
const FAULTS: Partial<Record<NetworkFault, string>> = {
  swallow: 'swallows what there is',
  'swallow new': 'swallows what there is, and what is new for 10 s',
  halve: 'halves answers for 10 s',
  delay: 'slows for 10 s',
};
const LASTS_MS = 10_000;
const PATIENCE_MS = 60_000;
const GIVEN_UP_MS = 4 * 60_000;
/** So many answers in a row are normal. */
const IN_A_ROW = 3;

/** Each link with each fault, on as many installations at once as there are groups of links. */
export async function tryLinks(say: (sentence: string) => void): Promise<Met[]> {
  const groups: Link[][] = [
    ['postgres', 'temporal'],
    ['postgres of workers'],
    ['temporal of workers'],
    ['model', 'host'],
  ];
  return (await Promise.all(groups.map(links => tryGroup(links, say)))).flat();
}

async function tryGroup(links: Link[], say: (sentence: string) => void): Promise<Met[]> {
  const luck = dice(1);
  const installation = await startInstallation({
    script: request => answer(request, luck, false),
    ...{ apis: 1, workers: 1, maxActive: 1_000, program: PROGRAM },
    ...{ onGitHub: false, smallDisks: false, isEncrypted: false },
  });
  const met: Met[] = [];
  try {
    await untilReady(installation);
    for (const link of links) {
      const ask = ASKS[link] ?? wholeJob;
      const usual = await usualMs(installation, ask);
      for (const fault of Object.keys(FAULTS) as NetworkFault[]) {
        const one = await meet(installation, link, fault, { ask, usual });
        met.push(one);
        say(Object.values(one).join(', '));
      }
    }
    return met;
  } finally {
    await installation.close();
  }
}

async function meet(
  installation: Installation,
  link: Link,
  fault: NetworkFault,
  { ask, usual }: { ask: Ask; usual: number },
): Promise<Met> {
  const began = Date.now();
  const seconds = () => Number(((Date.now() - began) / 1000).toFixed(1));
  const suffering = installation.proxies[link].suffer(fault, LASTS_MS);
  let first: string | undefined;
  let normal: number | null = null;
  for (let row = 0; row < IN_A_ROW && Date.now() < began + GIVEN_UP_MS; await delay(500)) {
    const [at, asked] = [seconds(), Date.now()];
    const status = await ask(installation);
    first ??= `${status} after ${seconds()} s`;
    const isNormal = status < 300 && Date.now() - asked < 2 * usual + 500;
    if (isNormal && row === 0) normal = at;
    row = isNormal ? row + 1 : 0;
    if (row === 0) normal = null;
  }
  await suffering;
  return {
    link: NAMES[link],
    fault: FAULTS[fault]!,
    'first answer': first!,
    'normal after, s': normal,
  };
}

async function usualMs(installation: Installation, ask: Ask): Promise<number> {
  const took: number[] = [];
  for (let i = 0; i < IN_A_ROW; i++) {
    const began = Date.now();
    const status = await ask(installation);
    if (status >= 300) throw new Error(`${status} without a fault`);
    took.push(Date.now() - began);
  }
  return Math.max(...took);
}

/** Asks for something, and returns the status of the answer; 0: none in a minute. */
type Ask = (at: Installation) => Promise<number>;

async function call(
  { apis, project, adminKey }: Installation,
  path: string,
  body?: object,
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(`${apis[0]!.url}/v2/agent/${project.id}${path}`, {
      headers: {
        authorization: `Bearer ${adminKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return { status: 0, body: undefined };
  }
}

const read: Ask = async at => (await call(at, '/jobs?limit=1')).status;
let count = 0;
const make = (at: Installation) => call(at, '/job', { prompt: instruction(`m${++count}x`) });
const create: Ask = async at => (await make(at)).status;

/** From prompt to pull request: 200, or 500 if it failed. */
async function wholeJob(at: Installation): Promise<number> {
  const made = await make(at);
  if (made.status >= 300) return made.status;
  const { id } = made.body as { id: string };
  for (;;) {
    const { status, body } = await call(at, `/job/${id}`);
    if (status >= 300) return status;
    const job = body as { status: string };
    if (job.status === 'completed') return 200;
    if (job.status === 'failed') return 500;
    await delay(100);
  }
}

const ASKS: Partial<Record<Link, Ask>> = { postgres: read, temporal: create };
