import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Snapshot } from '../../shared/workspace.ts';
import type { IndexPage } from '../../db/search/index-page.ts';
import type { PageDraft } from '../indexing/page-draft.ts';
import type { WantedSite } from '../../sites/project-site.ts';
import type { ListedPage, SiteFacts } from '../../db/search/published-site.ts';
import { SiteError } from './site-error.ts';
import { siteTexts } from './site-texts.ts';
import type { SiteAnswer, SiteRequest } from './site-thread.ts';

/** Between two answers. A site of 10,000 pages takes some seconds. */
const TIMEOUT_MS = 5 * 60_000;
const MOST_MEMORY_MB = 1_536;
/**
 * Part of every page's key: raise it when what a page's rows are made of changes, and every page is
 * rebuilt.
 */
const FORMAT = 3;

/**
 * A snapshot's site as its generator publishes it. The rules of a kind and the parser of pages run
 * in a thread of their own: they take seconds on a large site, and the process must keep answering
 * meanwhile. Every method throws `SiteError` if the thread fails or takes too long.
 */
export class SiteReader {
  readonly #thread: Worker;
  readonly #snapshot: Snapshot;
  /** Runs while an answer is awaited. */
  #timeout: NodeJS.Timeout | undefined;
  readonly #parsing = new Map<string, (page: IndexPage) => void>();
  readonly #failed = deferred<never>();
  readonly #timedOut: () => void;
  readonly #facts = deferred<SiteFacts>();
  readonly #listed = deferred<ListedPage[]>();

  private constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    const thread = new Worker(join(import.meta.dirname, 'site-worker.mjs'), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    });
    this.#thread = thread;
    const { fail } = this.#failed;
    // Met by each method that waits for the thread.
    this.#failed.promise.catch(() => undefined);
    this.#timedOut = () => {
      fail(new SiteError(`Reading the site took longer than ${TIMEOUT_MS / 60_000} minutes.`));
      void thread.terminate();
    };
    thread.on('error', error => fail(siteError(error)));
    thread.on('exit', () => fail(new SiteError('Reading the site was stopped.')));
    thread.on('message', (answer: SiteAnswer) => {
      if ('facts' in answer) this.#facts.resolve(answer.facts);
      else if ('listed' in answer) this.#listed.resolve(answer.listed);
      else this.#parsing.get(answer.parsed)?.(answer.page);
      if ('facts' in answer || this.#parsing.size > 1) this.#timeout?.refresh();
      else this.#waits(false);
    });
  }

  /** Sends the site to the thread. Close the reader when the pages are read. */
  static async open(
    snapshot: Snapshot,
    wanted: WantedSite,
    signal?: AbortSignal,
  ): Promise<SiteReader> {
    const reader = new SiteReader(snapshot);
    try {
      await Promise.race([reader.#send(wanted, signal), reader.#failed.promise]);
      return reader;
    } catch (error) {
      await reader.close();
      throw error;
    }
  }

  /** What the site is: known before its pages are read. */
  facts(): Promise<SiteFacts> {
    return Promise.race([this.#facts.promise, this.#failed.promise]);
  }

  /** The pages that an index has, the first ones of the navigation first. */
  async pages(): Promise<PageDraft[]> {
    const listed = await Promise.race([this.#listed.promise, this.#failed.promise]);
    return listed.map(({ file, path, digest }) => ({
      path,
      key: keyOf([FORMAT, this.#snapshot.entries.get(file)?.id, digest]),
      load: () => this.#parse(path),
    }));
  }

  async close(): Promise<void> {
    this.#waits(false);
    await this.#thread.terminate();
  }

  #waits(isWaiting: boolean): void {
    clearTimeout(this.#timeout);
    this.#timeout = isWaiting ? setTimeout(this.#timedOut, TIMEOUT_MS) : undefined;
  }

  #parse(path: string): Promise<IndexPage> {
    const page = new Promise<IndexPage>(resolve => this.#parsing.set(path, resolve));
    this.#waits(true);
    this.#post({ parse: path });
    return Promise.race([page, this.#failed.promise]).finally(() => this.#parsing.delete(path));
  }

  async #send(wanted: WantedSite, signal: AbortSignal | undefined): Promise<void> {
    const { paths, portions } = siteTexts(this.#snapshot, signal);
    for await (const texts of portions) this.#post({ texts });
    this.#waits(true);
    this.#post({ paths, wanted });
  }

  #post(request: SiteRequest): void {
    this.#thread.postMessage(request);
  }
}

function deferred<T>() {
  let settle: { resolve: (value: T) => void; fail: (error: Error) => void } | undefined;
  const promise = new Promise<T>((resolve, fail) => {
    settle = { resolve, fail };
  });
  return { promise, ...settle! };
}

/** The thread’s errors are faults of ours or of the machine; both are named. */
function siteError(error: Error & { code?: unknown }): SiteError {
  return new SiteError(
    error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? `Reading the site needs more than ${MOST_MEMORY_MB} MB of memory.`
      : `Reading the site failed: ${error.message.split('\n')[0]?.slice(0, 200)}`,
  );
}

function keyOf(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
