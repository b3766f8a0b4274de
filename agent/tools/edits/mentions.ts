import { sitePath } from '../../../sites/page-path.ts';
import type { ToolContext } from '../tool.ts';

/** Page lists of site generators that we do not update. */
const SITE_FILES = new RegExp(
  String.raw`(?:^|\/)(?:mkdocs\.ya?ml|sidebars?\.[cm]?[jt]s(?:on)?|` +
    String.raw`docusaurus\.config\.[cm]?[jt]s|toc\.ya?ml|meta\.json|_meta\.\w+|` +
    String.raw`_redirects|netlify\.toml|vercel\.json|` +
    String.raw`\.vitepress\/config(?:\/\w+)?\.[cm]?[jt]s)$`,
);

/**
 * Lines of other site configuration that name a page: `mkdocs.yml:12 names it`. Only reported:
 * they are code, or policy forbids to edit them.
 */
export async function mentionsElsewhere(
  file: string,
  updated: readonly string[],
  { workspace, project }: ToolContext,
): Promise<string[]> {
  const folder = project.docsFolder;
  const name = sitePath(folder, file)?.slice(1) ?? '';
  if (name === '') return [];
  const nearby = (path: string) =>
    !path.includes('/') || folder === '' || path.startsWith(`${folder}/`);
  const found: string[] = [];
  for (const path of workspace.list()) {
    if (!SITE_FILES.test(path) || !nearby(path) || updated.includes(path)) continue;
    const lines = ((await workspace.readText(path)) ?? '').split('\n');
    for (const [index, line] of lines.entries())
      if (names(line, name)) found.push(`${path}:${index + 1} names it`);
  }
  return found;
}

/** Whether the line contains `name` between characters that cannot be in a path. */
function names(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const before = line.charAt(at - 1);
    const after = line.charAt(at + name.length);
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
