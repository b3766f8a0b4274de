import { createHash } from 'node:crypto';
import { siteSource } from '../../sites/kinds/source.ts';
import type { WantedSite } from '../../sites/project-site.ts';
import { type AskBack, serveThread } from '../../shared/threads/serve-thread.ts';
import { describeSite } from './describe-site.ts';
import type { IndexPage } from '../../db/search/index-page.ts';
import { parsePageText, parsePublishedPage } from '../indexing/parse-page.ts';
import type { PageText } from '../../db/search/published.ts';
import type { SeenSite } from '../../sites/published/seen-page.ts';
import type { ListedPage, PublishedPage } from '../../db/search/published-site.ts';
import { type AskedTexts, receiveParts, receiveTexts, type Text } from './site-texts.ts';

/** What the thread is asked: the site first, for which it asks back its texts. */
export type SiteQuestion =
  | { kind: 'site'; paths: string[]; wanted: WantedSite; seen: SeenSite | null }
  | { kind: 'pages' }
  /** `text`: of a page that is read as its site publishes it. */
  | { kind: 'page'; path: string; text: PageText | undefined };

export interface SiteAnswers {
  site: Pick<ReturnType<typeof describeSite>, 'facts' | 'compared'>;
  pages: ListedPage[];
  page: IndexPage;
}

let site: ReturnType<typeof describeSite>;
const pages = new Map<string, PublishedPage>();

serveThread((question: SiteQuestion, askBack: AskBack<AskedTexts, Text[]>) => {
  switch (question.kind) {
    case 'site':
      return describe(question, askBack);
    case 'pages':
      return list();
    case 'page':
      return parse(question.path, question.text);
  }
});

async function describe(
  { paths, wanted, seen }: Extract<SiteQuestion, { kind: 'site' }>,
  askBack: AskBack<AskedTexts, Text[]>,
): Promise<SiteAnswers['site']> {
  const texts = await receiveTexts(askBack);
  site = describeSite(
    siteSource(paths, path => texts.get(path) ?? ''),
    wanted,
    seen,
  );
  await receiveParts(askBack, site.site, texts);
  const { facts, compared } = site;
  return {
    facts,
    compared: compared && { addresses: compared.addresses, wanted: compared.wanted },
  };
}

function list(): ListedPage[] {
  for (const page of site.pages()) pages.set(page.path, page);
  return [...pages.values()].map(page => ({
    file: page.file,
    path: page.path,
    readAt: page.readAt?.path ?? null,
    parts: page.parts ?? [],
    digest: createHash('sha256').update(JSON.stringify(page)).digest('hex').slice(0, 32),
  }));
}

function parse(path: string, text: PageText | undefined): IndexPage {
  const page = pages.get(path);
  if (!page) throw new Error(`${path} is not a page.`);
  return text ? parsePageText(page, text) : parsePublishedPage(page, site.textOf(page.file));
}
