import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { siteSource } from '../../sites/kinds/source.ts';
import type { SiteSource } from '../../sites/kinds/site-kind.ts';
import type { WantedSite } from '../../sites/project-site.ts';
import { describeSite } from './describe-site.ts';
import type { IndexPage } from '../../db/search/index-page.ts';
import { parsePublishedPage } from '../indexing/parse-page.ts';
import type { ListedPage, PublishedPage, SiteFacts } from '../../db/search/published-site.ts';

/** What the thread receives: texts in portions, then which site they are, then pages to parse. */
export type SiteRequest =
  | { texts: [path: string, text: string][] }
  | { paths: string[]; wanted: WantedSite }
  | { parse: string };

/** What it sends: what the site is, then its pages, then each page that was asked for. */
export type SiteAnswer =
  { facts: SiteFacts } | { listed: ListedPage[] } | { parsed: string; page: IndexPage };

const texts = new Map<string, string>();
const pages = new Map<string, PublishedPage>();
let source: SiteSource | undefined;

parentPort?.on('message', (request: SiteRequest) => {
  if ('texts' in request) for (const [path, text] of request.texts) texts.set(path, text);
  else if ('paths' in request) describe(request.paths, request.wanted);
  else parse(request.parse);
});

function describe(paths: string[], wanted: WantedSite): void {
  source = siteSource(paths, path => texts.get(path) ?? '');
  const site = describeSite(source, wanted);
  // Before the pages are outlined: people wait for it.
  send({ facts: site.facts });
  for (const page of site.pages()) pages.set(page.path, page);
  send({
    listed: [...pages.values()].map(page => ({
      file: page.file,
      path: page.path,
      digest: createHash('sha256').update(JSON.stringify(page)).digest('hex').slice(0, 32),
    })),
  });
}

function parse(path: string): void {
  const page = pages.get(path);
  if (page) send({ parsed: path, page: parsePublishedPage(page, texts.get(page.file) ?? '') });
}

function send(answer: SiteAnswer): void {
  parentPort?.postMessage(answer);
}
