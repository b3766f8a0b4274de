import { findSites, readSite } from '../../sites/kinds/registry.ts';
import type { NavigationEdit } from '../../agent/navigation/navigation-edit.ts';
import { NAVIGATION } from '../../agent/navigation/registry.ts';
import { type SiteFiles, sourceOf } from './site-files.ts';

export interface EditedSite {
  /** New texts of the files that change, by path. */
  texts: Record<string, string>;
  done: string[];
  left: string[];
  refused: string | undefined;
  /** Titles and files of the navigation after the edit: `Guides > Install (docs/install.md)`. */
  navigation: string[];
  /** What the kind says of its own edit, file by file: nothing else may change. */
  otherChanges: string[];
}

/** Edits the navigation of a site that is written in a test; files may move as well. */
export function editSite(files: SiteFiles, edit: NavigationEdit): EditedSite {
  const source = sourceOf(files);
  const [found] = findSites(source);
  const site = found && readSite(source, found);
  if (!found || !site) throw new Error('No site was found.');
  const change = NAVIGATION[site.kind].edit(source, site, edit);
  const texts = 'refused' in change ? {} : Object.fromEntries(change.files);
  const moved = { ...files, ...texts };
  if (edit.kind === 'move-page') {
    moved[edit.to] = texts[edit.to] ?? files[edit.from] ?? '';
    delete moved[edit.from];
  }
  if (edit.kind === 'remove-page') delete moved[edit.file];
  const after = readSite(sourceOf(moved), found);
  return {
    texts,
    done: 'refused' in change ? [] : change.done,
    left: 'refused' in change ? [] : change.left,
    refused: 'refused' in change ? change.refused : undefined,
    navigation: (after?.navigation ?? []).map(({ title, crumbs, file }) =>
      [[...crumbs, title].join(' > '), ...(file === undefined ? [] : [`(${file})`])].join(' '),
    ),
    otherChanges: Object.entries(texts)
      .filter(([file]) => NAVIGATION[site.kind].describe(source, site).files.includes(file))
      .flatMap(([file, text]) =>
        NAVIGATION[site.kind].otherChanges(site, file, source.read(file) ?? '', text),
      ),
  };
}
