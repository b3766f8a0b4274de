import { parentPort } from 'node:worker_threads';
import type { PageNode } from '../dashboard/contract/page-tree.ts';
import type { WantedSite } from '../../sites/project-site.ts';
import { siteSource } from '../../sites/kinds/source.ts';
import { comparePages } from './compare/compare-pages.ts';
import { wholePage } from './render/render-page.ts';
import type { Edition } from './site-editions.ts';
import { SitePages } from './site-pages.ts';

/** What the thread receives: texts in portions, then which site they are, then questions. */
export type ReaderRequest =
  | { texts: [path: string, text: string][] }
  | { paths: string[]; wanted: WantedSite; isPublic: boolean }
  | { id: number; ask: ReaderQuestion };

export type ReaderQuestion =
  | { type: 'frame'; edition: Partial<Edition> }
  | { type: 'page'; path: string }
  | { type: 'file'; file: string }
  | { type: 'search'; query: string }
  /** The page of a file, and what differs from the one before. */
  | { type: 'changes'; file: string | null; before: PageNode[] };

export type ReaderAnswer = { id: number; answer: unknown } | { id: number; failed: string };

const texts = new Map<string, string>();
let pages: SitePages | undefined;
let failure = 'The site was not read.';

parentPort?.on('message', (request: ReaderRequest) => {
  if ('texts' in request) for (const [path, text] of request.texts) texts.set(path, text);
  else if ('paths' in request) open(request);
  else answer(request.id, request.ask);
});

function open({ paths, wanted, isPublic }: Extract<ReaderRequest, { paths: string[] }>): void {
  try {
    pages = new SitePages(
      siteSource(paths, path => texts.get(path) ?? ''),
      wanted,
      isPublic,
    );
  } catch (error) {
    failure = sentenceOf(error);
  }
}

function answer(id: number, ask: ReaderQuestion): void {
  try {
    if (!pages) throw new Error(failure);
    send({ id, answer: answerTo(pages, ask) });
  } catch (error) {
    send({ id, failed: sentenceOf(error) });
  }
}

function answerTo(site: SitePages, ask: ReaderQuestion): unknown {
  switch (ask.type) {
    case 'frame':
      return site.frame(ask.edition);
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

function sentenceOf(error: unknown): string {
  return error instanceof Error
    ? (error.message.split('\n')[0] ?? '').slice(0, 200)
    : String(error);
}

function send(message: ReaderAnswer): void {
  parentPort?.postMessage(message);
}
