import type { SiteKindName } from '../../sites/kinds/registry.ts';
import { docsJsonNavigation } from './docs-json/edit-navigation.ts';
import { docusaurusNavigation } from './docusaurus/navigation.ts';
import { mkdocsNavigation } from './mkdocs/edit-navigation.ts';
import { starlightNavigation } from './starlight/navigation.ts';
import { vitepressNavigation } from './vitepress/navigation.ts';
import { mdbookNavigation } from './mdbook/edit-navigation.ts';
import { hugoNavigation } from './hugo/edit-navigation.ts';
import { sphinxNavigation } from './sphinx/edit-navigation.ts';
import { folderNavigation } from './folder/edit-navigation.ts';
import type { NavigationEditing } from './navigation-edit.ts';

/** How the navigation of each kind is edited: one folder here and one line. */
export const NAVIGATION: Readonly<Record<SiteKindName, NavigationEditing>> = {
  'docs.json': docsJsonNavigation,
  docusaurus: docusaurusNavigation,
  mkdocs: mkdocsNavigation,
  starlight: starlightNavigation,
  vitepress: vitepressNavigation,
  mdbook: mdbookNavigation,
  hugo: hugoNavigation,
  sphinx: sphinxNavigation,
  folder: folderNavigation,
};
