import { join } from 'node:path';
import type { PageNode } from '../dashboard/contract/page-tree.ts';
import type { SitePageView, SiteSearchResults } from '../dashboard/contract/site.ts';
import { Problem } from '../../shared/errors.ts';
import type { WantedSite } from '../../sites/project-site.ts';
import { withLinkedFiles } from '../../search/site/linked-files.ts';
import { siteTexts } from '../../search/site/site-texts.ts';
import { type AskOptions, Thread, ThreadFailure } from '../../shared/threads/thread.ts';
import type { Snapshot } from '../../shared/workspace.ts';
import type { RenderedPage } from './render/render-page.ts';
import type { ReaderQuestion } from './reader-thread.ts';
import type { Edition } from './site-editions.ts';
import type { SiteFrame } from './site-pages.ts';

/** A page takes milliseconds, a site of thousands of pages seconds. */
const TIMEOUT_MS = 20_000;
const SETTINGS = {
  built: 'reader-thread',
  source: join(import.meta.dirname, 'reader-thread.ts'),
  ...{ cpuMs: TIMEOUT_MS, patienceMs: TIMEOUT_MS, memoryMb: 768 },
};

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
  readonly #thread = new Thread(SETTINGS);

  private constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  static async open({ snapshot, wanted, isPublic }: SiteToRead): Promise<SiteRenderer> {
    const renderer = new SiteRenderer(snapshot);
    try {
      const { paths, next } = siteTexts(await withLinkedFiles(snapshot));
      await renderer.#ask({ type: 'site', paths, wanted, isPublic }, { onAsked: next });
      return renderer;
    } catch (error) {
      await renderer.close();
      throw error;
    }
  }

  get isUsable(): boolean {
    return this.#thread.isUsable;
  }

  frame(edition: Partial<Edition>): Promise<SiteFrame> {
    return this.#ask({ type: 'frame', edition });
  }

  paths(): Promise<string[]> {
    return this.#ask({ type: 'paths' });
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

  close(): Promise<void> {
    return this.#thread.end();
  }

  async #ask<T>(question: ReaderQuestion, options?: AskOptions): Promise<T> {
    try {
      return await this.#thread.ask<T>(question, options);
    } catch (cause) {
      if (!(cause instanceof ThreadFailure)) throw cause;
      const message =
        cause.reason === 'failed' && this.isUsable
          ? (cause.message.split('\n')[0] ?? '').slice(0, 200)
          : 'These docs could not be read in time. Try again.';
      throw new Problem('unavailable', message, { cause });
    }
  }
}
