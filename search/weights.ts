import type { IndexPage, Posting, WeighedPage } from '../db/search/index-page.ts';
import { words } from './words.ts';

/**
 * BM25 of one field: what it counts for, how much its length matters, and the length (in stems)
 * that is neither long nor short. Averages are constants, not the collection's: a page's weights
 * then never change unless the page does, which is what makes the index incremental, and on five
 * sites ranking was no worse for it.
 */
interface Field {
  weight: number;
  b: number;
  average: number;
}

const K1 = 1.5;
const TITLE: Field = { weight: 1, b: 0.9, average: 4 };
const PATH: Field = { weight: 2, b: 0.9, average: 5 };
const HEADING: Field = { weight: 1.5, b: 0.9, average: 4 };
const CRUMBS: Field = { weight: 1, b: 0.9, average: 4 };
const PROSE: Field = { weight: 1, b: 0.75, average: 100 };
const CODE: Field = { weight: 0.5, b: 0.75, average: 60 };
// The page as a whole. Its description counts here only: in every section it would drown their
// differences.
const DESCRIPTION: Field = { weight: 1.5, b: 0.9, average: 12 };
const KEYWORDS: Field = { weight: 1.5, b: 0.9, average: 5 };
const ALL_HEADINGS: Field = { weight: 1.5, b: 0.75, average: 30 };
const ALL_PROSE: Field = { weight: 1, b: 0.75, average: 600 };
const ALL_CODE: Field = { weight: 0.5, b: 0.75, average: 300 };

/** A word's stem; null for a stop word. */
export type Stemmer = (word: string) => string | null;

/** A page's fields as words or, later, as stems. */
export interface Fields {
  title: string[];
  path: string[];
  description: string[];
  keywords: string[];
  sections: { heading: string[]; crumbs: string[]; prose: string[]; code: string[] }[];
}

export function splitPage(page: IndexPage): Fields {
  return {
    title: words(page.title),
    path: words(page.path),
    description: words(page.description),
    keywords: words(page.keywords.join(' ')),
    sections: page.sections.map(({ heading, crumbs, prose, code }) => ({
      heading: words(heading),
      crumbs: words(crumbs.join(' ')),
      prose: words(prose),
      code: words(code),
    })),
  };
}

/** Every word of a page, for the stemmer. */
export function allWords({ sections, ...page }: Fields): string[] {
  return [page, ...sections].flatMap(fields => Object.values(fields).flat());
}

/** What each stem of a page weighs, for the page and for each of its sections. */
export function weighPage(fields: Fields, stem: Stemmer): WeighedPage {
  const stems = (list: string[]) => list.map(stem).filter(found => found !== null);
  const title = stems(fields.title);
  const path = stems(fields.path);
  const description = stems(fields.description);
  const keywords = stems(fields.keywords);
  const sections = fields.sections.map(({ heading, crumbs, prose, code }) => ({
    heading: stems(heading),
    crumbs: stems(crumbs),
    prose: stems(prose),
    code: stems(code),
  }));

  const postings = new Map<string, Posting>();
  const whole = new Weights()
    .add(title, TITLE)
    .add(path, PATH)
    .add(description, DESCRIPTION)
    .add(keywords, KEYWORDS)
    .add(
      sections.flatMap(section => section.heading),
      ALL_HEADINGS,
    )
    .add(
      sections.flatMap(section => section.prose),
      ALL_PROSE,
    )
    .add(
      sections.flatMap(section => section.code),
      ALL_CODE,
    );
  for (const [name, weight] of whole.sums)
    postings.set(name, { weight, sections: [], weights: [] });

  for (const [n, section] of sections.entries()) {
    const part = new Weights()
      .add(title, TITLE)
      .add(path, PATH)
      .add(section.heading, HEADING)
      .add(section.crumbs, CRUMBS)
      .add(section.prose, PROSE)
      .add(section.code, CODE);
    for (const [name, weight] of part.sums) {
      const posting = postings.get(name) ?? { weight: 0, sections: [], weights: [] };
      posting.sections.push(n);
      posting.weights.push(weight);
      postings.set(name, posting);
    }
  }
  return { postings, texts: sections };
}

class Weights {
  readonly sums = new Map<string, number>();

  add(stems: string[], { weight, b, average }: Field): this {
    const counts = new Map<string, number>();
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    const length = K1 * (1 - b + (b * stems.length) / average);
    for (const [stem, count] of counts) {
      const saturated = (weight * count * (K1 + 1)) / (count + length);
      this.sums.set(stem, (this.sums.get(stem) ?? 0) + saturated);
    }
    return this;
  }
}
