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
  /** What a good answer has as its content type; JSON if nothing else is named. */
  accept?: string;
}

/**
 * Calls the API. An error response becomes a `CommandFailure` with its message and exit code. So
 * does the answer of anything else that listens there: a sign-in page, another service, a proxy.
 */
export async function callApi(caller: Caller, path: string, options: Call = {}): Promise<Response> {
  const { accept = JSON_TYPE } = options;
  const response = await fetch(`${caller.baseUrl}${path}`, {
    method: options.method ?? 'GET',
    redirect: 'manual', // of ours is none; followed, the key would go elsewhere
    headers: {
      authorization: `Bearer ${caller.key}`,
      'user-agent': 'docent-cli',
      accept,
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    ...(options.signal && { signal: options.signal }),
  }).catch((error: unknown) => {
    if (options.signal?.aborted) throw error;
    throw new CommandFailure(unanswered(caller, error), EXIT.failed);
  });
  const type = response.headers.get('content-type') ?? '';
  if (response.status === 304 || (response.ok && type.startsWith(accept))) return response;
  const problem = response.ok || !type.includes('json') ? undefined : await problemOf(response);
  if (problem === undefined) throw stranger(caller, response);
  throw new CommandFailure(problem, exitCodeOf(response.status));
}

const JSON_TYPE = 'application/json';

/** The sentence of an error of ours. */
async function problemOf(response: Response): Promise<string | undefined> {
  const body = (await response.json().catch(() => undefined)) as
    { type?: unknown; error?: unknown } | null | undefined;
  return typeof body?.error === 'string' && String(body.type).startsWith('urn:docent:')
    ? body.error
    : undefined;
}

/** Something else answered. */
export function stranger({ baseUrl, from }: Caller, { status, headers }: Response): CommandFailure {
  const to = headers.get('location');
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content';
  const what = to ? `a redirect to ${to.slice(0, 200)}` : `${status} with ${type}`;
  return new CommandFailure(
    `What answers at ${baseUrl} is not Docent’s API (${what}). Check the address` +
      `${from === undefined ? '' : ` in ${from}`}, and what is in front of it: a proxy, a sign-in page, another port.`,
    EXIT.stranger,
  );
}

/** The JSON of a successful response. */
export async function callJson<T>(caller: Caller, path: string, options: Call = {}): Promise<T> {
  return (await (await callApi(caller, path, options)).json()) as T;
}

/** Nothing answered. A shell may still have the variables of an old demo.env with another port. */
export function unanswered({ baseUrl, from }: Caller, error: unknown): string {
  const source = from === undefined ? '' : ` (from ${from})`;
  const { code = '' } = ((error as { cause?: unknown }).cause ?? {}) as { code?: string };
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code))
    return `${baseUrl}${source} has a certificate that is not trusted (${code}). Set NODE_EXTRA_CA_CERTS to the file of your authority.`;
  if (/ERR_SSL|EPROTO/.test(code))
    return `${baseUrl}${source} does not speak TLS (${code}). Is it http:// instead of https://?`;
  const hint = from === 'BASE_URL' ? ' Its port may have changed: load demo.env again.' : '';
  return `${baseUrl}${source} does not answer${code && ` (${code})`}. Is docent running there?${hint}`;
}
