import { setTimeout as wait } from 'node:timers/promises';
import { guardedFetch } from '../../../shared/outgoing/guarded-fetch.ts';
import { AddressRefused, type MayReach } from '../../../shared/outgoing/public-address.ts';

/** What asking for an address came to. */
export type Answer =
  | { kind: 'status'; status: number }
  | { kind: 'no host' }
  | { kind: 'private' }
  | { kind: 'failed'; why: string };

/** Hosts that are asked at the same time; each gets one request after the other, with a pause. */
const HOSTS_AT_ONCE = 8;
const PAUSE_MS = 200;
const TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 10;
/** A host that failed as often in a row is not asked again: each failure may take a timeout. */
const MOST_FAILURES = 3;
/** A host that wants a longer rest gets it: its address stays unknown. */
const LONGEST_REST_S = 30;
const HEADERS = { 'user-agent': 'docent-check (checks links)', accept: '*/*' };

/** Asks for each address, politely. */
export async function askHosts(
  urls: readonly string[],
  mayReach: MayReach,
): Promise<Map<string, Answer>> {
  const fetchHeaders = guardedFetch({
    ...{ mayReach, allowsHttp: true, headersOnly: true },
    ...{ timeoutMs: TIMEOUT_MS, maxRedirects: MAX_REDIRECTS },
  });
  const answers = new Map<string, Answer>();
  const hosts = [...byHost(urls).values()];
  const askNextHosts = async () => {
    for (let own = hosts.pop(); own; own = hosts.pop())
      for (const [url, answer] of await askHost(own, fetchHeaders)) answers.set(url, answer);
  };
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, askNextHosts));
  return answers;
}

async function askHost(
  urls: readonly string[],
  fetchHeaders: typeof fetch,
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  let failures = 0;
  let last: Answer | undefined;
  for (const url of urls) {
    if (last === undefined || failures < MOST_FAILURES) {
      if (last) await wait(PAUSE_MS);
      last = await ask(url, fetchHeaders);
      failures = last.kind === 'failed' ? failures + 1 : 0;
    }
    answers.set(url, last);
  }
  return answers;
}

function byHost(urls: readonly string[]): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const url of urls) {
    const { host } = new URL(url);
    const own = hosts.get(host);
    if (own) own.push(url);
    else hosts.set(host, [url]);
  }
  return hosts;
}

/** Many servers refuse HEAD or hang up, so that only what GET answers counts against a link. */
async function ask(url: string, fetchHeaders: typeof fetch): Promise<Answer> {
  try {
    const head = await fetchHeaders(url, { method: 'HEAD', headers: HEADERS }).catch(unlessFinal);
    if (head?.ok) return { kind: 'status', status: head.status };
    await wait(PAUSE_MS);
    const got = await fetchHeaders(url, { headers: HEADERS });
    const rest = Number(got.headers.get('retry-after'));
    if (got.status !== 429 || !(rest > 0 && rest <= LONGEST_REST_S))
      return { kind: 'status', status: got.status };
    await wait(rest * 1000);
    const again = await fetchHeaders(url, { headers: HEADERS });
    return { kind: 'status', status: again.status };
  } catch (error) {
    return failure(error);
  }
}

/** GET would end alike. */
function unlessFinal(error: unknown): undefined {
  if (error instanceof AddressRefused || (error as { code?: string }).code === 'ENOTFOUND')
    throw error;
}

function failure(error: unknown): Answer {
  if (error instanceof AddressRefused)
    return error.message.includes('private network')
      ? { kind: 'private' }
      : { kind: 'failed', why: `it ${error.message}` };
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  if (code === 'ENOTFOUND') return { kind: 'no host' };
  if (name === 'TimeoutError' || name === 'AbortError')
    return { kind: 'failed', why: `not within ${TIMEOUT_MS / 1000} seconds` };
  return { kind: 'failed', why: code ?? message ?? 'unknown' };
}
