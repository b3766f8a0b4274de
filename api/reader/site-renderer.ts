import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PageNode } from '../dashboard/contract/page-tree.ts';
import type { SitePageView, SiteSearchResults } from '../dashboard/contract/site.ts';
import { Problem } from '../../shared/errors.ts';
import type { WantedSite } from '../../sites/project-site.ts';
import { siteTexts } from '../../search/site/site-texts.ts';
import type { Snapshot } from '../../shared/workspace.ts';
import type { RenderedPage } from './render/render-page.ts';
import type { ReaderAnswer, ReaderQuestion, ReaderRequest } from './reader-thread.ts';
import type { Edition } from './site-editions.ts';
import type { SiteFrame } from './site-pages.ts';

/** A page takes milliseconds, a site of thousands of pages seconds. */
const TIMEOUT_MS = 20_000;
const MOST_MEMORY_MB = 768;

export interface SiteToRead {
  snapshot: Snapshot;
  wanted: WantedSite;
  /** Pages for groups of readers are left out. */
  isPublic: boolean;
}

/**
 * One commit of a site, read and rendered in a thread of its own, so that no page blocks the
 * process. Methods throw `Problem` if the thread fails or takes too long; it is then of no more use.
 */
export class SiteRenderer {
  readonly snapshot: Snapshot;
  readonly #thread: Worker;
  readonly #asked = new Map<number, { resolve(answer: unknown): void; fail(error: Error): void }>();
  #last = 0;
  #failure: Problem | undefined;

  private constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
    this.#thread = new Worker(join(import.meta.dirname, 'reader-worker.mjs'), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    });
    this.#thread.unref();
    this.#thread.on('error', cause => this.#fail(cause));
    this.#thread.on('exit', () => this.#fail());
    this.#thread.on('message', (message: ReaderAnswer) => {
      const asked = this.#asked.get(message.id);
      this.#asked.delete(message.id);
      if ('failed' in message) asked?.fail(new Problem('unavailable', message.failed));
      else asked?.resolve(message.answer);
    });
  }

  static async open({ snapshot, wanted, isPublic }: SiteToRead): Promise<SiteRenderer> {
    const renderer = new SiteRenderer(snapshot);
    try {
      const { paths, portions } = siteTexts(snapshot);
      for await (const texts of portions) renderer.#post({ texts });
      renderer.#post({ paths, wanted, isPublic });
      return renderer;
    } catch (error) {
      await renderer.close();
      throw error;
    }
  }

  get isUsable(): boolean {
    return this.#failure === undefined;
  }

  frame(edition: Partial<Edition>): Promise<SiteFrame> {
    return this.#ask({ type: 'frame', edition });
  }

  page(path: string): Promise<SitePageView | undefined> {
    return this.#ask({ type: 'page', path });
  }

  file(file: string): Promise<RenderedPage | undefined> {
    return this.#ask({ type: 'file', file });
  }

  search(query: string): Promise<SiteSearchResults> {
    return this.#ask({ type: 'search', query });
  }

  /** The page of `file` (null: it was deleted) with what changed since `before` marked. */
  changes(file: string | null, before: PageNode[]): Promise<PageNode[]> {
    return this.#ask({ type: 'changes', file, before });
  }

  async close(): Promise<void> {
    this.#fail();
    await this.#thread.terminate();
  }

  #ask<T>(ask: ReaderQuestion): Promise<T> {
    if (this.#failure) throw this.#failure;
    const id = (this.#last += 1);
    return new Promise<T>((resolve, reject) => {
      const timeout = setTimeout(() => void this.close(), TIMEOUT_MS);
      const settled = (settle: () => void) => {
        clearTimeout(timeout);
        settle();
      };
      this.#asked.set(id, {
        resolve: answer => settled(() => resolve(answer as T)),
        fail: error => settled(() => reject(error)),
      });
      this.#post({ id, ask });
    });
  }

  #fail(cause?: Error): void {
    this.#failure ??= new Problem(
      'unavailable',
      'These docs could not be read in time. Try again.',
      { cause },
    );
    for (const { fail } of this.#asked.values()) fail(this.#failure);
    this.#asked.clear();
  }

  #post(request: ReaderRequest): void {
    this.#thread.postMessage(request);
  }
}
