import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Dice } from '../jobs/random/dice.ts';
import { BUDGET_USD, DEAR, instruction } from './model.ts';
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
  /** Some jobs wait for a person: for approval of their plan, or for a larger budget. */
  waits?: boolean;
}

const ENOUGH_USD = 1_000;
/** How a job is made, and how often. */
const KINDS = { plain: 5, planned: 2, dear: 1 };
type Kind = keyof typeof KINDS;
const OF_KIND: Record<Kind, object> = {
  plain: {},
  planned: { requirePlanApproval: true },
  dear: { budget: BUDGET_USD },
};
interface Conversation {
  waiting: { for: 'approval' | 'answer' | 'budget'; turn: number } | null;
}

const ATTEMPT_MS = 15_000;
const MAX_FOLLOW_UPS = 5;
/** A job can wait for its plan and then for its budget. */
const MAX_ROUNDS = 3;
const REPAIR_MS = 3 * 60_000;

/** Makes jobs and follow-ups until `end`; every doubt is repeated with the same key. */
export class Load {
  readonly operations: Operation[] = [];
  readonly #planned: string[] = [];
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
      const kind = this.#target.waits ? this.#dice.pick(KINDS) : 'plain';
      const jobId = await this.#create(kind, end);
      if (jobId === null) continue;
      if (kind === 'planned') this.#planned.push(jobId);
      for (let left = this.#dice.below(MAX_FOLLOW_UPS); left > 0 && Date.now() < end; left--) {
        // At once, while the turn runs, or when it may be over.
        await delay([0, 0, 1_500, 1_500, 6_000][this.#dice.below(5)]);
        const way = this.#dice.below(8);
        if (kind !== 'plain' && way > 1 && way < 5) await this.#answer(temporal, jobId, end);
        else if (this.#target.onGitHub && way > 4) await this.#comment(jobId);
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

  /**
   * Once more for each job that was to have a plan, since a plan that was declined is carried out by
   * nobody; then what the jobs wait for, until none should wait any more.
   */
  async settle(waiting: () => Promise<string[]>): Promise<void> {
    await this.repair(this.#planned);
    for (let round = 0; round < MAX_ROUNDS; round++)
      for (const jobId of await waiting())
        await this.#answer(undefined, jobId, Date.now() + REPAIR_MS);
  }

  /** Two people at once answer what a job waits for: over HTTP, and past the API. */
  async #answer(temporal: Client | undefined, jobId: string, end: number): Promise<void> {
    const path = `/job/${jobId}`;
    const { waiting } =
      ((await this.#ask('GET', `${path}/messages`, undefined, end)) as Conversation | null) ?? {};
    if (!waiting) return;
    const { turn } = waiting;
    const isBudget = waiting.for === 'budget';
    const name = isBudget ? 'budget' : this.#dice.pick({ approve: 2, decline: 1 });
    await Promise.all([
      isBudget
        ? this.#ask('PATCH', path, { budget: ENOUGH_USD }, end)
        : this.#ask('POST', `${path}/approve?turn=${turn}`, undefined, end),
      temporal && this.#tell(temporal, jobId, name, isBudget ? { usd: ENOUGH_USD } : { turn }),
    ]);
  }

  /** As a script does it, past the API: by a signal, or by an update. True if it was taken. */
  async #tell(temporal: Client, jobId: string, name: string, input: object): Promise<boolean> {
    const job = temporal.workflow.getHandle(jobId);
    const send = this.#dice.below(2)
      ? () => job.signal(name, input)
      : () => job.executeUpdate(name, { args: [input] } as never);
    return temporal.withDeadline(Date.now() + 5_000, send).then(
      () => true,
      () => false,
    );
  }

  #begin(kind: Operation['kind'], jobId: string | null): Operation {
    const operation = {
      marker: `m${++this.#count}x`,
      ...{ kind, jobId, invoked: Date.now(), acknowledged: null },
    };
    this.operations.push(operation);
    return operation;
  }

  async #create(kind: Kind, end: number): Promise<string | null> {
    const operation = this.#begin('create', null);
    const asked = instruction(operation.marker);
    const prompt = kind === 'dear' ? `${asked}, ${DEAR}` : asked;
    const body = await this.#ask('POST', '/job', { prompt, ...OF_KIND[kind] }, end);
    if (body === null) return null;
    operation.jobId = (body as { id: string }).id;
    operation.acknowledged = Date.now();
    return operation.jobId;
  }

  async #message(jobId: string, end: number): Promise<void> {
    const operation = this.#begin('message', jobId);
    const prompt = instruction(operation.marker);
    const body = await this.#ask('POST', `/job/${jobId}/message`, { prompt }, end);
    if (body !== null) operation.acknowledged = Date.now();
  }

  /** Its own id makes a repeat harmless. */
  async #signal(temporal: Client, jobId: string): Promise<void> {
    const operation = this.#begin('signal', jobId);
    const { marker } = operation;
    const input = { prompt: instruction(marker), messageId: marker };
    for (let attempt = 0; attempt < 10; attempt++) {
      if (await this.#tell(temporal, jobId, 'message', input)) {
        operation.acknowledged = Date.now();
        return;
      }
      await delay(1_000);
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
  async #ask(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    asked: object | undefined,
    end: number,
  ): Promise<unknown> {
    const key = randomUUID();
    const { apis, project, adminKey } = this.#target;
    // After the end a doubt is still settled: it must not stay one.
    while (Date.now() < end + 60_000) {
      const api = apis[this.#dice.below(apis.length)]!;
      try {
        const response = await fetch(`${api.url}/v2/agent/${project.id}${path}`, {
          method,
          headers: {
            authorization: `Bearer ${adminKey}`,
            ...(asked && { 'content-type': 'application/json' }),
            ...(method === 'POST' && { 'idempotency-key': key }),
          },
          ...(asked && { body: JSON.stringify(asked) }),
          signal: AbortSignal.timeout(ATTEMPT_MS),
        });
        const body: unknown = await response.json();
        if (response.ok) return body;
        // 429: over a limit; 409: the first one is under way, or it is too late.
        if (response.status === 409 && !response.headers.has('retry-after')) return null;
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
