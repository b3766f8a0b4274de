import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { instruction } from './model.ts';

export interface Rates {
  jobsPerMinute: number;
  questionsPerMinute: number;
}

export interface Target {
  /** Of the proxy. */
  url: string;
  adminKey: string;
  assistantKey: string;
  projectId: string;
  domain: string;
  repository: string;
  /** Of the built-in host. */
  hostToken: string;
  pages: number;
}

interface JobAnswer {
  id: string;
  status: string;
  prLink: string | null;
}

/** Of twenty: the rest is merged. */
const CLOSED_OF_20 = 1;
const WAIT_MS = 120_000;
/** The smallest image there is; bytes at its end make it another one. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/**
 * Steady load, whatever the machine has time for: a job is begun when it is due. Each has a page of
 * its own while it runs. Half of the jobs get a follow-up, one in ten an image, one in four is
 * archived by hand; their pull requests are merged, or closed.
 */
export class Load {
  jobs = 0;
  merged = 0;
  questions = 0;
  readonly failures: string[] = [];
  readonly #target: Target;
  /** What each page says, and the pages that no job works on. */
  readonly #words: string[];
  readonly #free: number[];
  #made = 0;

  constructor(target: Target) {
    this.#target = target;
    this.#words = Array.from({ length: target.pages }, (_, i) => `widget${i}`);
    this.#free = this.#words.map((_, i) => i);
  }

  /** Until `end`; then waits for what was begun. */
  async run({ jobsPerMinute, questionsPerMinute }: Rates, end: number): Promise<void> {
    await Promise.all([
      this.#every(60_000 / jobsPerMinute, end, () => this.job()),
      this.#every(60_000 / questionsPerMinute, end, () => this.question()),
    ]);
  }

  async #every(ms: number, end: number, work: () => Promise<void>): Promise<void> {
    const running = new Set<Promise<void>>();
    for (let due = Date.now(); due < end; due += ms) {
      await delay(Math.max(0, due - Date.now()));
      const one = work().catch((error: unknown) => void this.failures.push(String(error)));
      running.add(one);
      void one.finally(() => running.delete(one));
    }
    await Promise.all(running);
  }

  /** From create to merge; with `merge` false it stays as it is. */
  async job({ merge = true, followUp = this.jobs % 2 === 0 } = {}): Promise<void> {
    const page = this.#free.shift();
    if (page === undefined) throw new Error('no page is free: jobs take longer than they come');
    const before = this.#words[page] ?? '';
    const n = this.jobs++;
    let isMerged = false;
    try {
      const uploads = n % 10 === 0 && merge ? [await this.#upload()] : [];
      const body = { prompt: this.#nextWord(page), ...(uploads.length > 0 && { uploads }) };
      const { id } = await this.#agent<JobAnswer>('POST', 'job', body);
      await this.#done(id);
      if (followUp) {
        await this.#agent('POST', `job/${id}/message`, { prompt: this.#nextWord(page) });
        await this.#done(id);
      }
      if (!merge) return;
      isMerged = n % 20 >= CLOSED_OF_20;
      await this.#end(id, isMerged ? 'merge' : 'close');
      if (isMerged) this.merged++;
      if (n % 4 === 0) await this.#agent('POST', `job/${id}/archive`);
    } finally {
      if (!isMerged) this.#words[page] = before;
      this.#free.push(page);
    }
  }

  async question(): Promise<void> {
    const n = this.questions++;
    const { url, assistantKey, domain } = this.#target;
    const text = `How do I set option${n % 997} of widget${n % 40} in place ${n}?`;
    const answer = await fetch(`${url}/discovery/v2/assistant/${domain}/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${assistantKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        fp: 'anonymous',
        messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
      }),
    });
    const stream = await answer.text();
    if (!answer.ok || !stream.includes('[DONE]'))
      throw new Error(`question: ${answer.status} ${stream.slice(-200)}`);
  }

  /** The instruction that gives the page its next word. */
  #nextWord(page: number): string {
    const from = this.#words[page] ?? '';
    const to = `gadget${page}x${this.#made++}`;
    this.#words[page] = to;
    return instruction(page, from, to);
  }

  async #upload(): Promise<string> {
    const data = Buffer.concat([Buffer.from(PIXEL, 'base64'), randomBytes(20_000)]);
    const body = { name: 'shot.png', data: data.toString('base64') };
    return (await this.#agent<{ id: string }>('POST', 'upload', body)).id;
  }

  async #done(id: string): Promise<JobAnswer> {
    for (const end = Date.now() + WAIT_MS; Date.now() < end;) {
      const job = await this.#agent<JobAnswer>('GET', `job/${id}`);
      if (job.status === 'active') continue;
      if (job.status === 'completed' && job.prLink) return job;
      throw new Error(`job ${id} ended as ${job.status}`);
    }
    throw new Error(`job ${id} is still active`);
  }

  async #end(id: string, how: 'merge' | 'close'): Promise<void> {
    const { url, hostToken, repository } = this.#target;
    const call = async (method: string, path: string) => {
      const headers = { authorization: `Bearer ${hostToken}` };
      const answer = await fetch(`${url}/git/${repository}/pulls${path}`, { method, headers });
      if (!answer.ok) throw new Error(`${how}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { number: number; url: string }[];
    };
    const { prLink } = await this.#agent<JobAnswer>('GET', `job/${id}`);
    const pull = (await call('GET', '')).find(each => each.url === prLink);
    if (!pull) throw new Error(`job ${id} has no pull request ${prLink}`);
    await call('POST', `/${pull.number}/${how}`);
  }

  async #agent<T>(method: string, path: string, body?: object): Promise<T> {
    const { url, projectId, adminKey } = this.#target;
    const answer = await fetch(`${url}/v2/agent/${projectId}/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminKey}`,
        prefer: 'wait=20',
        ...(body && { 'content-type': 'application/json' }),
        ...(method === 'POST' && { 'idempotency-key': randomBytes(12).toString('hex') }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}
