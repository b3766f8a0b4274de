import { DocentError } from './docent-error.ts';
import { readEvents } from './event-stream.ts';
import { type Abortable, type Call, headerText, pause, type Requests } from './http.ts';
import type {
  AllowedFor,
  Conversation,
  CreateJob,
  Job,
  JobEvent,
  JobList,
  JobResult,
  JobStatus,
  ListedJob,
  NewUpload,
  RewindJob,
  SendMessage,
  Upload,
} from './openapi.ts';

export interface Once extends Abortable {
  /** 1 to 255 printable characters. One is made for each call that has none. */
  idempotencyKey?: string | undefined;
}
export interface ListJobs {
  status?: JobStatus | undefined;
  outcome?: JobResult | undefined;
  /** 1 to 100; by default 20. */
  limit?: number | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
}
export interface WaitForJob extends Abortable {
  /** Without it, the wait has no end of its own. */
  timeoutMs?: number | undefined;
  /** Asked while the job is active or waits for a person. By default: it is not active. */
  until?: ((job: Job) => boolean) | undefined;
  /** How long `until` is also asked of a job that has ended: a preview comes later. 0 by default. */
  afterEndMs?: number | undefined;
}
export interface FollowJob extends Abortable {
  /** Continue after this event. */
  lastEventId?: number | undefined;
  /** Also the text of the running model call, as `text_delta`. */
  deltas?: boolean | undefined;
}
/** An event, and the id to continue from. */
export type FollowedEvent = JobEvent & { id: number };

/** A server that restarts is back in half a minute. */
const PATIENCE = { retries: 8 };
const MAX_CUTS = 5;
const WAIT_S = 45;
const POLL_MS = 2000;

/** The agent jobs of a project. */
export class Jobs {
  readonly #http: Requests;
  readonly #path: string;

  constructor(http: Requests, projectId: string) {
    this.#http = http;
    this.#path = `/v2/agent/${encodeURIComponent(projectId)}`;
  }

  async create(job: CreateJob, options?: Once): Promise<Job> {
    return await this.#http.json(`${this.#path}/job`, once(options, job));
  }

  /** A follow-up. Also the answer to a question of the agent. */
  async message(id: string, message: SendMessage, options?: Once): Promise<Job> {
    return await this.#act(id, 'message', once(options, message));
  }

  /** `turn`: of the plan that was read; without it, whichever waits now. */
  async approve(
    id: string,
    {
      turn,
      allow,
      ...options
    }: Once & { turn?: number | undefined; allow?: AllowedFor | undefined } = {},
  ): Promise<Job> {
    return await this.#act(id, 'approve', { ...once(options), query: { turn, allow } });
  }

  async decline(
    id: string,
    { turn, ...options }: Once & { turn?: number | undefined } = {},
  ): Promise<Job> {
    return await this.#act(id, 'decline', { ...once(options), query: { turn } });
  }

  /** In US dollars. A job that waits for it continues. */
  async setBudget(id: string, budget: number, { signal }: Abortable = {}): Promise<Job> {
    return await this.#http.json(this.#of(id), { method: 'PATCH', body: { budget }, signal });
  }

  async cancel(id: string, { signal }: Abortable = {}): Promise<Job> {
    return await this.#act(id, 'cancel', { signal });
  }

  async archive(id: string, { signal }: Abortable = {}): Promise<Job> {
    return await this.#act(id, 'archive', { signal });
  }

  /** Repeats a step, and continues from there. */
  async rewind(id: string, body: RewindJob, { signal }: Abortable = {}): Promise<Job> {
    return await this.#act(id, 'rewind', { body, signal, isRepeatable: false });
  }

  async get(id: string, { signal }: Abortable = {}): Promise<Job> {
    return await this.#http.json(this.#of(id), { signal });
  }

  /** A page, the newest first. */
  async list(query?: ListJobs, { signal }: Abortable = {}): Promise<JobList> {
    return await this.#http.json(`${this.#path}/jobs`, { query, signal });
  }

