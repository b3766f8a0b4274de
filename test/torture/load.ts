import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Dice } from '../jobs/random/dice.ts';
import { instruction } from './model.ts';
import type { OnGitHub } from './on-github.ts';
import type { Person } from './person.ts';

/** An instruction that was asked for. `acknowledged` null: its sender never got an answer. */
export interface Operation {
  marker: string;
  kind: 'create' | 'message' | 'signal' | 'comment' | 'commit';
  jobId: string | null;
  invoked: number;
  acknowledged: number | null;
}

/** What the load is put on. */
export interface Target {
  apis: readonly { url: string }[];
  project: { id: string };
  adminKey: string;
  temporalAddress: string;
  /** Where people say something about a job's pull request. */
  onGitHub?: Pick<OnGitHub, 'comment'> | undefined;
  /** Null before there is one. */
  branchOf?(jobId: string): Promise<string | null>;
  person?: Person;
}

const ATTEMPT_MS = 15_000;
const MAX_FOLLOW_UPS = 5;
const REPAIR_MS = 3 * 60_000;

/** Makes jobs and follow-ups until `end`; every doubt is repeated with the same key. */
export class Load {
  readonly operations: Operation[] = [];
  readonly #target: Target;
  readonly #dice: Dice;
  #count = 0;

  constructor(target: Target, dice: Dice) {
    this.#target = target;
    this.#dice = dice;
  }

  async run(writers: number, end: number): Promise<void> {
    const connection = Connection.lazy({ address: this.#target.temporalAddress });
    const temporal = new Client({ connection });
    await Promise.all(Array.from({ length: writers }, () => this.#write(temporal, end)));
    await connection.close();
  }

  async #write(temporal: Client, end: number): Promise<void> {
    while (Date.now() < end) {
      const jobId = await this.#create(end);
      if (jobId === null) continue;
      for (let left = this.#dice.below(MAX_FOLLOW_UPS); left > 0 && Date.now() < end; left--) {
        // At once, while the turn runs, or when it may be over.
        await delay([0, 0, 1_500, 1_500, 6_000][this.#dice.below(5)]);
        const way = this.#dice.below(8);
        if (this.#target.onGitHub && way > 4) await this.#comment(jobId);
        else if (this.#target.person && way === 7) await this.#commit(jobId);
        else if (way < 2) await this.#signal(temporal, jobId);
        else await this.#message(jobId, end);
      }
      await delay(this.#dice.below(2_000));
    }
  }

  /** One more follow-up for each of the jobs; more of them than can be active wait for each other. */
  async repair(jobIds: string[]): Promise<void> {
    const end = Date.now() + REPAIR_MS;
    for (const jobId of jobIds) await this.#message(jobId, end);
  }

  #begin(kind: Operation['kind'], jobId: string | null): Operation {
    const operation = {
      marker: `m${++this.#count}x`,
      ...{ kind, jobId, invoked: Date.now(), acknowledged: null },
    };
    this.operations.push(operation);
    return operation;
  }

  async #create(end: number): Promise<string | null> {
    const operation = this.#begin('create', null);
    const body = await this.#post('/job', instruction(operation.marker), end);
    if (body === null) return null;
    operation.jobId = (body as { id: string }).id;
    operation.acknowledged = Date.now();
    return operation.jobId;
  }

  async #message(jobId: string, end: number): Promise<void> {
    const operation = this.#begin('message', jobId);
    const body = await this.#post(`/job/${jobId}/message`, instruction(operation.marker), end);
    if (body !== null) operation.acknowledged = Date.now();
  }

  /** As a script does it, past the API; its own id makes a repeat harmless. */
  async #signal(temporal: Client, jobId: string): Promise<void> {
    const operation = this.#begin('signal', jobId);
    const { marker } = operation;
    for (let attempt = 0; attempt < 10; attempt++) {
      try {
        await temporal.withDeadline(Date.now() + 5_000, () =>
          temporal.workflow
            .getHandle(jobId)
            .signal('message', { prompt: instruction(marker), messageId: marker }),
        );
        operation.acknowledged = Date.now();
        return;
      } catch {
        await delay(1_000);
      }
    }
  }

  /** On the job's pull request, once there is one. */
  async #comment(jobId: string): Promise<void> {
    const operation = this.#begin('comment', jobId);
    const urls = this.#target.apis.map(({ url }) => url);
    const taken = await this.#target.onGitHub
      ?.comment(urls, jobId, instruction(operation.marker))
      .catch(() => false);
    if (taken) operation.acknowledged = Date.now();
  }

  /** By a person, while the job works or rests. */
  async #commit(jobId: string): Promise<void> {
    const branch = await this.#target.branchOf?.(jobId).catch(() => null); // a power cut
    if (typeof branch !== 'string') return;
    const operation = this.#begin('commit', jobId);
    if (await this.#target.person?.commit(branch, operation.marker))
      operation.acknowledged = Date.now();
  }

  /** The body of a 2xx; null if it was refused, or if the time was up before there was an answer. */
  async #post(path: string, prompt: string, end: number): Promise<unknown> {
    const key = randomUUID();
    const { apis, project, adminKey } = this.#target;
    // After the end a doubt is still settled: it must not stay one.
    while (Date.now() < end + 60_000) {
      const api = apis[this.#dice.below(apis.length)]!;
      try {
        const response = await fetch(`${api.url}/v2/agent/${project.id}${path}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${adminKey}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
          body: JSON.stringify({ prompt }),
          signal: AbortSignal.timeout(ATTEMPT_MS),
        });
        const body: unknown = await response.json();
        if (response.ok) return body;
        // 429: over a limit; 409: the first one is under way, or the job is archived.
        if (response.status === 429 && Date.now() >= end) return null;
        if (![409, 429, 500, 503].includes(response.status)) return null;
      } catch {
        // No answer, or half of one: the same again.
      }
      await delay(300 + this.#dice.below(1_500));
    }
    return null;
  }
}
