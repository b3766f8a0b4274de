import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pool } from '../db/pool.ts';
import { replaceIndex } from '../search/indexing/build-index.ts';
import { openSearch } from '../search/search-by-meaning.ts';
import { type Embed, openLocalModel } from '../search/embed.ts';
import { search } from '../search/search-by-words.ts';
import { newProject, withDatabase } from './retrieval/database.ts';
import { lunrDefaults, miniSearch, tsRank, tunedMiniSearch } from './retrieval/peers.ts';
import { languageScores } from './retrieval/languages.ts';
import { buildLargeSite } from './retrieval/scale.ts';
import {
  byPath,
  percentiles,
  type QuestionSet,
  type Ranker,
  readSet,
  type Score,
  score,
  toIndexPage,
} from './retrieval/set.ts';

const SET = join(import.meta.dirname, '../../shared/conformance/retrieval');

/**
 * How well, and how fast, search finds the page that answers a question, through the SQL that the
 * routes use, beside other engines on the same questions. `--set` names a folder of questions and
 * pages; `--repositories`, a folder with
 * checkouts, adds questions in seven languages; `--model`, a folder with the embedding model, adds the search by meaning (some 10 minutes
 * for 9,000 sections on one core).
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: {
      set: { type: 'string', default: SET },
      json: { type: 'string' },
      model: { type: 'string' },
      repositories: { type: 'string' },
    },
  });
  const set = readSet(values.set);
  return withDatabase(async pool => {
    const lexical = report('Docent', await score(set.questions, await docent(pool, set)));
    const embed = values.model === undefined ? undefined : await openLocalModel(values.model);
    const dense = embed
      ? report('Docent, by meaning', await score(set.questions, await docent(pool, set, embed)))
      : null;
    const peers: Record<string, Score> = {};
    const engines: [string, () => Ranker | Promise<Ranker>][] = [
      ['MiniSearch', () => miniSearch(set)],
      ['MiniSearch, tuned', () => tunedMiniSearch(set)],
      ['lunr', () => lunrDefaults(set)],
      ['Postgres ts_rank_cd', () => tsRank(pool, set)],
    ];
    for (const [name, open] of engines)
      peers[name] = report(name, await score(set.questions, await open()));
    const scale = {
      '5,000 pages': await atScale(pool, set, 5_000, 5),
      '50,000 sections': await atScale(pool, set, 10_000, 5),
    };
    console.table(scale);
    const languages =
      values.repositories === undefined
        ? null
        : await languageScores(pool, values.repositories, domain => newProject(pool, domain));
    return { retrieval: { lexical, dense, peers, scale, languages } };
  });
}

function report(name: string, result: Score): Score {
  console.log(
    [
      name.padEnd(20),
      `nDCG@10 ${result.ndcg10.toFixed(3)} `,
      `MRR@10 ${result.mrr10.toFixed(3)} `,
      `recall@5 ${result.recall5.toFixed(3)} `,
      `p50 ${result.p50ms.toFixed(1)} ms `,
      `p95 ${result.p95ms.toFixed(1)} ms`,
    ].join(' '),
  );
  return result;
}

async function docent(pool: Pool, set: QuestionSet, embed?: Embed): Promise<Ranker> {
  const find = openSearch(pool, embed);
  const sites = new Map<string, { projectId: string; pages: ReturnType<typeof byPath> }>();
  for (const [site, list] of set.sites) {
    const pages = byPath(list);
    const projectId = await newProject(pool, embed ? `${site}-dense` : site);
    await replaceIndex(
      pool,
      projectId,
      'bench',
      [...pages].map(([path, page]) => ({
        path,
        key: 'bench',
        load: async () => toIndexPage(path, page),
      })),
      { embed },
    );
    sites.set(site, { projectId, pages });
  }
  return async ({ site, query, exclude }) => {
    const { projectId, pages } = sites.get(site)!;
    const results = await find({ projectId, query, pageSize: Math.min(50, 10 + exclude.length) });
    return results.map(result => pages.get(result.path)!.id);
  };
}

async function atScale(pool: Pool, set: QuestionSet, pages: number, sectionsAPage: number) {
  const projectId = await newProject(pool, `scale-${pages}`);
  const { seconds } = await buildLargeSite(pool, projectId, set, pages, sectionsAPage);
  const times: number[] = [];
  for (const { query } of set.questions) {
    const started = performance.now();
    await search(pool, { projectId, query, pageSize: 5 });
    times.push(performance.now() - started);
  }
  return { pages, sections: pages * sectionsAPage, buildSeconds: seconds, ...percentiles(times) };
}
