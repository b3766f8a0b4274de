import { createHash } from 'node:crypto';
import { siteSource } from '../../sites/kinds/source.ts';
import type { WantedSite } from '../../sites/project-site.ts';
import { type AskBack, serveThread } from '../../shared/threads/serve-thread.ts';
import { describeSite } from './describe-site.ts';
import type { IndexPage } from '../../db/search/index-page.ts';
import { parsePublishedPage } from '../indexing/parse-page.ts';
import type { ListedPage, PublishedPage, SiteFacts } from '../../db/search/published-site.ts';
import { receiveTexts, type Text } from './site-texts.ts';

/** What the thread is asked: the site first, for which it asks back its texts. */
export type SiteQuestion =
  | { kind: 'site'; paths: string[]; wanted: WantedSite }
  | { kind: 'pages' }
  | { kind: 'page'; path: string };

export interface SiteAnswers {
  site: SiteFacts;
  pages: ListedPage[];
  page: IndexPage;
}

let texts: ReadonlyMap<string, string>;
let site: ReturnType<typeof describeSite>;
const pages = new Map<string, PublishedPage>();

serveThread((question: SiteQuestion, askBack: AskBack<'texts', Text[]>) => {
  switch (question.kind) {
    case 'site':
      return describe(question.paths, question.wanted, askBack);
    case 'pages':
      return list();
    case 'page':
      return parse(question.path);
  }
});

async function describe(
  paths: string[],
  wanted: WantedSite,
  askBack: AskBack<'texts', Text[]>,
): Promise<SiteFacts> {
  texts = await receiveTexts(askBack);
  site = describeSite(
    siteSource(paths, path => texts.get(path) ?? ''),
    wanted,
  );
  return site.facts;
}

function list(): ListedPage[] {
  for (const page of site.pages()) pages.set(page.path, page);
  return [...pages.values()].map(page => ({
    file: page.file,
    path: page.path,
    digest: createHash('sha256').update(JSON.stringify(page)).digest('hex').slice(0, 32),
  }));
}

function parse(path: string): IndexPage {
  const page = pages.get(path);
  if (!page) throw new Error(`${path} is not a page.`);
  return parsePublishedPage(page, texts.get(page.file) ?? '');
}
