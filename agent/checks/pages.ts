import { brokenAnchor } from '../../shared/agent-text.ts';
import { resolveLink } from '../../sites/resolve-link.ts';
import type { PageLink } from '../../sites/page-links.ts';
import type { Finding } from './finding.ts';
import { type PageFacts, pageFacts } from './page-facts.ts';
import type { BaseView, LinkProblem, SiteView } from './site-view.ts';

export interface PageChecks {
  now: SiteView;
  base: BaseView;
  /** Mistakes that deleted pages had. */
  moved: ReadonlySet<string>;
  /** All files of the job. */
  changes: ReadonlyMap<string, unknown>;
}

/** What is wrong with a changed page and was not wrong with it before. */
export async function checkPage(
  path: string,
  text: string,
  { now, base, moved, changes }: PageChecks,
): Promise<Finding[]> {
  const facts = pageFacts(path, text);
  const before = await base.facts(path);
  const findings: Finding[] = [];
  if (facts.error && facts.error.rule !== before?.error?.rule) {
    const { rule, line, message } = facts.error;
    findings.push({ path, line, rule, severity: 'error', message });
  }
  if (facts.error?.rule !== 'frontmatter')
    findings.push(...(await checkFrontmatter(path, facts, before, base)));

  const known = new Set(before?.links.map(({ url }) => url));
  for (const link of facts.links) {
    if (known.has(link.url) && leadsAsBefore(link.url, path, { now, base, changes })) continue;
    const problem = await now.linkProblem(link.url, path);
    if (!problem || moved.has(problem.key)) continue;
    // A link that stood here before is this job's fault only if it was good then.
    const wasBroken = known.has(link.url) && (await base.linkProblem(link.url, path)) !== undefined;
    if (!wasBroken) findings.push(linkFinding(path, link, problem, now));
  }
  return findings;
}

/** Whether a link leads to the same file, which the job left alone: its page need not be read. */
function leadsAsBefore(
  url: string,
  path: string,
  { now, base, changes }: Pick<PageChecks, 'now' | 'base' | 'changes'>,
): boolean {
  const [before, after] = [base, now].map(({ site }) => resolveLink(url, path, site));
  if (!before || !after || before.kind === 'external' || after.kind === 'external') return false;
  return after.file !== undefined && after.file === before.file && !changes.has(after.file);
}

/** The finding of a link that leads nowhere; names what is near. */
export function linkFinding(
  path: string,
  link: PageLink,
  problem: LinkProblem,
  now: SiteView,
): Finding {
  if (problem.rule === 'anchor') {
    return {
      path,
      line: link.line,
      rule: 'anchor',
      severity: 'warning',
      message: brokenAnchor(link.url, `${problem.path} has no heading or id "${problem.anchor}".`),
    };
  }
  const { docsFolder } = now.site;
  const folder =
    link.url.startsWith('/') && docsFolder !== ''
      ? ` (links that begin with / start at ${docsFolder}/)`
      : '';
  return {
    path,
    line: link.line,
    rule: link.kind === 'image' ? 'image' : 'link',
    severity: 'error',
    message: `${link.url} leads to no file${folder}.${now.hint(problem.path)}`,
  };
}

async function checkFrontmatter(
  path: string,
  page: PageFacts,
  before: PageFacts | undefined,
  base: BaseView,
): Promise<Finding[]> {
  const has = (name: string) =>
    page.frontmatter[name] !== undefined &&
    page.frontmatter[name] !== null &&
    page.frontmatter[name] !== '';
  const findings: Finding[] = [];
  const add = (severity: Finding['severity'], message: string) =>
    findings.push({ path, line: 1, rule: 'frontmatter', severity, message });
  if (before === undefined) {
    if (!has('title') && (await base.titlesAreUsual()))
      add('error', 'The page needs frontmatter with a title, as the other pages have.');
    return findings;
  }
  for (const name of Object.keys(before.frontmatter)) {
    if (has(name) || (name in page.frontmatter && name !== 'title')) continue;
    add(name === 'title' ? 'error' : 'warning', `The frontmatter no longer has \`${name}\`.`);
  }
  return findings;
}
