import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from '../jobs/random/dice.ts';
import type { Installation } from './installation.ts';

type Asked = Pick<Installation, 'apis' | 'project' | 'adminKey' | 'assistantKey' | 'pool'>;

/** How a reader reads. `left`: it leaves early, at any instant of its request's life. */
const WAYS = { question: 2, 'question left': 2, 'events left': 4, 'wait left': 2, 'job read': 1 };

/** What became of the requests of readers: answered in full, refused, left, or failed. */
export type Reads = Record<'answered' | 'refused' | 'left' | 'failed', number>;

const ATTEMPT_MS = 20_000;

/** Readers who ask, follow jobs and leave, most of them at once, until `end`. */
export async function startReaders(
  asked: Asked,
  luck: Dice,
  { readers, end }: { readers: number; end: number },
): Promise<Reads> {
  const reads: Reads = { answered: 0, refused: 0, left: 0, failed: 0 };
  const jobs = followed(asked.pool, end);
  const reader = async () => {
    while (Date.now() < end) {
      reads[await readOnce(asked, luck, jobs)] += 1;
      await delay(luck.below(2_000));
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return reads;
}

async function readOnce(
  { apis, project, adminKey, assistantKey }: Asked,
  luck: Dice,
  jobs: readonly string[],
): Promise<keyof Reads> {
  const way = luck.pick(WAYS);
  const left = new AbortController();
  const patience = way.endsWith('left') ? [0, luck.below(50), luck.below(3_000)] : [ATTEMPT_MS];
  const timer = setTimeout(() => left.abort(), patience[luck.below(patience.length)]);
  const { url } = apis[luck.below(apis.length)]!;
  const { signal } = left;
  const job = `${url}/v2/agent/${project.id}/job/${jobs[luck.below(Math.max(1, jobs.length))]}`;
  const admin = { authorization: `Bearer ${adminKey}` };
  try {
    const response = way.startsWith('question')
      ? await fetch(`${url}/discovery/v2/assistant/${project.domain}/message`, {
          ...{ method: 'POST', signal, body: QUESTION },
          headers: { authorization: `Bearer ${assistantKey}`, 'content-type': 'application/json' },
        })
      : await fetch(way === 'events left' ? `${job}/events` : job, {
          ...{ signal, headers: { ...admin, ...(way === 'wait left' && { prefer: 'wait=30' }) } },
        });
    await response.text();
    return response.ok ? 'answered' : 'refused';
  } catch {
    return signal.aborted && way.endsWith('left') ? 'left' : 'failed';
  } finally {
    clearTimeout(timer);
  }
}

/** Of the second generation of the API. */
export const QUESTION = JSON.stringify({
  fp: 'anonymous',
  messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'What does the log say?' }] }],
});

/** The newest jobs, looked up now and then; the list is changed in place. */
function followed(pool: Asked['pool'], end: number): readonly string[] {
  const jobs: string[] = [];
  const look = async () => {
    while (Date.now() < end) {
      const { rows } = await pool
        .query<{ id: string }>('select id from jobs order by created_at desc limit 10')
        .catch(() => ({ rows: [] })); // a power cut
      jobs.splice(0, jobs.length, ...rows.map(({ id }) => id));
      await delay(2_000);
    }
  };
  void look();
  return jobs;
}
