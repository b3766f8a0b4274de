import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Snapshot } from '../../shared/workspace.ts';
import { type AskOptions, Thread, ThreadFailure } from '../../shared/threads/thread.ts';
import type { PageDraft } from '../indexing/page-draft.ts';
import type { WantedSite } from '../../sites/project-site.ts';
import type { PageText } from '../../db/search/published.ts';
import type { SeenSite } from '../../sites/published/seen-page.ts';
import { SiteError } from './site-error.ts';
import { withLinkedFiles } from './linked-files.ts';
import { siteTexts } from './site-texts.ts';
import type { SiteAnswers, SiteQuestion } from './site-thread.ts';

/** For one answer. A site of 10,000 pages takes some seconds. */
const MOST_MINUTES = 5;
const MOST_MEMORY_MB = 1_536;
const SETTINGS = {
  built: 'index-thread',
  source: join(import.meta.dirname, 'site-thread.ts'),
  cpuMs: MOST_MINUTES * 60_000,
  patienceMs: MOST_MINUTES * 60_000,
  memoryMb: MOST_MEMORY_MB,
};
/**
 * Part of every page's key: raise it when what a page's rows are made of changes, and every page is
 * rebuilt.
 */
const FORMAT = 4;

/** What the published site was seen to have, and the texts of pages that are read there. */
export interface PublishedTexts {
  seen: SeenSite;
  textOf(path: string): Promise<PageText | undefined>;
}

/**
 * A snapshot's site as its generator publishes it. The rules of a kind and the parser of pages run
 * in a thread of their own: they take seconds on a large site, and the process must keep answering
 * meanwhile. Every method throws `SiteError` if the thread fails or takes too long.
 */
export class SiteReader {
  readonly #thread = new Thread(SETTINGS);
  #snapshot: Snapshot;
  readonly #wanted: WantedSite;
  readonly #published: PublishedTexts | undefined;

  constructor(snapshot: Snapshot, wanted: WantedSite, published?: PublishedTexts) {
    this.#snapshot = snapshot;
    this.#wanted = wanted;
    this.#published = published;
  }

  /** Reads the site: what it is, before its pages are read. Close the reader afterwards. */
  async facts(signal?: AbortSignal): Promise<SiteAnswers['site']> {
    this.#snapshot = await withLinkedFiles(this.#snapshot);
    const { paths, next } = siteTexts(this.#snapshot, signal);
    return await this.#ask(
      { kind: 'site', paths, wanted: this.#wanted, seen: this.#published?.seen ?? null },
      { signal, onAsked: next },
    );
  }

  /** The pages that an index has, the first ones of the navigation first; after the facts. */
  async pages(): Promise<PageDraft[]> {
    const listed = await this.#ask({ kind: 'pages' });
    const idOf = (file: string) => this.#snapshot.entries.get(file)?.id;
    return listed.map(({ file, path, digest, readAt, parts }) => ({
      path,
      key: keyOf([FORMAT, idOf(file), digest, ...parts.map(idOf)]),
      load: async () => {
        const text = readAt === null ? undefined : await this.#published?.textOf(readAt);
        return await this.#ask({ kind: 'page', path, text });
      },
    }));
  }

  close(): Promise<void> {
    return this.#thread.end();
  }

  async #ask<Q extends SiteQuestion>(
    question: Q,
    options?: AskOptions,
  ): Promise<SiteAnswers[Q['kind']]> {
    try {
      return await this.#thread.ask(question, options);
    } catch (error) {
      throw error instanceof ThreadFailure ? siteError(error) : error;
    }
  }
}

/** The thread’s errors are faults of ours or of the machine; both are named. */
function siteError({ reason, message }: ThreadFailure): SiteError {
  switch (reason) {
    case 'cpu':
    case 'time':
      return new SiteError(`Reading the site took longer than ${MOST_MINUTES} minutes.`);
    case 'memory':
      return new SiteError(`Reading the site needs more than ${MOST_MEMORY_MB} MB of memory.`);
    case 'failed':
      return new SiteError(`Reading the site failed: ${message.split('\n')[0]?.slice(0, 200)}`);
    case 'ended':
      return new SiteError('Reading the site was stopped.');
  }
}

function keyOf(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
