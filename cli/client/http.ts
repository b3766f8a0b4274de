import { EXIT, CommandFailure, exitCodeOf } from '../output/failure.ts';

/** The API's URL and the key to use. */
export interface Caller {
  baseUrl: string;
  key: string;
  /** The option, variable or file that the URL comes from. */
  from?: string;
}

/** The API's URL without a trailing slash. Throws, naming its source (`from`), if it is invalid. */
export function parseBaseUrl(text: string, from: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new CommandFailure(
      `${from} must be a URL such as http://127.0.0.1:3000; got "${text}".`,
      EXIT.usage,
    );
  return text.replace(/\/+$/, '');
}

export interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Calls the API. An error response becomes a `CommandFailure` with its message and exit code. */
export async function callApi(caller: Caller, path: string, options: Call = {}): Promise<Response> {
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
    throw new CommandFailure(unanswered(caller), EXIT.failed);
  });
  if (response.ok) return response;
  const problem = (await response.json().catch(() => undefined)) as { error?: string } | undefined;
  throw new CommandFailure(
    problem?.error ?? `${caller.baseUrl} answered ${response.status}.`,
    exitCodeOf(response.status),
  );
}

/** The JSON of a successful response. */
export async function callJson<T>(caller: Caller, path: string, options: Call = {}): Promise<T> {
  return (await (await callApi(caller, path, options)).json()) as T;
}

/** A shell may still have the variables of an old demo.env with another port. */
function unanswered({ baseUrl, from }: Caller): string {
  if (from === undefined) return `${baseUrl} does not answer. Is docent running there?`;
  const hint = from === 'BASE_URL' ? ' Its port may have changed: load demo.env again.' : '';
  return `${baseUrl} (from ${from}) does not answer. Is docent running there?${hint}`;
}