  /** All of them, page by page. */
  async *all(query: ListJobs = {}, options?: Abortable): AsyncGenerator<ListedJob> {
    for (let cursor = query.cursor; ;) {
      const page = await this.list({ limit: 100, ...query, cursor }, options);
      yield* page.jobs;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }

  /** All that was said, the outcome, what the job waits for, its usage. */
  async messages(id: string, { signal }: Abortable = {}): Promise<Conversation> {
    return await this.#http.json(this.#of(id, 'messages'), { signal });
  }

  /** What the job has changed so far, as a unified diff. */
  async diff(id: string, { signal }: Abortable = {}): Promise<string> {
    const call = { accept: 'text/x-diff', signal };
    return await this.#http.request(this.#of(id, 'diff'), call, response => response.text());
  }

  /** An image for `uploads` of an instruction; `data` is Base64. */
  async upload(image: NewUpload, { signal }: Abortable = {}): Promise<Upload> {
    return await this.#http.json(`${this.#path}/upload`, { method: 'POST', body: image, signal });
  }

  /**
   * The job once it is idle: it has ended, or waits for a person (`waitingFor`). One that has ended
   * is returned even if `until` is not true, `afterEndMs` later. The server reports each change, and is asked again for
   * half a minute while it cannot be reached. Throws `DocentError`, `timeout`, after `timeoutMs`.
   */
  async wait(id: string, options: WaitForJob = {}): Promise<Job> {
    const { signal, timeoutMs, until = isIdle, afterEndMs = 0 } = options;
    const deadline = timeoutMs === undefined ? undefined : AbortSignal.timeout(whole(timeoutMs));
    const signals = [signal, deadline].filter(one => one !== undefined);
    try {
      return await this.#waitUntil(id, { until, afterEndMs }, AbortSignal.any(signals));
    } catch (error) {
      if (timeoutMs === undefined || !deadline?.aborted || signal?.aborted) throw error;
      throw new DocentError(`The wait for ${id} ended after ${timeoutMs / 1000} seconds.`, {
        code: 'timeout',
      });
    }
  }

  async #waitUntil(
    id: string,
    { until, afterEndMs }: { until: (job: Job) => boolean; afterEndMs: number },
    signal: AbortSignal,
  ): Promise<Job> {
    let etag: string | null = null;
    let last: Job | undefined;
    let endedAt: number | undefined;
    for (let isFirst = true; ; isFirst = false) {
      const began = Date.now();
      const headers: Record<string, string> =
        etag === null ? {} : { 'if-none-match': etag, prefer: `wait=${WAIT_S}` };
      const call = { headers, signal, ...PATIENCE, timeoutMs: (WAIT_S + 30) * 1000 };
      const job = await this.#http.request(this.#of(id), call, async response => {
        etag = response.headers.get('etag');
        return response.status === 304 ? undefined : ((await response.json()) as Job);
      });
      if (job && until(job)) return job;
      last = job ?? last;
      if (last && isIdle(last) && !last.waitingFor) {
        endedAt ??= Date.now();
        if (Date.now() - endedAt >= afterEndMs) return last;
      } else endedAt = undefined;
      // The server waits for active jobs only, and a proxy may change or drop the ETag.
      if (!isFirst && Date.now() - began < POLL_MS) await pause(POLL_MS, signal);
    }
  }

  /**
   * The events of a job, from its first one, until it is idle. After a cut, and after an end that
   * is not the job's, it continues behind the last event that was read.
   */
  async *events(id: string, options: FollowJob = {}): AsyncGenerator<FollowedEvent> {
    const { signal, deltas, lastEventId = 0 } = options;
    let last = lastEventId;
    for (let cuts = 0; cuts < MAX_CUTS;) {
      const before = last;
      const call = {
        ...{ accept: 'text/event-stream', signal, ...PATIENCE },
        query: { deltas },
        headers: { 'last-event-id': String(last) },
      };
      const stream = readEvents(
        await this.#http.request(this.#of(id, 'events'), call, ({ body }) => body),
      );
      let next = await orCut(stream);
      try {
        for (; next && !next.done; next = await orCut(stream)) {
          if (next.value.id !== undefined) last = Number(next.value.id);
          yield { ...(JSON.parse(next.value.data) as JobEvent), id: last };
        }
      } finally {
        await stream.return(undefined);
      }
      signal?.throwIfAborted();
      if (last > before) {
        cuts = 0;
        continue;
      }
      if (isIdle(await this.#http.json<Job>(this.#of(id), { signal, ...PATIENCE }))) {
        if (next) return;
        cuts++;
      }
      await pause(POLL_MS, signal);
    }
    throw new DocentError(`The events of ${id} are cut off again and again.`, {
      code: 'interrupted',
    });
  }

  async #act(id: string, verb: string, call: Call): Promise<Job> {
    return await this.#http.json(this.#of(id, verb), { method: 'POST', ...call });
  }

  #of(id: string, part?: string): string {
    return `${this.#path}/job/${encodeURIComponent(id)}${part ? `/${part}` : ''}`;
  }
}

/** Undefined for a stream that was cut. */
async function orCut<T>(stream: AsyncGenerator<T>): Promise<IteratorResult<T> | undefined> {
  return await stream.next().catch(() => undefined);
}

function isIdle({ status }: Job): boolean {
  return status !== 'active';
}

/** A call that has one effect, however often it is sent. */
function once({ idempotencyKey, signal }: Once = {}, body?: object): Call {
  const key = headerText('idempotencyKey', idempotencyKey ?? crypto.randomUUID());
  const headers = { 'idempotency-key': key };
  return { method: 'POST', headers, signal, ...(body && { body }) };
}

/** Of milliseconds, as timers accept them: whole, and 24 days at most. */
function whole(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms) || 0, 0), 2 ** 31 - 1);
}
