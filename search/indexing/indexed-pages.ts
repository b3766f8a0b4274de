import type { Site, SitePage, SiteSource } from '../../sites/kinds/site-kind.ts';
import { below } from '../../sites/kinds/paths.ts';
import type { ProjectSite } from '../../sites/project-site.ts';
import { candidateFiles } from '../../sites/page-path.ts';

/** What an index of Postgres holds of a page must fit in 2,700 bytes. */
const LONGEST_PATH = 500;
/** Other formats (reStructuredText, AsciiDoc, notebooks) are listed by a site and not read. */
const MARKDOWN = /\.(?:mdx?|markdown|mdoc)$/i;
/** Instruction files are ours. */
const INSTRUCTIONS = /(?:^|\/)(?:AGENTS|ASSISTANT)\.md$/;
/** Where no generator says so: snippets, and names that platforms keep for themselves. */
const NO_PAGE = /\/(?:[._]|(?:snippets|node_modules)\/)/;

/** One for each path: drafts, unlisted pages and posts are left out. */
export function indexedPages(
  { kind, site }: ProjectSite,
  source: SiteSource,
  folder: string | undefined,
): SitePage[] {
  // A generator's own docs folder has more beside it: versions, translations.
  const isPart =
    folder !== undefined &&
    folder !== site.docsFolder &&
    below(folder, site.docsFolder) === undefined;
  const pages = new Map<string, SitePage>();
  for (const page of site.pages) {
    if (!isIndexed(page) || (isPart && below(folder, page.file) === undefined)) continue;
    if (kind.isPlain && (NO_PAGE.test(page.path) || !isChosen(page, site, source))) continue;
    if (!pages.has(page.path)) pages.set(page.path, page);
  }
  return [...pages.values()];
}

function isIndexed(page: SitePage): boolean {
  if (page.draft || page.unsearched || page.kind === 'blog') return false;
  if (page.path.length > LONGEST_PATH || page.url.length > LONGEST_PATH) return false;
  return MARKDOWN.test(page.file) && !INSTRUCTIONS.test(page.file);
}

/**
 * Two files may claim a path (`install.mdx`, `install/index.md`): the one that links lead to is the
 * page.
 */
function isChosen(page: SitePage, site: Site, source: SiteSource): boolean {
  const candidates = candidateFiles(site.docsFolder, page.path);
  return candidates.find(file => source.has(file)) === page.file;
}
