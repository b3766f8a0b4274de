import { indexPages } from '../../search/indexing/build-index.ts';
import { search } from '../../search/search-by-words.ts';
import type { Pool } from '../../db/pool.ts';
import { memorySnapshot } from '../../test/support/memory-snapshot.ts';
import { checkOut, gitGrep } from '../large-site/git-grep.ts';
import { measureTools } from '../large-site/measure-tools.ts';
import { type BenchSite, generatedSite } from '../large-site/site.ts';
import { percentile } from '../jobs/activity-times.ts';
import { newProject, withDatabase } from '../retrieval/database.ts';
import { turned } from './measure.ts';
import type { Report } from './report.ts';

const SIZES = [100, 300, 1_000, 3_000, 10_000];
/** Sizes that are indexed as well, which takes the longest. */
const INDEXED = [100, 1_000, 10_000];
const KIND = 'docs.json';
const SEARCHES = 100;
const WORDS = 'archive branch cluster deploy endpoint filter gateway handler index journal'.split(
  ' ',
);
const TOOLS = ['search_text, again (median)', 'check after one edit', 'move_page', 'finish'];

type Row = Record<string, number>;

/** From 100 to 10,000 pages: the tools of a job, indexing, and search, beside `git grep`. */
export async function pages(report: Report): Promise<Record<string, unknown>> {
  const rows: Row[] = [];
  await measureTools(generatedSite(KIND, 120, 1)); // compiled, as in a worker that has run
  await withDatabase(async pool => {
    await searchTimes(pool, generatedSite(KIND, 120, 1));
    for (const [i, size] of SIZES.entries()) {
      const pageCount = report.of(size);
      const site = generatedSite(KIND, pageCount, 2 + i);
      rows.push({ Pages: pageCount, ...(await measureSize(pool, site, INDEXED.includes(size))) });
      console.log(rows.at(-1));
    }
  });
  await report.table('growth-of-pages', 'Growth of pages, in ms', turned(rows, 'Pages'));
  await draw(report, rows);
  return { rows };
}

async function measureSize(pool: Pool, site: BenchSite, indexes: boolean): Promise<Row> {
  const measured = await measureTools(site);
  const checkout = await checkOut(site.files);
  const { filesMs } = await gitGrep(checkout, site.pattern);
  await checkout.remove();
  const tools = Object.fromEntries(
    TOOLS.map(name => [
      name.split(',')[0]?.replace(' after one edit', '') ?? name,
      measured.find(({ what }) => what === name)?.ms ?? NaN,
    ]),
  );
  return {
    'git grep': filesMs,
    ...tools,
    'Held, longest': Math.max(...measured.map(({ heldMs }) => heldMs)),
    ...(indexes && (await searchTimes(pool, site))),
    'Memory, MB': Math.round(process.memoryUsage().rss / 1e6),
  };
}

/** Indexes the site and searches it. */
async function searchTimes(pool: Pool, site: BenchSite): Promise<Row> {
  const projectId = await newProject(pool, `pages-${site.pages.length}-${Date.now()}`);
  const started = performance.now();
  const { docsFolder } = site;
  await indexPages(pool, projectId, { snapshot: memorySnapshot(site.files), docsFolder });
  const indexing = Math.round(performance.now() - started);
  const times: number[] = [];
  for (let i = 0; i < SEARCHES; i++) {
    const [one, other] = [WORDS[i % WORDS.length], WORDS[(i * 3 + 1) % WORDS.length]];
    const query = `How does the ${one} of widget${i} change the ${other}?`;
    const began = performance.now();
    await search(pool, { projectId, query, pageSize: 5 });
    times.push(performance.now() - began);
  }
  return {
    Indexing: indexing,
    'Search, p50': percentile(times, 0.5),
    'Search, p95': percentile(times, 0.95),
  };
}

async function draw(report: Report, rows: Row[]): Promise<void> {
  const curve = (name: string) => ({
    name,
    points: rows
      .filter(row => row[name] !== undefined)
      .map((row): [number, number] => [row['Pages'] ?? 1, Math.max(1, row[name] ?? 1)]),
  });
  await report.curves('growth-of-pages', {
    title: 'Time by the number of pages of a site',
    ...{ x: 'pages', y: 'ms', logY: true },
    lines: ['search_text', 'git grep', 'check', 'move_page', 'finish', 'Search, p50'].map(curve),
    goal: { name: '500 ms', y: 500 },
  });
}
