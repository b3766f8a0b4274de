import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

export interface Site {
  /** Of the proxy. */
  url: string;
  projectId: string;
  domain: string;
  adminKey: string;
  assistantKey: string;
}

/** What was asked, how often, and what went wrong. */
export class RollingLoad {
  readonly asked: Record<string, number> = {};
  readonly failures: string[] = [];
  /** Event streams that ended before their job did, and were opened again. */
  cutStreams = 0;
  readonly #site: Site;
  #ended = false;

  constructor(site: Site) {
    this.#site = site;
  }

  /** Everything that people and programs do, until `stop`. */
  start(): Promise<void> {
    const jobs = Array.from({ length: 2 }, () => this.#repeat('job', 500, () => this.#job()));
    return Promise.all([
      ...jobs,
      this.#repeat('list', 100, async () => void (await this.#agent('GET', 'jobs'))),
      this.#repeat('question', 400, () => this.#question()),
      this.#repeat('dashboard', 250, () => this.#page('/dashboard/')),
      this.#repeat('dashboard data', 250, () => this.#page('/api/dashboard/setup')),
    ]).then(() => undefined);
  }

  stop(): void {
    this.#ended = true;
  }

  async #repeat(what: string, everyMs: number, work: () => Promise<void>): Promise<void> {
    while (!this.#ended) {
      await work().then(
        () => {
          this.asked[what] = (this.asked[what] ?? 0) + 1;
        },
        (error: Error & { cause?: { code?: string } }) => {
          this.failures.push(`${what}: ${error.message} ${error.cause?.code ?? ''}`.trim());
        },
      );
      await delay(everyMs);
    }
  }

  /** A job with a follow-up, its events read from the first to the last. */
  async #job(): Promise<void> {
    const { id } = await this.#agent('POST', 'job', { prompt: 'Say hello.' });
    const events = this.#events(id);
    await this.#agent('POST', `job/${id}/message`, { prompt: 'Say it again.' });
    for (;;) {
      const { status } = await this.#agent('GET', `job/${id}`);
      if (status === 'failed') throw new Error(`job ${id} failed`);
      if (status === 'completed') break;
    }
    await events;
  }

  async #agent(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ id: string; status: string }> {
    const answer = await fetch(`${this.#site.url}/v2/agent/${this.#site.projectId}/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#site.adminKey}`,
        prefer: 'wait=10',
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok)
      throw new Error(`${method} ${path.split('/').at(-1)}: ${answer.status} ${text}`);
    return JSON.parse(text) as { id: string; status: string };
  }

  /** As a browser reads: from the last number on, when the stream ends before the job does. */
  async #events(id: string): Promise<void> {
    let last = 0;
    for (;;) {
      const answer = await fetch(
        `${this.#site.url}/v2/agent/${this.#site.projectId}/job/${id}/events`,
        {
          headers: {
            authorization: `Bearer ${this.#site.adminKey}`,
            ...(last > 0 && { 'last-event-id': String(last) }),
          },
        },
      );
      if (answer.status === 204) return;
      if (!answer.ok) throw new Error(`events: ${answer.status} ${await answer.text()}`);
      const text = await answer.text().catch(() => '');
      const numbers = [...text.matchAll(/^id: (\d+)$/gm)].map(([, n]) => Number(n));
      for (const n of numbers) {
        if (n !== last + 1) throw new Error(`events: ${n} came after ${last}`);
        last = n;
      }
      if (text.includes('"type":"finish"')) return;
      this.cutStreams++;
      await delay(200);
    }
  }

  async #question(): Promise<void> {
    const { url, domain, assistantKey } = this.#site;
    const answer = await fetch(`${url}/discovery/v2/assistant/${domain}/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${assistantKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        fp: 'anonymous',
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'What does it say?' }] }],
      }),
    });
    const text = await answer.text();
    if (!answer.ok || !text.includes('[DONE]'))
      throw new Error(`question: ${answer.status} ${text.slice(-200)}`);
  }

  async #page(path: string): Promise<void> {
    const answer = await fetch(`${this.#site.url}${path}`);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  }
}
