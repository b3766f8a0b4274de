/**
 * An answer that is not 2xx: the API's problem document, or what stands in for it where the network
 * failed.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** 0: no answer at all. */
  readonly status: number;
  /** By member of the body, as the form names it. */
  readonly fields: Record<string, string>;

  constructor(status: number, sentence: string, fields: Record<string, string> = {}) {
    super(sentence);
    this.status = status;
    this.fields = fields;
  }
}

type Query = Record<string, string | number | boolean | undefined>;

export async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const filled = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(filled.map(([name, value]) => [name, String(value)]));
  return await send<T>('GET', search.size > 0 ? `${path}?${search}` : path, undefined, signal);
}

/**
 * Sends JSON under `/api/dashboard`, answers JSON; undefined for an empty answer. Throws
 * `RequestError`.
 */
export async function send<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const response = await fetch(`/api/dashboard${path}`, {
    method,
    ...(signal && { signal }),
    ...(method !== 'GET' && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new RequestError(0, 'The server could not be reached. Is Docent running?');
  });
  if (!response.ok) throw await problemOf(response);
  const text = await response.text();
  return (
    text && /json/.test(response.headers.get('content-type') ?? '')
      ? JSON.parse(text)
      : text || undefined
  ) as T;
}

async function problemOf(response: Response): Promise<RequestError> {
  const problem = (await response.json().catch(() => ({}))) as {
    detail?: string;
    errors?: { path: string; message: string }[];
  };
  const fields = (problem.errors ?? []).map(({ path, message }) => [
    path.split(/[.[]/)[0] ?? '',
    forPeople(message),
  ]);
  return new RequestError(
    response.status,
    problem.detail ?? `The server answered ${response.status}.`,
    Object.fromEntries(fields),
  );
}

/** The end of the API's sentence about a member, by itself under a field. */
function forPeople(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
