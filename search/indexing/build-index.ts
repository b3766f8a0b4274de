import { setImmediate } from 'node:timers/promises';
import { type Pool, transaction } from '../../db/pool.ts';
import type { IndexReport } from '../../shared/index-site.ts';
import { storeSiteInstructions } from '../../db/search/site-instructions.ts';
import { isIndexComplete } from '../../db/search/index-state.ts';
import type { Snapshot } from '../../shared/workspace.ts';
import { sectionTexts } from '../search-by-meaning.ts';
import { insertVectors } from '../../db/search/vectors.ts';
import type { Embed } from '../embed.ts';
import type { IndexPage, WeighedPage } from '../../db/search/index-page.ts';
import type { PageDraft } from './page-draft.ts';
import type { WantedSite } from '../../sites/project-site.ts';
import { noteAddresses, readPageText, readSeenSite } from '../../db/search/published.ts';
import type { SiteFacts } from '../../db/search/published-site.ts';
import { SiteReader } from '../site/site-reader.ts';
import {
  insertPage,
  insertPostings,
  insertSections,
  stemWords,
  storedPages,
  swapPages,
  termIds,
  tidy,
} from '../../db/search/index-store.ts';
import { allWords, type Fields, splitPage, weighPage } from '../weights.ts';

export interface IndexSource extends WantedSite {
  snapshot: Snapshot;
}

export interface IndexOptions {
  signal?: AbortSignal;
  /** Gives every section a vector as well. */
  embed?: Embed | undefined;
  /** Kept with the index. */
  facts?: SiteFacts;
  /** Told what the site is, before its pages are read. */
  onSite?(facts: SiteFacts): Promise<void>;
  /** Told after every part that was read. */
  onProgress?(progress: IndexProgress): Promise<void>;
}

export interface IndexProgress {
  pagesRead: number;
  pagesTotal: number;
}

/** Pages per transaction: what a killed indexer loses. */
const BATCH = 25;
/** A first index is opened to readers this often while it grows. */
const OPEN_EVERY_MS = 3_000;

/**
 * Brings a project's index to a snapshot. Only what changed is read; readers see the old index
 * until the new one is whole. A first index has no old one: readers see what is there of it.
 */
export async function indexPages(
  pool: Pool,
  projectId: string,
  { snapshot, ...wanted }: IndexSource,
  options: IndexOptions = {},
): Promise<IndexReport> {
  const seen = await readSeenSite(pool, projectId);
  const textOf = (path: string) => readPageText(pool, projectId, path);
  const site = new SiteReader(snapshot, wanted, seen ? { seen, textOf } : undefined);
  try {
    const { facts, compared } = await site.facts(options.signal);
    await options.onSite?.(facts);
    await storeSiteInstructions(pool, projectId, snapshot, facts.docsFolder);
    const drafts = await site.pages();
    const report = await replaceIndex(pool, projectId, snapshot.commit, drafts, {
      ...options,
      facts,
    });
    if (compared) await noteAddresses(pool, projectId, compared);
    return report;
  } finally {
    await site.close();
  }
}

/**
 * Makes `wanted` the project's index. An indexer that was killed has staged some of them: they are
 * not built again.
 */
export async function replaceIndex(
  pool: Pool,
  projectId: string,
  commit: string,
  wanted: PageDraft[],
  options: IndexOptions = {},
): Promise<IndexReport> {
  const { signal, embed, facts = null } = options;
  const stored = await storedPages(pool, projectId);
  // A page that has vectors is another one: turning embeddings on, or off, rebuilds every page.
  const drafts = embed ? wanted.map(draft => ({ ...draft, key: `${draft.key}+vectors` })) : wanted;
  const missing = drafts.filter(draft => !stored.has(nameOf(draft)));
  const isFirst = missing.length > BATCH && !(await isIndexComplete(pool, projectId));
  const swap = (complete: boolean) => swapIn(pool, projectId, drafts, { commit, facts, complete });
  let openedAt = -Infinity;
  for (let at = 0; at < missing.length; at += BATCH) {
    signal?.throwIfAborted();
    await stagePages(pool, projectId, missing.slice(at, at + BATCH), embed);
    if (isFirst && performance.now() - openedAt > OPEN_EVERY_MS) {
      await swap(false);
      openedAt = performance.now();
    }
    const pagesRead = drafts.length - Math.max(0, missing.length - at - BATCH);
    await options.onProgress?.({ pagesRead, pagesTotal: drafts.length });
  }
  await swap(true);
  // Autovacuum sees to small changes; a first index would be slow until it comes by.
  if (missing.length * 10 > drafts.length) await tidy(pool);
  return { commit, pages: drafts.length, built: missing.length };
}

/** Lets readers see the drafts that are stored, which must be all of them if it is complete. */
async function swapIn(
  pool: Pool,
  projectId: string,
  drafts: readonly PageDraft[],
  index: { commit: string; facts: SiteFacts | null; complete: boolean },
): Promise<void> {
  const swapped = await transaction(pool, tx =>
    swapPages(tx, projectId, drafts.map(nameOf), index),
  );
  if (!swapped)
    throw new Error('The index changed while it was being built; a retry builds what is missing.');
}

function nameOf({ key, path }: PageDraft): string {
  return `${key} ${path}`;
}

async function stagePages(
  pool: Pool,
  projectId: string,
  drafts: PageDraft[],
  embed: Embed | undefined,
): Promise<void> {
  const loaded = await Promise.all(drafts.map(draft => draft.load()));
  const pages: { key: string; page: IndexPage; fields: Fields }[] = [];
  for (const [i, page] of loaded.entries()) {
    pages.push({ key: drafts[i]!.key, page, fields: splitPage(page) });
    await setImmediate();
  }
  const stems = await stemWords(pool, new Set(pages.flatMap(({ fields }) => allWords(fields))));
  const weighed: WeighedPage[] = [];
  for (const { fields } of pages) {
    weighed.push(weighPage(fields, word => stems.get(word) ?? null));
    await setImmediate();
  }
  const terms = await termIds(
    pool,
    projectId,
    weighed.flatMap(({ postings }) => [...postings.keys()]),
  );
  const vectors: Float32Array[][] = [];
  if (embed)
    for (const { page } of pages)
      vectors.push(page.searchable ? await embed(sectionTexts(page)) : []);
  await transaction(pool, async tx => {
    for (const [i, { key, page }] of pages.entries()) {
      const id = await insertPage(tx, projectId, key, page);
      if (id === undefined) continue;
      await insertSections(tx, id, page, weighed[i]!);
      if (page.searchable) await insertPostings(tx, id, weighed[i]!, terms);
      if (embed) await insertVectors(tx, id, vectors[i]!);
    }
  });
}
