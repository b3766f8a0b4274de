import { pageLinks, type PageLink } from '../../shared/site/links.ts';
import { parsePage, type Page } from '../../shared/site/markdown.ts';
import { nearest } from '../tools/near.ts';
import type { Finding } from './finding.ts';
import type { BaseView, LinkProblem, SiteView } from './site-view.ts';

/** A page that the job changed, and what it was before. */
export interface ChangedPage {
  path: string;
  text: string;
  /** Undefined for a new page. */
  before: string | undefined;
}

/** What is wrong with a changed page and was not wrong with it before. `moved` are mistakes that deleted pages had. */
export async function checkPage(page: ChangedPage, now: SiteView, base: BaseView, moved: ReadonlySet<string>): Promise<Finding[]> {
  const parsed = parsePage(page.path, page.text);
  const before = page.before === undefined ? undefined : parsePage(page.path, page.before);
  const findings: Finding[] = [];
  if (parsed.error && parsed.error.rule !== before?.error?.rule) {
    const { rule, line, message } = parsed.error;
    findings.push({ path: page.path, line, rule, severity: 'error', message });
  }
  if (parsed.error?.rule !== 'frontmatter') findings.push(...await checkFrontmatter(page.path, parsed, before, base));

  const known = new Set(before === undefined ? [] : pageLinks(before.tree, page.before ?? '').map(({ url }) => url));
  for (const link of pageLinks(parsed.tree, page.text)) {
    const problem = await now.linkProblem(link.url, page.path);
    if (!problem || moved.has(problem.key)) continue;
    // A link that stood here before is this job's fault only if it was good then.
    const wasBroken = known.has(link.url) && (await base.linkProblem(link.url, page.path)) !== undefined;
    if (!wasBroken) findings.push(linkFinding(page.path, link, problem, now));
  }
  return findings;
}

/** The finding of a link that leads nowhere; names what is near. */
export function linkFinding(path: string, link: PageLink, problem: LinkProblem, now: SiteView): Finding {
  if (problem.rule === 'anchor') {
    return { path, line: link.line, rule: 'anchor', severity: 'warning', message: `${link.url}: ${problem.path} has no heading or id "${problem.anchor}".` };
  }
  const { docsFolder } = now.site;
  const hint = nearestPages(problem.path, now);
  const folder = link.url.startsWith('/') && docsFolder !== '' ? ` (links that begin with / start at ${docsFolder}/)` : '';
  return {
    path,
    line: link.line,
    rule: link.kind === 'image' ? 'image' : 'link',
    severity: 'error',
    message: `${link.url} leads to no file${folder}.${hint}`,
  };
}

function nearestPages(path: string, now: SiteView): string {
  const near = nearest(path, now.paths, 2);
  return near.length === 0 ? '' : ` Nearest: ${near.join(', ')}.`;
}

async function checkFrontmatter(path: string, page: Page, before: Page | undefined, base: BaseView): Promise<Finding[]> {
  const has = (name: string) => page.frontmatter[name] !== undefined && page.frontmatter[name] !== null && page.frontmatter[name] !== '';
  const findings: Finding[] = [];
  if (before === undefined) {
    if (!has('title') && await base.titlesAreUsual()) {
      findings.push({ path, line: 1, rule: 'frontmatter', severity: 'error', message: 'The page needs frontmatter with a title, as the other pages have.' });
    }
    return findings;
  }
  for (const name of Object.keys(before.frontmatter)) {
    if (has(name) || (name in page.frontmatter && name !== 'title')) continue;
    const severity = name === 'title' ? 'error' : 'warning';
    findings.push({ path, line: 1, rule: 'frontmatter', severity, message: `The frontmatter no longer has \`${name}\`.` });
  }
  return findings;
}
