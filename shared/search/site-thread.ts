import { parentPort } from 'node:worker_threads';
import { siteSource } from '../site/kinds/source.ts';
import { describeSite } from './describe-site.ts';
import type { WantedSite } from './published-site.ts';

/** What the thread receives: texts in portions, then the question. */
export type SiteMessage =
  { texts: [path: string, text: string][] } | { paths: string[]; wanted: WantedSite };

const texts = new Map<string, string>();

parentPort?.on('message', (message: SiteMessage) => {
  if ('texts' in message) for (const [path, text] of message.texts) texts.set(path, text);
  else {
    const source = siteSource(message.paths, path => texts.get(path) ?? '');
    parentPort?.postMessage({ site: describeSite(source, message.wanted) });
    parentPort?.close();
  }
});
