import { lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { AddressRefused, type MayReach } from './public-address.ts';

export interface GuardedFetchOptions {
  mayReach: MayReach;
  /**
   * Origins that the operator chose: they may be private, and on this machine plain http. What they
   * lead to may not.
   */
  trusted?: readonly string[];
  /** Plain http is fine, too: nothing secret is sent. */
  allowsHttp?: boolean;
  /** The answer has no body: nobody reads it. */
  headersOnly?: boolean;
  /** Of the address and of each that it redirects to; any, if left out. */
  mayVisit?: (url: URL) => boolean;
  maxRedirects?: number;
  /** Of the whole exchange, redirects included. */
  timeoutMs?: number;
  /** Of the body, as it is sent: an encoded one is not inflated. */
  maxBytes?: number;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Statuses that `Response` accepts no body for. */
const EMPTY = new Set([204, 205, 304]);

/**
 * `fetch` for addresses that the operator did not choose. Each is parsed once; the connection goes
 * to the address that was checked, since the check is its name lookup: no second answer of a name
 * server counts. Redirects are checked in the same way, and get no credentials of another origin.
 * Throws `AddressRefused`, and the network's errors.
 */
export function guardedFetch(options: GuardedFetchOptions): typeof fetch {
  const { timeoutMs = 10_000, headersOnly = false } = options;
  const maxBytes = headersOnly ? null : (options.maxBytes ?? 2 * 1024 * 1024);
  return async (input, init = {}) => {
    const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])];
    const signal = AbortSignal.any(signals);
    let url = new URL(input instanceof Request ? input.url : input);
    let method = init.method ?? 'GET';
    let body = bytesOf(init.body);
    const headers = new Headers(init.headers);
    headers.set('accept-encoding', 'identity');
    for (let redirects = 0; ; redirects += 1) {
      check(url, options);
      const sent = { method, headers, body, signal, maxBytes };
      const response = await exchange(url, sent, lookupFor(url, options));
      const location = response.headers.get('location');
      if (!REDIRECTS.has(response.status) || location === null || init.redirect === 'manual')
        return response;
      if (redirects === (options.maxRedirects ?? MAX_REDIRECTS) || init.redirect === 'error')
        throw new AddressRefused('redirects too often');
      const next = new URL(location, url);
      if (next.origin !== url.origin)
        for (const name of ['authorization', 'cookie', 'proxy-authorization']) headers.delete(name);
      if (response.status === 303 || (response.status < 303 && method === 'POST')) {
        [method, body] = ['GET', undefined];
        headers.delete('content-type');
      }
      url = next;
    }
  };
}

/** What can be said of an address before its name is looked up. */
function check(url: URL, options: GuardedFetchOptions): void {
  const { mayReach, mayVisit, trusted = [], allowsHttp = false } = options;
  if (url.username || url.password) throw new AddressRefused('must contain no user name');
  if (mayVisit && !mayVisit(url))
    throw new AddressRefused(`leads to ${url.origin}, to an address that is not allowed`);
  if (trusted.includes(url.origin)) return;
  if (url.protocol !== 'https:' && !(allowsHttp && url.protocol === 'http:'))
    throw new AddressRefused('must be an https:// address');
  // An address is not looked up, so nothing else would check it.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayReach(host)) throw privateHost();
}

function lookupFor(url: URL, { mayReach, trusted = [] }: GuardedFetchOptions): LookupFunction {
  return (name, options, found) =>
    lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error) return found(error, []);
      if (!trusted.includes(url.origin) && !addresses.every(each => mayReach(each.address)))
        return found(privateHost(), []);
      const [first] = addresses;
      if (options.all || !first) return found(null, addresses);
      return found(null, first.address, first.family);
    });
}

function privateHost(): AddressRefused {
  return new AddressRefused('names a host in a private network');
}

interface Sent {
  method: string;
  headers: Headers;
  body: Uint8Array | undefined;
  signal: AbortSignal;
  /** Null: the body is not read. */
  maxBytes: number | null;
}

async function exchange(
  url: URL,
  { method, headers, body, signal, maxBytes }: Sent,
  pinned: LookupFunction,
): Promise<Response> {
  const options: RequestOptions = {
    method,
    headers: Object.fromEntries(headers),
    lookup: pinned,
    signal,
    // A connection of an earlier request could lead to an address that nobody checked.
    agent: false,
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, resolve);
    request.on('error', reject);
    // Such as after status 101: there is neither an answer nor an error. Later it does nothing.
    request.on('close', () => reject(new Error('the connection was closed without an answer')));
    request.end(body);
  });
  const status = answer.statusCode ?? 502;
  if (maxBytes === null) answer.destroy();
  const content = maxBytes === null ? null : await bounded(answer, maxBytes);
  return new Response(EMPTY.has(status) ? null : content, {
    // A `Response` takes no others, and some hosts send 999.
    status: status >= 200 && status <= 599 ? status : 502,
    headers: Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    ),
  });
}

async function bounded(
  answer: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if ((size += chunk.length) > maxBytes) {
      answer.destroy();
      throw new AddressRefused(`answers with more than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function bytesOf(body: RequestInit['body']): Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (body instanceof Uint8Array) return body;
  if (typeof body === 'string' || body instanceof URLSearchParams)
    return Buffer.from(body.toString());
  throw new TypeError('guardedFetch sends text and bytes only');
}
