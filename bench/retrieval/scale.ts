import type { Pool } from '../../db/pool.ts';
import { replaceIndex } from '../../search/indexing/build-index.ts';
import type { PageDraft } from '../../search/indexing/page-draft.ts';
import { type CorpusPage, type QuestionSet, toIndexPage } from './set.ts';

/**
 * A made-up site of the wanted size, of the set's own sections in a fixed random order: real words
 * with their real frequencies, under new titles. Every question then meets the words of all sites
 * at once.
 */
export async function buildLargeSite(
  pool: Pool,
  projectId: string,
  set: QuestionSet,
  pages: number,
  sectionsAPage: number,
): Promise<{ seconds: number }> {
  const real = [...set.sites.values()].flat();
  const sections = real.flatMap(page => page.sections);
  const next = generator(20_261);
  const pick = <T>(items: T[]): T => items[Math.floor(next() * items.length)]!;
  const drafts: PageDraft[] = Array.from({ length: pages }, (_, i) => {
    const page: CorpusPage = {
      id: '',
      title: pick(real).title,
      description: pick(real).description,
      keywords: [],
      sections: Array.from({ length: sectionsAPage }, () => pick(sections)),
    };
    const path = `/part-${i % 40}/page-${i}`;
    return { path, key: 'synthetic', load: async () => toIndexPage(path, page) };
  });
  const started = performance.now();
  await replaceIndex(pool, projectId, 'synthetic', drafts);
  return { seconds: Math.round((performance.now() - started) / 1000) };
}

/** Numbers from 0 to 1, the same ones in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}
