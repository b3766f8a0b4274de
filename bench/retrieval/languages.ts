import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from '../../db/pool.ts';
import { indexPages } from '../../search/indexing/build-index.ts';
import { search } from '../../search/search-by-words.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { folderSource } from '../../sites/command/folder-source.ts';
import type { Snapshot, TreeEntry } from '../../shared/workspace.ts';

/** A question of ours about a page of VitePress' own docs, which are in eight languages. */
interface LanguageQuestion {
  language: string;
  query: string;
  /** Path of the page in the default language. */
  page: string;
}

const SITE = 'vitepress-vitepress';

/**
 * Questions in several languages, with no language named: how often the page is found in the
 * question's language, and how many results are in another one. `repositories` contains a checkout
 * of VitePress in `vitepress-vitepress`.
 */
export async function languageScores(
  pool: Pool,
  repositories: string,
  newProject: (domain: string) => Promise<string>,
): Promise<Record<string, object>> {
  const folder = join(repositories, SITE);
  if (!existsSync(folder)) {
    console.log(`languages: there is no ${folder}; nothing to score.`);
    return {};
  }
  const projectId = await newProject('languages');
  await indexPages(pool, projectId, { snapshot: folderSnapshot(folder), kind: 'vitepress' });
  const scores: Record<string, ReturnType<typeof newScore>> = {};
  for (const { language, query, page } of readQuestions()) {
    const score = (scores[language] ??= newScore());
    const found = (await search(pool, { projectId, query, pageSize: 5 })).map(({ path }) => path);
    const wanted = language === 'en' ? page : `/${language}${page}`;
    score.questions += 1;
    if (found[0] === wanted) score.first += 1;
    if (found.includes(wanted)) score.inFive += 1;
    score.inOtherLanguage += found.filter(path => languageOf(path) !== language).length;
  }
  console.table(scores);
  return scores;
}

function newScore() {
  return { questions: 0, first: 0, inFive: 0, inOtherLanguage: 0 };
}

function languageOf(path: string): string {
  return /^\/(es|fa|ja|ko|pt|ru|zh)(?:\/|$)/.exec(path)?.[1] ?? 'en';
}

function readQuestions(): LanguageQuestion[] {
  return readFileSync(join(import.meta.dirname, 'languages.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as LanguageQuestion);
}

/** A folder on disk as if it were a commit. */
function folderSnapshot(folder: string): Snapshot {
  const entries = new Map<string, TreeEntry>();
  for (const path of folderSource(folder).paths) {
    const file = join(folder, path);
    const id = createHash('sha1').update(readFileSync(file)).digest('hex');
    entries.set(path, { id, mode: '100644', size: statSync(file).size });
  }
  return {
    commit: 'folder',
    entries,
    read: async path => (entries.has(path) ? await readFile(join(folder, path)) : undefined),
  };
}
