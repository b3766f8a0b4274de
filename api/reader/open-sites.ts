import { Problem } from '../../shared/errors.ts';
import { SiteRenderer, type SiteToRead } from './site-renderer.ts';

/** Each has a thread. */
const MOST_OPEN = 4;
const IDLE_MS = 3 * 60_000;

interface OpenSite {
  renderer: Promise<SiteRenderer>;
  uses: number;
  usedAt: number;
}

/** The sites that people read now: the next page of one is there at once. */
export class OpenSites {
  readonly #open = new Map<string, OpenSite>();
  readonly #sweep = setInterval(() => this.#closeIdle(), IDLE_MS / 3).unref();

  /**
   * Works with a site that is open under this key, or opens it. Throws `unavailable` if as many
   * others are in use as there may be.
   */
  async with<T>(
    key: string,
    find: () => Promise<SiteToRead>,
    work: (site: SiteRenderer) => Promise<T>,
  ): Promise<T> {
    const site = this.#open.get(key) ?? this.#add(key, find);
    site.uses += 1;
    try {
      const renderer = await site.renderer;
      return await work(renderer);
    } finally {
      site.uses -= 1;
      site.usedAt = Date.now();
      const renderer = await site.renderer.catch(() => undefined);
      if (!renderer?.isUsable && this.#open.get(key) === site) this.#open.delete(key);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#open.values()].map(closeSite));
    this.#open.clear();
  }

  #add(key: string, find: () => Promise<SiteToRead>): OpenSite {
    while (this.#open.size >= MOST_OPEN) {
      const idle = [...this.#open].filter(([, { uses }]) => uses === 0);
      const [oldest] = idle.toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
      if (!oldest)
        throw new Problem('unavailable', 'Too many docs sites are being read. Try again soon.');
      this.#open.delete(oldest[0]);
      void closeSite(oldest[1]);
    }
    const renderer = find().then(found => SiteRenderer.open(found));
    const site = { renderer, uses: 0, usedAt: Date.now() };
    this.#open.set(key, site);
    return site;
  }

  #closeIdle(): void {
    for (const [key, site] of this.#open)
      if (site.uses === 0 && Date.now() - site.usedAt > IDLE_MS) {
        this.#open.delete(key);
        void closeSite(site);
      }
  }
}

async function closeSite({ renderer }: OpenSite): Promise<void> {
  const opened = await renderer.catch(() => undefined);
  await opened?.close();
}
