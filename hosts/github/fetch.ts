const TIMEOUT_MS = 30_000;

/** A redirect to another host, which would be given the token. */
export class ForeignRedirect extends Error {
  override readonly name = 'ForeignRedirect';
  readonly host: string;

  constructor(host: string) {
    super(`a redirect to ${host} is not followed`);
    this.host = host;
  }
}

/**
 * `fetch` for calls that carry a token: follows one redirect (a renamed repository's), with method
 * and body, and only within the host. Throws `ForeignRedirect` for any other, and the network's
 * errors.
 */
export async function fetchWithin(url: string, init: RequestInit = {}): Promise<Response> {
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])];
  const options = { ...init, redirect: 'manual', signal: AbortSignal.any(signals) } as const;
  const response = await fetch(url, options);
  const location = response.headers.get('location');
  if (![301, 302, 307, 308].includes(response.status) || location === null) return response;
  await response.body?.cancel();
  const target = new URL(location, url);
  if (target.origin !== new URL(url).origin) throw new ForeignRedirect(target.host);
  const second = await fetch(target, options);
  if (second.status >= 300 && second.status < 400) throw new ForeignRedirect(target.host);
  return second;
}

/**
 * The same for an answer that is read to its end here. Octokit takes one that was cut for an empty
 * one: no branches, no pull requests. Here that is an error of the network.
 */
export async function fetchWhole(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetchWithin(url, init);
  const text = await response.clone().text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  if (response.ok && isJson) JSON.parse(text);
  return response;
}
