import { isPagePath } from '../../sites/markdown.ts';
import { type Navigation, pageFile } from '../../sites/navigation.ts';
import { cleanSitePath } from '../../sites/page-path.ts';
import type { Finding } from './finding.ts';
import type { BaseView, SiteView } from './site-view.ts';

/**
 * What is wrong with the navigation now and was not before: JSON, entries and redirects that lead
 * nowhere, new pages nobody finds.
 */
export async function checkNavigation(
  added: readonly string[],
  now: SiteView,
  base: BaseView,
): Promise<Finding[]> {
  const [before, after] = await Promise.all([base.navigation(), now.navigation()]);
  const [wasFile] = before.files;
  if (wasFile !== undefined && after.files.length === 0) {
    return [
      {
        path: wasFile,
        line: null,
        rule: 'navigation',
        severity: 'error',
        message: 'The navigation file is gone.',
      },
    ];
  }
  const known = new Set(problems(before, base).map(({ key }) => key));
  const findings = problems(after, now)
    .filter(({ key }) => !known.has(key))
    .map(({ finding }) => finding);
  return [...findings, ...unlisted(added, after, now)];
}

function problems(navigation: Navigation, view: SiteView): { key: string; finding: Finding }[] {
  const found: { key: string; finding: Finding }[] = [];
  const add = (file: string, line: number | null, key: string, message: string): void => {
    found.push({
      key: `${file} ${key}`,
      finding: { path: file, line, rule: 'navigation', severity: 'error', message },
    });
  };
  const { docsFolder, has } = view.site;
  const exists = (path: string) =>
    pageFile(has, docsFolder, path) !== undefined ||
    navigation.generated.some(prefix => path === prefix || path.startsWith(`${prefix}/`));
  for (const { file, line, message } of navigation.errors)
    add(file, line, message.startsWith('is not valid') ? 'json' : message, `The file ${message}.`);
  for (const { file, page, path } of navigation.entries) {
    if (exists(path)) continue;
    add(file, null, page, `The entry "${page}" leads to no page.${view.hint(page)}`);
  }
  const sources = new Set(navigation.redirects.map(({ source }) => cleanSitePath(source)));
  for (const { file, source, destination } of navigation.redirects) {
    const path = cleanSitePath(destination);
    if (/^[a-z][a-z\d+.-]*:|^\/\/|[:*]/i.test(destination) || exists(path) || sources.has(path))
      continue;
    add(
      file,
      null,
      `redirect ${source} ${destination}`,
      `The redirect from ${source} leads to ${destination}, which is not a page.`,
    );
  }
  return found;
}

/**
 * New pages beside listed ones that no entry names: a site with a navigation does not show them.
 */
function unlisted(
  added: readonly string[],
  navigation: Navigation,
  { site: { docsFolder, has } }: SiteView,
): Finding[] {
  if (navigation.entries.length === 0) return [];
  const listed = new Set(navigation.entries.map(({ path }) => pageFile(has, docsFolder, path)));
  const folders = new Set([...listed].map(file => folderOf(file ?? '')));
  return added
    .filter(path => isPagePath(path) && !listed.has(path) && folders.has(folderOf(path)))
    .map(path => ({
      path,
      line: null,
      rule: 'navigation',
      severity: 'warning',
      message: `No entry in ${navigation.files[0]} leads to this new page.`,
    }));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
