import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Validators } from '../../db/search/published.ts';
import { guardedFetch } from '../../shared/outgoing/guarded-fetch.ts';
import { AddressRefused, type MayReach } from '../../shared/outgoing/public-address.ts';
import { readRobots, type Robots } from './robots.ts';

export interface ClientOptions {
  mayReach: MayReach;
  /** Says who asks, with an address. */
  userAgent: string;
  signal: AbortSignal;
  /** Between two requests, unless robots.txt asks for more. */
  intervalMs?: number;
  /** Of one request. */
  timeoutMs?: number;
  /** Of all requests together. */
  totalMs?: number;
}

/** Why a site cannot be looked at: a sentence for people. */
export class SiteAway extends Error {
  override readonly name = 'SiteAway';
}

export interface Answer extends Validators {
  /** After redirects. */
  url: URL;
  /** Null: it is as it was when the validators were given, or cannot be read now. */
  body: Buffer | null;
  type: string;
}

const INTERVAL_MS = 250;
const LONGEST_INTERVAL_MS = 10_000;
const TIMEOUT_MS = 15_000;
const TOTAL_MS = 10 * 60_000;
const MOST_REQUESTS = 2_500;
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_BYTES_TOGETHER = 256 * 1024 * 1024;
const unzip = promisify(gunzip);

/**
 * Asks one site, one request at a time, within bounds: what robots.txt forbids is not asked, and
 * redirects to other hosts are not followed.
 */
export class SiteClient {
  readonly #site: URL;
  readonly #options: ClientOptions;
  readonly #end: number;
  #robots: Robots | undefined;
  #askedAt = -Infinity;
  #requests = 0;
  #bytes = 0;

  private constructor(site: URL, options: ClientOptions) {
    this.#site = site;
    this.#options = options;
    this.#end = performance.now() + (options.totalMs ?? TOTAL_MS);
  }

  /** Reads robots.txt first. Throws `SiteAway`. */
  static async open(siteUrl: string, options: ClientOptions): Promise<SiteClient> {
    const client = new SiteClient(new URL(siteUrl), options);
    const address = new URL('/robots.txt', siteUrl);
    const response = await client.#ask(address, {}).catch((error: unknown) => {
      throw client.#away(address, error);
    });
    // RFC 9309: without such a file everything may be read; while it is away, nothing.
    if (response.status === 429 || response.status >= 500)
      throw new SiteAway(`${address.href} answers with status ${response.status}.`);
    client.#robots = readRobots(
      address.href,
      response.ok ? await response.text() : '',
      options.userAgent,
    );
    if (!client.#robots) throw new SiteAway(`${address.href} has more rules than can be obeyed.`);
    return client;
  }

  get sitemaps(): string[] {
    return this.#robots?.sitemaps ?? [];
  }

  /** No request or time is left. */
  get isSpent(): boolean {
    return (
      this.#requests >= MOST_REQUESTS ||
      this.#bytes >= MOST_BYTES_TOGETHER ||
      performance.now() > this.#end
    );
  }

  isOwn(url: URL): boolean {
    return hostOf(url) === hostOf(this.#site) && /^https?:$/.test(url.protocol);
  }

  mayAsk(url: URL): boolean {
    return this.isOwn(url) && (this.#robots?.allows(url) ?? true);
  }

  /**
   * Undefined if there is no such page, or it may not be asked for. Throws `SiteAway`; `isNeeded`:
   * also if it cannot be read now, but may be later.
   */
  async get(url: URL, known?: Validators, isNeeded = false): Promise<Answer | undefined> {
    if (!this.mayAsk(url)) return undefined;
    if (this.isSpent) {
      if (isNeeded) throw new SiteAway(`${url.origin} has more than can be read in one look.`);
      return undefined;
    }
    const headers: Record<string, string> = {};
    if (known?.etag) headers['if-none-match'] = known.etag;
    if (known?.lastModified) headers['if-modified-since'] = known.lastModified;
    let last = url;
    try {
      const response = await this.#ask(url, headers, visited => (last = visited));
      if (response.status === 429 || response.status === 503)
        throw new SiteAway(`${url.origin} asks to be left alone (status ${response.status}).`);
      if (isNeeded && response.status >= 500)
        throw new SiteAway(`${url.href} answers with status ${response.status}.`);
      // A page that fails for now has not gone.
      if (known && response.status >= 500)
        return { url, type: '', body: null, etag: known.etag, lastModified: known.lastModified };
      if (response.status !== 304 && !response.ok) return undefined;
      return await this.#answer(response, last);
    } catch (error) {
      this.#options.signal.throwIfAborted();
      // A page that is too large, or leads elsewhere, says nothing of the others.
      if (error instanceof AddressRefused && !isNeeded) return undefined;
      throw error instanceof SiteAway ? error : this.#away(url, error);
    }
  }

  async #ask(
    url: URL,
    headers: Record<string, string>,
    onVisit: (url: URL) => void = () => undefined,
  ): Promise<Response> {
    const { mayReach, userAgent, signal, timeoutMs = TIMEOUT_MS } = this.#options;
    await this.#wait();
    this.#requests += 1;
    const get = guardedFetch({
      ...{ mayReach, allowsHttp: true, timeoutMs, maxBytes: MOST_BYTES },
      mayVisit: each => {
        onVisit(each);
        return this.mayAsk(each);
      },
    });
    return await get(url, { headers: { ...headers, 'user-agent': userAgent }, signal });
  }

  async #answer(response: Response, url: URL): Promise<Answer> {
    const { headers } = response;
    const rest = {
      url,
      type: headers.get('content-type') ?? '',
      etag: headers.get('etag')?.slice(0, 500) ?? null,
      lastModified: headers.get('last-modified')?.slice(0, 100) ?? null,
    };
    if (response.status === 304) return { ...rest, body: null };
    const sent = Buffer.from(await response.arrayBuffer());
    const isZipped = sent[0] === 0x1f && sent[1] === 0x8b;
    const body = isZipped
      ? await unzip(sent, { maxOutputLength: MOST_BYTES }).catch(() => {
          throw new AddressRefused('cannot be unpacked, or is too large');
        })
      : sent;
    this.#bytes += Math.max(sent.length, body.length);
    return { ...rest, body };
  }

  async #wait(): Promise<void> {
    const { intervalMs = INTERVAL_MS, signal } = this.#options;
    const asked = (this.#robots?.delaySeconds ?? 0) * 1_000;
    const pause = Math.min(LONGEST_INTERVAL_MS, Math.max(intervalMs, asked));
    const left = this.#askedAt + pause - performance.now();
    if (left > 0) await setTimeout(left, undefined, { signal });
    this.#askedAt = performance.now();
  }

  #away(url: URL, error: unknown): SiteAway {
    const { code, name } = error as { code?: unknown; name?: unknown };
    if (error instanceof AddressRefused) return new SiteAway(`${url.href} ${error.message}.`);
    if (name === 'TimeoutError' || name === 'AbortError')
      return new SiteAway(`${url.href} does not answer in time.`);
    const why = typeof code === 'string' ? ` (${code})` : '';
    return new SiteAway(`${url.href} cannot be reached${why}.`);
  }
}

/** Sites are moved to `www` and back. */
function hostOf({ host }: URL): string {
  return host.replace(/^www\./, '');
}
