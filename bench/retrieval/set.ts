import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { IndexPage } from '../../db/search/index-page.ts';

export interface CorpusSection {
  anchor: string;
  heading: string;
  crumbs: string[];
  text: string;
  code: string;
}

export interface CorpusPage {
  id: string;
  title: string;
  description: string;
  keywords: string[];
  sections: CorpusSection[];
}

export interface Question {
  site: string;
  kind: string;
  query: string;
  relevant: string[];
  /** Pages left out of scoring. */
  exclude: string[];
}

export interface QuestionSet {
  sites: Map<string, CorpusPage[]>;
  questions: Question[];
}

/** Reads a folder of the form of `../shared/conformance/retrieval`. */
export function readSet(folder: string): QuestionSet {
  const corpus = join(folder, 'corpus');
  if (!existsSync(corpus))
    throw new Error(`There is no question set in ${folder}; name its folder with --set.`);
  const sites = new Map<string, CorpusPage[]>();
  for (const file of readdirSync(corpus).sort()) {
    const bytes = readFileSync(join(corpus, file));
    sites.set(file.split('.')[0] ?? file, lines(file.endsWith('.gz') ? gunzipSync(bytes) : bytes));
  }
  return { sites, questions: lines(readFileSync(join(folder, 'queries.jsonl'))) };
}

function lines<T>(bytes: Buffer): T[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as T);
}

/**
 * Each page by its site path, as sites/page-path.ts would give it; ids that are addresses
 * lose their origin.
 */
export function byPath(pages: CorpusPage[]): Map<string, CorpusPage> {
  const plain = pages.map(page => ({
    page,
    path: `/${page.id.replace(/^https?:\/\/[^/]+\//, '')}`,
  }));
  const taken = new Set(plain.map(({ path }) => path));
  return new Map(
    plain.map(({ page, path }) => {
      const folder = path.replace(/\/index$/, '') || '/';
      return [taken.has(folder) ? path : folder, page];
    }),
  );
}

export function toIndexPage(path: string, page: CorpusPage): IndexPage {
  return {
    path,
    title: page.title,
    description: page.description,
    keywords: page.keywords,
    version: null,
    language: null,
    groups: null,
    boost: 1,
    searchable: true,
    content: page.sections.map(section => section.text).join('\n\n'),
    sections: page.sections.map(({ anchor, heading, crumbs, text, code }) => ({
      anchor: anchor === '' ? null : anchor,
      heading,
      crumbs,
      prose: text,
      code,
      text: code === '' ? text : `${text}\n\n${code}`,
    })),
  };
}

export interface Score {
  ndcg10: number;
  mrr10: number;
  recall5: number;
  p50ms: number;
  p95ms: number;
}

/** Ranks the pages of a question's site: page ids, best first. */
export type Ranker = (question: Question) => Promise<string[]> | string[];

/** Smaller (site, kind) sets are noise and stay out of the averages. */
const SMALLEST_SET = 10;

/**
 * Asks every question once, one after the other; quality is averaged over the (site, kind) sets.
 */
export async function score(questions: Question[], rank: Ranker): Promise<Score> {
  const sets = new Map<string, { ndcg: number[]; mrr: number[]; recall: number[] }>();
  const times: number[] = [];
  for (const question of questions) {
    const started = performance.now();
    const ranked = await rank(question);
    times.push(performance.now() - started);
    const name = `${question.site}/${question.kind}`;
    const set = sets.get(name) ?? { ndcg: [], mrr: [], recall: [] };
    sets.set(name, set);
    const hits = ranked
      .filter(id => !question.exclude.includes(id))
      .slice(0, 10)
      .map(id => question.relevant.includes(id));
    const gains = hits.map((hit, i) => (hit ? 1 / Math.log2(i + 2) : 0));
    const ideal = question.relevant.slice(0, 10).map((_, i) => 1 / Math.log2(i + 2));
    set.ndcg.push(sum(gains) / sum(ideal));
    set.mrr.push(hits.includes(true) ? 1 / (hits.indexOf(true) + 1) : 0);
    set.recall.push(hits.slice(0, 5).filter(Boolean).length / question.relevant.length);
  }
  const large = [...sets.values()].filter(set => set.ndcg.length >= SMALLEST_SET);
  return {
    ndcg10: round(mean(large.map(set => mean(set.ndcg)))),
    mrr10: round(mean(large.map(set => mean(set.mrr)))),
    recall5: round(mean(large.map(set => mean(set.recall)))),
    ...percentiles(times),
  };
}

export function percentiles(times: number[]): { p50ms: number; p95ms: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return { p50ms: at(0.5), p95ms: at(0.95) };
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
