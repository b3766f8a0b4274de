import { EXIT, CommandFailure, exitCodeOf } from './failure.ts';

/** Where the API answers and with which key. */
export interface Caller {
  baseUrl: string;
  key: string;
}

export interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Calls the API. An answer that is no success becomes a `CommandFailure` with its sentence and exit code. */
export async function call(caller: Caller, path: string, options: Call = {}): Promise<Response> {
  const response = await fetch(`${caller.baseUrl}${path}`, {
    method: options.method ?? 'GET',
    headers: {
      authorization: `Bearer ${caller.key}`,
      'user-agent': 'docent-cli',
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    ...(options.signal && { signal: options.signal }),
  }).catch((error: unknown) => {
    if (options.signal?.aborted) throw error;
    throw new CommandFailure(`${caller.baseUrl} does not answer. Is docent running there?`, EXIT.failed);
  });
  if (response.ok) return response;
  const problem = await response.json().catch(() => undefined) as { error?: string } | undefined;
  throw new CommandFailure(problem?.error ?? `${caller.baseUrl} answered ${response.status}.`, exitCodeOf(response.status));
}

/** The JSON of a successful answer. */
export async function callJson<T>(caller: Caller, path: string, options: Call = {}): Promise<T> {
  return await (await call(caller, path, options)).json() as T;
}
