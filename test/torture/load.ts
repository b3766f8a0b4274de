import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Dice } from '../jobs/random/dice.ts';
import { type Callee, Caller } from './caller.ts';
import { BUDGET_USD, DEAR, instruction } from './model.ts';
import type { Act, Operation } from './operations.ts';
import type { OnGitHub } from './on-github.ts';
import type { Person } from './person.ts';

/** What the load is put on. */
export interface Target extends Callee {
  temporalAddress: string;
  /** Where people say something about a job's pull request. */
  onGitHub?: Pick<OnGitHub, 'comment'> | undefined;
  /** Null before there is one. */
  branchOf?(jobId: string): Promise<string | null>;
  /** The number of its open pull request on the built-in host. */
  pullOf?(jobId: string): Promise<number | null>;
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

const MAX_FOLLOW_UPS = 5;
const OVER_HTTP: readonly Operation['kind'][] = ['create', 'message', 'rewind'];
/** A job can wait for its plan and then for its budget. */
const MAX_ROUNDS = 3;
const REPAIR_MS = 3 * 60_000;

/** Makes jobs and follow-ups until `end`; every doubt is repeated with the same key. */
export class Load {
  readonly operations: Operation[] = [];
  /** That get one more follow-up before the end. */
  readonly #repaired: string[] = [];
  readonly #caller: Caller;
  readonly #target: Target;
  readonly #dice: Dice;
  #count = 0;

  constructor(target: Target, dice: Dice) {
    this.#target = target;
    this.#dice = dice;
    this.#caller = new Caller(target, dice);
  }

  get violations(): readonly string[] {
    return this.#caller.violations;
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
      if (kind === 'planned') this.#repaired.push(jobId);
      const isActedOn = kind === 'plain' && this.#target.pullOf !== undefined;
      if (isActedOn && this.#dice.below(5) === 0) await this.#rewind(jobId, end);
      for (let left = this.#dice.below(MAX_FOLLOW_UPS); left > 0 && Date.now() < end; left--) {
        // At once, while the turn runs, or when it may be over.
        await delay([0, 0, 1_500, 1_500, 6_000][this.#dice.below(5)]);
        const way = this.#dice.below(9);
        if (kind !== 'plain' && way > 1 && way < 5) await this.#answer(temporal, jobId, end);
        else if (this.#target.person && way === 7) await this.#commit(jobId);
        else if (isActedOn && way === 8) await this.#cancel(jobId, end);
        else if (this.#target.onGitHub && way > 4) await this.#comment(jobId);
        else if (way < 2) await this.#signal(temporal, jobId);
        else await this.#message(jobId, end);
      }
      if (isActedOn && this.#dice.below(4) === 0) await this.#end(jobId, end);
      await delay(this.#dice.below(2_000));
    }
  }

  /** One more follow-up for each of the jobs; more of them than can be active wait for each other. */
  async repair(jobIds: string[]): Promise<void> {
    const end = Date.now() + REPAIR_MS;
    for (const jobId of jobIds) await this.#message(jobId, end);
  }

  /**
   * Once more for each job that was to have a plan or was cancelled, since nobody carries out what was
   * declined; then what the jobs wait for, until none should wait any more.
   */
  async settle(waiting: () => Promise<string[]>): Promise<void> {
    await this.repair(this.#repaired);
    for (let round = 0; round < MAX_ROUNDS; round++)
      for (const jobId of await waiting())
        await this.#answer(undefined, jobId, Date.now() + REPAIR_MS);
  }

  /** Two people at once answer what a job waits for: over HTTP, and past the API. */
  async #answer(temporal: Client | undefined, jobId: string, end: number): Promise<void> {
    const path = `/job/${jobId}`;
    const { waiting } =
      ((await this.#ask('GET', `${path}/messages`, end)) as Conversation | null) ?? {};
    if (!waiting) return;
    const { turn } = waiting;
    const isBudget = waiting.for === 'budget';
    const name = isBudget ? 'budget' : this.#dice.pick({ approve: 2, decline: 1 });
    await Promise.all([
      isBudget
        ? this.#ask('PATCH', path, end, { budget: ENOUGH_USD })
        : this.#ask('POST', `${path}/approve?turn=${turn}`, end),
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
    const body = await this.#ask('POST', '/job', end, { prompt, ...OF_KIND[kind] });
    if (body == null) return null;
    operation.jobId = (body as { id: string }).id;
    operation.acknowledged = Date.now();
    return operation.jobId;
  }

  async #message(jobId: string, end: number): Promise<void> {
    const operation = this.#begin('message', jobId);
    const prompt = instruction(operation.marker);
    const body = await this.#ask('POST', `/job/${jobId}/message`, end, { prompt });
    if (body != null) operation.acknowledged = Date.now();
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

  /** What it asked for until then may be carried out or not; what is asked next is. */
  async #cancel(jobId: string, end: number): Promise<void> {
    this.#repaired.push(jobId);
    await this.#act('cancel', jobId, end);
  }

  /** The step of its only turn is made again: with the same result. */
  async #rewind(jobId: string, end: number): Promise<void> {
    if (await this.#rests(jobId, end)) await this.#act('rewind', jobId, end, { step: 1 });
  }

  /** Merged or archived at the end, if nothing of it may be on its way past the API. */
  async #end(jobId: string, end: number): Promise<void> {
    const asked = this.operations.filter(operation => operation.jobId === jobId);
    if (asked.some(({ kind }) => !OVER_HTTP.includes(kind))) return;
    if (!(await this.#rests(jobId, end))) return;
    const number = await this.#target.pullOf?.(jobId).catch(() => null); // a power cut
    if (number == null || this.#dice.below(2)) return this.#act('archive', jobId, end);
    const path = `/git/docs/pulls/${number}/merge`;
    this.#settle(
      this.#begin('merge', jobId),
      await this.#caller.askHost({ method: 'POST', path, end }),
    );
  }

  async #act(act: Act, jobId: string, end: number, body?: object): Promise<void> {
    const operation = this.#begin(act, jobId);
    this.#settle(operation, await this.#ask('POST', `/job/${jobId}/${act}`, end, body));
  }

  /** What was refused has not happened. */
  #settle(operation: Operation, answer: unknown): void {
    if (answer === null) this.operations.splice(this.operations.indexOf(operation), 1);
    else if (answer !== undefined) operation.acknowledged = Date.now();
  }

  /** Whether it has come to rest soon. */
  async #rests(jobId: string, end: number): Promise<boolean> {
    for (let attempt = 0; attempt < 10; attempt++) {
      const job = (await this.#ask('GET', `/job/${jobId}`, end)) as { status: string } | null;
      if (job?.status === 'completed') return true;
      await delay(1_000);
    }
    return false;
  }

  #ask(method: 'GET' | 'POST' | 'PATCH', path: string, end: number, body?: object) {
    return this.#caller.ask({ method, path, end, body });
  }
}
