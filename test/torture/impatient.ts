import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createKey } from '../../db/projects/keys.ts';
import { dice, type Dice } from '../jobs/random/dice.ts';
import { untilIdle, untilReady } from './calm.ts';
import { type Installation, PROGRAM, startInstallation } from './installation.ts';
import { openGauges } from './measure.ts';
import { answer, instruction } from './model.ts';
import { QUESTION } from './readers.ts';

/** What the others got meanwhile, by what they asked for. */
export type Served = Record<
  string,
  { requests: number; refused: number; 'p50, ms': number; 'p99, ms': number }
>;

export interface Impatience {
  clients: number;
  seconds: number;
  served: Record<'before' | 'meanwhile' | 'after', Served>;
  violations: string[];
}

const AT_ONCE = 100;
const MOST_PATIENCE_MS = 50;
const ALONE_MS = 20_000;
const LOOK_MS = 20_000;
/** What the impatient ask for; each is a stream or a wait. Few make jobs, which cost more than the rest. */
const STREAMS = { events: 40, wait: 40, message: 40, 'message of v1': 40, 'job of v1': 1 };

/** So many clients who leave after 0 to 50 ms, on every streaming route, while others work. */
export async function impatience(
  clients: number,
  seed: number,
  say: (sentence: string) => void,
): Promise<Impatience> {
  const luck = dice(seed);
  const installation = await startInstallation({
    script: request => answer(request, luck, false),
    ...{ apis: 1, workers: 1, maxActive: 1_000, program: PROGRAM },
    ...{ onGitHub: false, smallDisks: false, isEncrypted: false },
  });
  try {
    await untilReady(installation);
    const jobId = await makeJob(installation);
    const others = await withKeysOfTheirOwn(installation);
    const before = await serve(others, jobId, delay(ALONE_MS));
    say('they come');
    const began = Date.now();
    const all = crowd(installation, luck, jobId, clients);
    const meanwhile = await serve(others, jobId, all);
    const seconds = Math.round((Date.now() - began) / 1000);
    say('all have left');
    const after = await serve(others, jobId, delay(ALONE_MS));
    await untilIdle(installation);
    await delay(LOOK_MS);
    const violations = await openGauges(installation.apis);
    for (const [moment, served] of Object.entries({ before, meanwhile, after }))
      for (const [what, { refused }] of Object.entries(served))
        if (refused > 0) violations.push(`${moment}, ${refused} of ${what} were not served`);
    return { clients, seconds, served: { before, meanwhile, after }, violations };
  } finally {
    await installation.close();
  }
}

/** Who asks too much is refused by key: the others have theirs. */
async function withKeysOfTheirOwn(installation: Installation): Promise<Installation> {
  const { pool, project } = installation;
  const own = { organizationId: project.organizationId, name: 'others' };
  const admin = await createKey(pool, { ...own, kind: 'admin' });
  const assistant = await createKey(pool, {
    ...{ ...own, kind: 'assistant', projectId: project.id, monthlyLimit: 1_000_000 },
  });
  return { ...installation, adminKey: admin.token, assistantKey: assistant.token };
}

async function makeJob({ apis, project, adminKey }: Installation): Promise<string> {
  const response = await fetch(`${apis[0]!.url}/v2/agent/${project.id}/job`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: instruction('m1x') }),
  });
  return ((await response.json()) as { id: string }).id;
}

async function crowd(
  { apis, project, adminKey, assistantKey }: Installation,
  luck: Dice,
  jobId: string,
  clients: number,
): Promise<void> {
  const { hostname, port } = new URL(apis[0]!.url);
  const text = (line: string, key: string, more = '', body = '') =>
    `${line} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${key}\r\n${more}` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const job = `GET /v2/agent/${project.id}/job/${jobId}`;
  const message = (version: string) => `POST /discovery/${version}/assistant/acme/message`;
  const prompt = JSON.stringify({ messages: [{ role: 'user', content: 'Say m1x' }] });
  const requests: Record<keyof typeof STREAMS, string> = {
    events: text(`${job}/events`, adminKey),
    wait: text(job, adminKey, 'Prefer: wait=60\r\n'),
    message: text(message('v2'), assistantKey, '', QUESTION),
    'message of v1': text(message('v1'), assistantKey, '', QUESTION_V1),
    'job of v1': text(`POST /v1/agent/${project.id}/job`, adminKey, '', prompt),
  };
  let left = clients;
  const one = () =>
    new Promise<void>(done => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(requests[luck.pick(STREAMS)]);
        setTimeout(() => socket.destroy(), luck.below(MOST_PATIENCE_MS));
      });
      socket.on('error', () => undefined).on('close', () => done());
      socket.resume();
    });
  const seat = async () => {
    while (left-- > 0) await one();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, seat));
}

const QUESTION_V1 = JSON.stringify({
  fp: 'anonymous',
  messages: [{ id: 'u1', role: 'user', content: 'What does the log say?' }],
});

/** What people get who stay, until the other is over. */
async function serve(at: Installation, jobId: string, until: Promise<unknown>): Promise<Served> {
  const { apis, project, adminKey, assistantKey } = at;
  const job = `${apis[0]!.url}/v2/agent/${project.id}/job/${jobId}`;
  const admin = { headers: { authorization: `Bearer ${adminKey}` } };
  const asks: Record<string, () => Promise<Response>> = {
    'reads of a job': () => fetch(job, admin),
    'events of a job': () => fetch(`${job}/events`, admin),
    questions: () =>
      fetch(`${apis[0]!.url}/discovery/v2/assistant/acme/message`, {
        ...{ method: 'POST', body: QUESTION },
        headers: { authorization: `Bearer ${assistantKey}`, 'content-type': 'application/json' },
      }),
  };
  const isOver = new AbortController();
  void until.finally(() => isOver.abort());
  const took: Record<string, number[]> = {};
  const refused: Record<string, number> = {};
  const reader = async (what: string) => {
    while (!isOver.signal.aborted) {
      const began = Date.now();
      const isServed = await asks[what]!().then(
        async response => (await response.text()) !== '' && response.ok,
        () => false,
      );
      if (isServed) (took[what] ??= []).push(Date.now() - began);
      else refused[what] = (refused[what] ?? 0) + 1;
      await delay(50);
    }
  };
  await Promise.all(Object.keys(asks).flatMap(what => [reader(what), reader(what)]));
  return Object.fromEntries(
    Object.keys(asks).map(what => {
      const sorted = (took[what] ?? []).sort((a, b) => a - b);
      const quantile = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? NaN;
      return [
        what,
        {
          requests: sorted.length,
          refused: refused[what] ?? 0,
          ...{ 'p50, ms': quantile(0.5), 'p99, ms': quantile(0.99) },
        },
      ];
    }),
  );
}
