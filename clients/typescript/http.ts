import { DocentError, refusal } from './docent-error.ts';

export interface Connection {
  /** Where Docent is, such as `https://docent.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** How often a request is repeated that can be repeated safely. By default 2. */
  maxRetries?: number | undefined;
  /** How long an answer may take; a stream, until it begins. By default 60,000. */
  timeoutMs?: number | undefined;
  /** In place of the global `fetch`, such as one that goes through a proxy. */
  fetch?: typeof fetch | undefined;
}

export interface Abortable {
  signal?: AbortSignal | undefined;
}

export interface Call extends Abortable {
  method?: 'GET' | 'POST' | 'PATCH';
  query?: object | undefined;
  headers?: Record<string, string>;
  body?: unknown;
  /** Begins the content type of a good answer. */
  accept?: string;
  retries?: number;
  timeoutMs?: number;
  /** It has one effect, however often it is sent. By default true. */
  isRepeatable?: boolean;
  /** By default `isRepeatable`. */
  isRepeatableAfter503?: boolean;
}

/** Sends requests to one Docent, with its key. */
export interface Requests {
  json<T>(path: string, call?: Call): Promise<T>;
  /** What `read` makes of a good answer, or of 304. */
  request<T>(path: string, call: Call, read: (response: Response) => T | Promise<T>): Promise<T>;
}

const MAX_RETRY_AFTER_S = 60;

/** Repeats requests that failed for a moment. */
export class Http implements Requests {
  readonly #baseUrl: string;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    const { baseUrl, apiKey } = connection;
    if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl))
      throw new TypeError(`baseUrl must be a URL such as https://docent.example.com: ${baseUrl}`);
    headerText('apiKey', apiKey);
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#connection = connection;
  }

  async json<T>(path: string, call: Call = {}): Promise<T> {
    return await this.request(path, call, response => response.json() as Promise<T>);
  }

  /** Throws `DocentError`. */
  async request<T>(
    path: string,
    call: Call,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    const retries = call.retries ?? this.#connection.maxRetries ?? 2;
    for (let attempt = 0; ; attempt++) {
      const ended = await this.#send(path, call, read).then(
        value => ({ value }),
        (error: unknown) => ({ error }),
      );
      if ('value' in ended) return ended.value;
      const { error } = ended;
      if (!(error instanceof DocentError) || attempt >= retries || !mayRepeat(error, call))
        throw error;
      const seconds = error.retryAfter ?? Math.min(8, 0.5 * 2 ** attempt);
      await pause(seconds * 1000 * (1 + Math.random() / 4), call.signal);
    }
  }

  async #send<T>(
    path: string,
    call: Call,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    const { method = 'GET', query, headers, body, signal, accept = 'application/json' } = call;
    const { fetch: send = fetch, apiKey, timeoutMs = 60_000 } = this.#connection;
    const late = new AbortController();
    // Outside of the try: a body that JSON cannot express is not a lost connection.
    const request: RequestInit = {
      method,
      // Docent sends no redirects. A sign-in page must not get the key.
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    };
    const timer = setTimeout(() => late.abort(), call.timeoutMs ?? timeoutMs);
    try {
      const response = await send(`${this.#baseUrl}${path}${queryOf(query)}`, request);
      const { ok, status } = response;
      const isWanted = ok && (response.headers.get('content-type') ?? '').startsWith(accept);
      if (!isWanted && status !== 204 && status !== 304) throw await refusal(response);
      return await read(response);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof DocentError) throw error;
      throw late.signal.aborted
        ? new DocentError(`${this.#baseUrl} did not answer in time.`, { code: 'timeout' })
        : new DocentError(`${this.#baseUrl} cannot be reached.`, {
            ...{ code: 'unreachable', cause: error },
          });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether the same request may succeed soon, and does no harm if it had an effect already. */
function mayRepeat({ status, retryAfter }: DocentError, call: Call): boolean {
  const { isRepeatable = true, isRepeatableAfter503 = isRepeatable } = call;
  if (retryAfter !== undefined && retryAfter > MAX_RETRY_AFTER_S) return false;
  if (status === 408 || status === 429) return true;
  if (status === 503) return isRepeatableAfter503;
  // The first request with this idempotency key is still running.
  if (status === 409) return retryAfter !== undefined;
  return isRepeatable && (status === 0 || status >= 500);
}

/** A value for a header. The error does not contain it: it may be a secret. */
export function headerText(name: string, value: string): string {
  if (!value || !/^[!-~]+$/.test(value))
    throw new TypeError(`${name} must be printable ASCII characters without spaces.`);
  return value;
}

function queryOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given as [string, string][]).toString()}`;
}

/** Rejects with the signal's reason. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
