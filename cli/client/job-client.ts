import { setTimeout as delay } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { FailureCode } from '../../shared/jobs/failures.ts';
import type { JobEvent } from '../../shared/jobs/job.ts';
import type { Result } from '../../shared/jobs/result.ts';
import type { WaitingFor } from '../../shared/jobs/waiting.ts';
import type { Effort } from '../../shared/models/thinking.ts';
import { CommandFailure } from '../output/failure.ts';
import { type Caller, callApi, callJson } from './http.ts';

/** A job in the API's format. */
export interface Job {
  id: string;
  status: 'active' | 'completed' | 'failed';
  source: { repository: string; ref: string | null };
  model: string;
  prLink: string | null;
  previewUrl?: string;
  waitingFor?: WaitingFor;
  createdAt: string;
  archivedAt: string | null;
}

/** A job in a list. */
export interface ListedJob extends Job {
  outcome: Result | null;
  failureCode: FailureCode | null;
}

/** Its end, and all that was said. */
interface Conversation {
  outcome: { result: Result; sentence: string; code?: FailureCode } | null;
  [member: string]: unknown;
}

export interface NewJob {
  prompt: string;
  branch?: string;
  asDraft?: boolean;
  model?: 'sonnet' | 'opus';
  effort?: Effort;
  budget?: number;
  requirePlanApproval?: boolean;
  /** Ids of uploaded images. */
  uploads?: string[];
}

/** The agent endpoints of one project, as the command line uses them. */
export class JobClient {
  readonly #caller: Caller;
  readonly #path: string;

  constructor(caller: Caller, projectId: string) {
    this.#caller = caller;
    this.#path = `/v2/agent/${encodeURIComponent(projectId)}`;
  }

  async create(job: NewJob, idempotencyKey?: string): Promise<Job> {
    return await this.#post('/job', job, idempotencyKey);
  }

  async message(id: string, prompt: string, uploads: string[] = []): Promise<Job> {
    return await this.#post(`${at(id)}/message`, {
      prompt,
      ...(uploads.length > 0 && { uploads }),
    });
  }

  /** The id of an image for an instruction. */
  async upload(name: string, bytes: Buffer): Promise<string> {
    const body = { name, data: bytes.toString('base64') };
    return (await this.#post<{ id: string }>('/upload', body)).id;
  }

  /** `turn`: of the plan; left out: whichever waits now. */
  async decide(id: string, verb: 'approve' | 'decline', { turn }: { turn?: number }): Promise<Job> {
    const query = new URLSearchParams({
      ...(turn !== undefined && { turn: String(turn) }),
    });
    return await this.#post(`${at(id)}/${verb}?${query.toString()}`);
  }

  async setBudget(id: string, budget: number): Promise<Job> {
    return await callJson(this.#caller, `${this.#path}${at(id)}`, {
      method: 'PATCH',
      body: { budget },
    });
  }

  async cancel(id: string): Promise<Job> {
    return await this.#post(`${at(id)}/cancel`);
  }

  /** Repeats a step and continues from there. */
  async rewind(id: string, step: number, turn?: number): Promise<Job> {
    return await this.#post(`${at(id)}/rewind`, { step, ...(turn !== undefined && { turn }) });
  }

  async archive(id: string): Promise<Job> {
    return await this.#post(`${at(id)}/archive`);
  }

  async get(id: string): Promise<Job> {
    return await callJson(this.#caller, `${this.#path}${at(id)}`);
  }

  async list(options: {
    status?: string;
    outcome?: string;
    limit: number;
  }): Promise<{ jobs: ListedJob[]; nextCursor: string | null }> {
    const query = new URLSearchParams({
      limit: String(options.limit),
      ...(options.status && { status: options.status }),
      ...(options.outcome && { outcome: options.outcome }),
    });
    return await callJson(this.#caller, `${this.#path}/jobs?${query.toString()}`);
  }

  async messages(id: string): Promise<Conversation> {
    return await callJson(this.#caller, `${this.#path}${at(id)}/messages`);
  }

  async diff(id: string): Promise<string> {
    const path = `${this.#path}${at(id)}/diff`;
    return await (await callApi(this.#caller, path, { accept: 'text/x-diff' })).text();
  }

  /** Waits on the server until the job is idle, without polling. */
  async rest(id: string): Promise<Job> {
    for (;;) {
      const job = await callJson<Job>(this.#caller, `${this.#path}${at(id)}`, {
        headers: { prefer: 'wait=60' },
      });
      if (job.status !== 'active') return job;
    }
  }

  /** The job's events after number `from` until it is idle; resumes after a lost connection. */
  async *events(id: string, from = 0): AsyncGenerator<{ seq: number; event: JobEvent }> {
    let last = from;
    for (let failures = 0; failures < 5; failures++) {
      const response = await callApi(this.#caller, `${this.#path}${at(id)}/events`, {
        accept: 'text/event-stream',
        headers: { 'last-event-id': String(last) },
      });
      try {
        for await (const { seq, event } of readEvents(response)) {
          last = seq;
          failures = 0;
          yield { seq, event };
        }
        return;
      } catch {
        await delay(500 * (failures + 1));
      }
    }
    throw new CommandFailure(
      `Lost the connection to the progress of ${id}. Run "docent job get ${id}" to see the job.`,
    );
  }

  async #post<T = Job>(path: string, body?: unknown, idempotencyKey?: string): Promise<T> {
    return await callJson(this.#caller, `${this.#path}${path}`, {
      method: 'POST',
      ...(body !== undefined && { body }),
      ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
    });
  }
}

function at(id: string): string {
  return `/job/${encodeURIComponent(id)}`;
}

async function* readEvents(response: Response): AsyncGenerator<{ seq: number; event: JobEvent }> {
  const events = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { id, data } of events ?? [])
    yield { seq: Number(id), event: JSON.parse(data) as JobEvent };
}
