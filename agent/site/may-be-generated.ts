import { navigationFile } from '../../sites/navigation.ts';
import type { ProjectFolder } from '../../sites/project-site.ts';
import type { Snapshot } from '../../shared/workspace.ts';

/** Where one of these files is, a generator builds the site; others need no reading. */
const MARKERS = new RegExp(
  '(?:^|/)(?:docusaurus\\.config\\.[cm]?[jt]s|astro\\.config\\.[cm]?[jt]s|' +
    'mkdocs\\.ya?ml|book\\.toml|conf\\.py|(?:hugo|config)\\.(?:toml|ya?ml|json)|' +
    '\\.vitepress/.*|config/_default/.*)$',
);

/** Whether a generator may build the site, whose own rules then hold. */
export function mayBeGenerated(
  { entries }: Snapshot,
  { docsFolder, kind }: ProjectFolder,
): boolean {
  if (kind) return kind !== 'docs.json' && kind !== 'folder';
  const navigation = navigationFile(path => entries.has(path), docsFolder);
  return navigation === undefined && [...entries.keys()].some(path => MARKERS.test(path));
}
