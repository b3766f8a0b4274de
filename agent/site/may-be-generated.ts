import { anyKinds, siteKind } from '../../sites/kinds/registry.ts';
import { navigationFile } from '../../sites/navigation.ts';
import type { ProjectFolder } from '../../sites/project-site.ts';
import type { Snapshot } from '../../shared/workspace.ts';

/** Where one of these files is, a generator builds the site; others need no reading. */
const MARKERS = anyKinds(({ isPlain, marker }) => (isPlain ? undefined : marker));

/** Whether a generator may build the site, whose own rules then hold. */
export function mayBeGenerated(
  { entries }: Snapshot,
  { docsFolder, kind }: ProjectFolder,
): boolean {
  if (kind) return !siteKind(kind).isPlain;
  const navigation = navigationFile(path => entries.has(path), docsFolder);
  return navigation === undefined && [...entries.keys()].some(path => MARKERS.test(path));
}
