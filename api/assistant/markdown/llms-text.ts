import { describeHome, listOpenPages, type OpenPage } from '../../../db/search/open-pages.ts';
import { addressOf, type MarkdownSite } from './markdown-site.ts';
import { inLine, pagesMarkdown } from './page-markdown.ts';

/** Characters of an llms.txt: agents read it whole. */
const LONGEST = 100_000;
const LONGEST_DESCRIPTION = 300;

/** Title, description, and a link to the Markdown of each page, in the order of the navigation. */
export async function* llmsText(site: MarkdownSite): AsyncGenerator<string> {
  let room = LONGEST;
  const about = (await describeHome(site.db, site.projectId)) || `Documentation of ${site.name}.`;
  const head = `# ${inLine(site.name)}\n\n> ${inLine(about)}\n\n## Docs\n\n`;
  room -= head.length;
  yield head;
  for await (const pages of listOpenPages(site.db, site.projectId)) {
    let text = '';
    for (const page of pages) {
      const entry = entryOf(site, page);
      if ((room -= entry.length) < 0) break;
      text += entry;
    }
    yield text;
    if (room < 0) return;
  }
}

/** Every page, one after the other, each with its address. */
export async function* llmsFullText(site: MarkdownSite): AsyncGenerator<string> {
  for await (const pages of listOpenPages(site.db, site.projectId, { withContent: true }))
    yield await pagesMarkdown(site, pages);
}

function entryOf(site: MarkdownSite, { path, title, description }: OpenPage): string {
  const file = path === '/' ? '/index.md' : `${path}.md`;
  const link = addressOf(site, file).replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  const about = description === '' ? '' : `: ${inLine(description).slice(0, LONGEST_DESCRIPTION)}`;
  return `- [${inLine(title).replace(/[[\]]/g, '\\$&')}](${link})${about}\n`;
}
