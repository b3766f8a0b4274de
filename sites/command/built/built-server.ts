import { decoded } from '../../kinds/paths.ts';
import { CannotCheck } from '../check-options.ts';
import { counted } from '../formats/report.ts';
import { type BuiltPage, readBuiltPage } from './built-page.ts';
import { type BuiltSite, targetOf } from './built-site.ts';

/** Of addresses that are asked for; a calendar or a search may have no end. */
const MOST = 50_000;
const AT_ONCE = 8;
const TIMEOUT_MS = 30_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Whether `--built` names a server. */
export function isServer(built: string): boolean {
  return /^https?:\/\//i.test(built);
}

/**
 * The site that a server on this machine answers with, such as the preview of a build: all that its
 * links lead to from `start` and from `paths`. Throws `CannotCheck` if there is none.
 */
export async function builtServer(start: string, paths: readonly string[]): Promise<BuiltSite> {
  const url = URL.canParse(start) ? new URL(start) : undefined;
  if (!url || !isThisMachine(url.hostname))
    throw new CannotCheck(
      '--built must be a folder, or a server on this machine: http://127.0.0.1:…',
    );
  const crawl = new Crawl(url.origin);
  await crawl.visit([decoded(url.pathname), ...paths]);
  if (crawl.pages.size === 0)
    throw new CannotCheck(`${start} does not answer with an HTML page${crawl.failure}.`);
  const { pages, notes } = crawl;
  return { pages, redirects: [], basePath: '/', notes, at: path => crawl.at(path) };
}

/** The host of an address as `URL` gives it: numbers in any spelling are four by then. */
function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);
}

type Answer = { page: string } | { to: string } | 'file' | 'unknown' | undefined;

class Crawl {
  readonly pages = new Map<string, BuiltPage>();
  /** Why the first failed request did. */
  failure = '';
  readonly #origin: string;
  readonly #answers = new Map<string, Answer>();
  #isCut = false;
  #waiting: string[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** What was not asked, or did not answer, may be there: it is not judged. */
  at(path: string, redirects = 0): ReturnType<BuiltSite['at']> {
    const answer = this.#answers.has(path) ? this.#answers.get(path) : 'unknown';
    if (answer === 'unknown') return 'file';
    if (typeof answer !== 'object' || 'page' in answer) return answer;
    return redirects > 10 ? undefined : this.at(answer.to, redirects + 1);
  }

  get notes(): string[] {
    const unknown = [...this.#answers.values()].filter(answer => answer === 'unknown').length;
    return [
      ...(unknown > 0
        ? [`Not known: ${counted(unknown, 'link target')} that the server did not answer for.`]
        : []),
      ...(this.#isCut ? [`Not known: all beyond the first ${counted(MOST, 'link target')}.`] : []),
    ];
  }

  async visit(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.#plan(path);
    while (this.#waiting.length > 0) {
      const next = this.#waiting.splice(0, AT_ONCE);
      await Promise.all(next.map(path => this.#ask(path)));
    }
  }

  #plan(path: string): void {
    if (this.#answers.has(path)) return;
    this.#isCut ||= this.#answers.size >= MOST;
    if (this.#isCut) return;
    this.#answers.set(path, 'unknown');
    this.#waiting.push(path);
  }

  async #ask(path: string): Promise<void> {
    try {
      const response = await fetch(`${this.#origin}${encodeURI(path)}`, {
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      this.#answers.set(path, await this.#read(path, response));
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      this.failure ||= `: ${cause?.code ?? String(error)}`;
    }
  }

  async #read(path: string, response: Response): Promise<Answer> {
    const location = response.headers.get('location');
    if (REDIRECTS.has(response.status) && location !== null) {
      await response.body?.cancel();
      const page: BuiltPage = { links: [], ids: new Set(), base: undefined, refresh: undefined };
      const local = location.startsWith(`${this.#origin}/`)
        ? location.slice(this.#origin.length)
        : location;
      const to = targetOf(local, path, page);
      // A redirect to another site leads somewhere.
      if (to) this.#plan(to.path);
      return to ? { to: to.path } : 'file';
    }
    const isHtml = /^(?:text\/html|application\/xhtml)/.test(
      response.headers.get('content-type') ?? '',
    );
    if (!response.ok || !isHtml) {
      await response.body?.cancel();
      if (response.status === 429 || response.status >= 500) return 'unknown';
      return response.ok ? 'file' : undefined;
    }
    const page = readBuiltPage(await response.text());
    this.pages.set(path, page);
    const urls = [...page.links.map(({ url }) => url), ...[page.refresh ?? []].flat()];
    for (const url of urls) {
      const to = targetOf(url, path, page);
      if (to) this.#plan(to.path);
    }
    return { page: path };
  }
}
