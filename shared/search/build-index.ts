import { type Pool, transaction } from '../db/pool.ts';
import type { IndexReport } from './index-site.ts';
import { storeSiteInstructions } from '../db/search/site-instructions.ts';
import type { SiteKindName } from '../site/kinds/site-kind.ts';
import type { Snapshot } from '../workspace.ts';
import { sectionTexts } from './search-by-meaning.ts';
import { insertVectors } from '../db/search/vectors.ts';
import type { Embed } from './embed.ts';
import type { IndexPage } from './page.ts';
import type { SiteFacts } from './published-site.ts';
import type { PageDraft } from './site-pages.ts';
import { siteToIndex } from './site-to-index.ts';
import {
  insertPage,
  insertPostings,
  insertSections,
  stemWords,
  storedPages,
  swapPages,
  termIds,
  tidy,
} from '../db/search/index-store.ts';
import { allWords, type Fields, splitPage, weighPage } from './weights.ts';

export interface IndexSource {
  snapshot: Snapshot;
  /** '' is the repository's root; no slash at either end. */
  docsFolder: string;
  /** Null: found by the site's files. */
  kind?: SiteKindName | null;
}

export interface IndexOptions {
  signal?: AbortSignal;
  /** Gives every section a vector as well. */
  embed?: Embed | undefined;
  /** Kept with the index. */
  facts?: SiteFacts;
}

/** Pages per transaction: what a killed indexer loses. */
const BATCH = 25;

/**
 * Brings a project's index to a snapshot. Only what changed is read; readers see the old index
 * until the new one is whole.
 */
export async function indexPages(
  pool: Pool,
  projectId: string,
  source: IndexSource,
  options: IndexOptions = {},
): Promise<IndexReport> {
  const { drafts, facts } = await siteToIndex(source, options.signal);
  await storeSiteInstructions(pool, projectId, source.snapshot, source.docsFolder);
  return replaceIndex(pool, projectId, source.snapshot.commit, drafts, { ...options, facts });
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
  const name = (draft: PageDraft) => `${draft.key} ${draft.path}`;
  const missing = drafts.filter(draft => !stored.has(name(draft)));
  for (let at = 0; at < missing.length; at += BATCH) {
    signal?.throwIfAborted();
    await stagePages(pool, projectId, missing.slice(at, at + BATCH), embed);
  }

  const staged = missing.length > 0 ? await storedPages(pool, projectId) : stored;
  await transaction(pool, async tx => {
    const ids = drafts.map(draft => staged.get(name(draft)) ?? -1);
    if (!(await swapPages(tx, projectId, commit, ids, facts)))
      throw new Error(
        'The index changed while it was being built; a retry builds what is missing.',
      );
  });
  // Autovacuum sees to small changes; a first index would be slow until it comes by.
  if (missing.length * 10 > drafts.length) await tidy(pool);
  return { commit, pages: drafts.length, built: missing.length };
}

async function stagePages(
  pool: Pool,
  projectId: string,
  drafts: PageDraft[],
  embed: Embed | undefined,
): Promise<void> {
  const pages: { key: string; page: IndexPage; fields: Fields }[] = [];
  for (const { key, load } of drafts) {
    const page = await load();
    pages.push({ key, page, fields: splitPage(page) });
  }
  const stems = await stemWords(pool, new Set(pages.flatMap(({ fields }) => allWords(fields))));
  const weighed = pages.map(({ fields }) => weighPage(fields, word => stems.get(word) ?? null));
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
