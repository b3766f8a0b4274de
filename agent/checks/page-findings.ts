import { brokenLink } from '../../shared/agent-text.ts';
import type { CheckedSite } from '../site/checked-site.ts';
import { isThere } from '../site/relink.ts';
import type { Finding } from './finding.ts';
import { pageFacts } from './page-facts.ts';

/**
 * A changed page that cannot be parsed, imports what is not there, or whose front matter lost
 * something.
 */
export function pageFindings(
  path: string,
  text: string,
  before: CheckedSite,
  now: CheckedSite,
): Finding[] {
  const findings: Finding[] = [];
  const old = before.source.read(path);
  const { error } = pageFacts(path, text);
  if (
    error &&
    error.rule !== 'frontmatter' &&
    (old === undefined || error.rule !== pageFacts(path, old).error?.rule)
  ) {
    const { rule, line, message } = error;
    findings.push({ path, line, rule, severity: 'error', message });
  }
  findings.push(...importFindings(path, before, now));
  const { frontMatter, frontMatterError } = now.source.outline(path);
  if (frontMatterError) return findings;
  const add = (severity: Finding['severity'], message: string) =>
    findings.push({ path, line: 1, rule: 'frontmatter', severity, message });
  const hasTitle = (frontMatter.title ?? '') !== '';
  if (old === undefined) {
    const isPage = now.site.pages.some(page => page.file === path);
    if (isPage && !hasTitle && titlesAreUsual(before))
      add('error', 'The page needs frontmatter with a title, as the other pages have.');
    return findings;
  }
  for (const [name, value] of Object.entries(before.source.outline(path).frontMatter)) {
    if (name === 'title' && (value ?? '') !== '' && !hasTitle)
      add('error', 'The frontmatter no longer has `title`.');
    else if (!(name in frontMatter)) add('warning', `The frontmatter no longer has \`${name}\`.`);
  }
  return findings;
}

/** Most pages name their title in front matter, so that a new page has to as well. */
function titlesAreUsual({ source, site }: CheckedSite): boolean {
  const titled = site.pages.filter(
    ({ file }) => (source.outline(file).frontMatter.title ?? '') !== '',
  );
  return site.pages.length > 0 && titled.length / site.pages.length > 0.8;
}

/** A folder has no rule for imports that begin with a slash but ours; generators have their own. */
function importFindings(
  path: string,
  before: CheckedSite,
  { source, kind, site }: CheckedSite,
): Finding[] {
  const known = before.source.outline(path).imports.map(one => one.path);
  return source.outline(path).imports.flatMap(({ path: url, line }): Finding[] => {
    const isJudged = url.startsWith('.') || (url.startsWith('/') && kind.isPlain);
    if (!isJudged || known.includes(url) || isThere(site, source, { kind: 'import', url }, path))
      return [];
    return [
      { path, line, rule: 'link', severity: 'error', message: `${brokenLink(url, undefined)}.` },
    ];
  });
}
