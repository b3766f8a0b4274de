import type { PageNode } from '../dashboard/contract/page-tree.ts';
import type { WantedSite } from '../../sites/project-site.ts';
import {
  type AskedTexts,
  receiveParts,
  receiveTexts,
  type Text,
} from '../../search/site/site-texts.ts';
import { siteSource } from '../../sites/kinds/source.ts';
import { type AskBack, serveThread } from '../../shared/threads/serve-thread.ts';
import { comparePages } from './compare/compare-pages.ts';
import { wholePage } from './render/render-page.ts';
import type { Edition } from './site-editions.ts';
import { SitePages } from './site-pages.ts';

/** What the thread is asked: the site first, for which it asks back its texts. */
export type ReaderQuestion =
  | { type: 'site'; paths: string[]; wanted: WantedSite; isPublic: boolean }
  | { type: 'frame'; edition: Partial<Edition> }
  | { type: 'paths' }
  | { type: 'page'; path: string }
  | { type: 'file'; file: string }
  | { type: 'search'; query: string }
  /** The page of a file, and what differs from the one before. */
  | { type: 'changes'; file: string | null; before: PageNode[] };

type SiteQuestion = Extract<ReaderQuestion, { type: 'site' }>;

let pages: SitePages | undefined;
let failure = 'The site was not read.';

serveThread(async (question: ReaderQuestion, askBack: AskBack<AskedTexts, Text[]>) => {
  if (question.type === 'site') return await open(question, askBack);
  if (!pages) throw new Error(failure);
  return answerTo(pages, question);
});

/** Why it fails is the answer to whatever is asked afterwards. */
async function open(
  { paths, wanted, isPublic }: SiteQuestion,
  askBack: AskBack<AskedTexts, Text[]>,
): Promise<void> {
  const texts = await receiveTexts(askBack);
  try {
    pages = new SitePages(
      siteSource(paths, path => texts.get(path) ?? ''),
      wanted,
      isPublic,
    );
    await receiveParts(askBack, pages.site, texts);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
}

function answerTo(site: SitePages, ask: Exclude<ReaderQuestion, SiteQuestion>): unknown {
  switch (ask.type) {
    case 'frame':
      return site.frame(ask.edition);
    case 'paths':
      return site.paths();
    case 'page':
      return site.page(ask.path);
    case 'file':
      return site.fileText(ask.file);
    case 'search':
      return site.search(ask.query);
    case 'changes':
      return comparePages(ask.before, ask.file === null ? [] : wholePage(site.fileText(ask.file)));
  }
}
