import { at } from '../../../sites/code/static-value.ts';
import type { NavigationForm } from '../code-navigation/other-changes.ts';
import { redirectOptions } from '../../../sites/kinds/docusaurus/config.ts';

/** Sidebars, the menu, the footer's links, redirects, and `_category_` files. */
export const NAVIGATION_FORM: NavigationForm = {
  members: {
    type: 'word',
    id: 'target',
    docId: 'target',
    dirName: 'target',
    href: 'target',
    to: 'target',
    from: 'target',
    slug: 'target',
    label: 'title',
    title: 'title',
    description: 'title',
    items: 'target',
    link: 'target',
    position: 'word',
    collapsed: 'word',
    collapsible: 'word',
    sidebarId: 'word',
  },
  parts(reader, file, isMain) {
    if (!isMain) return reader.exported(file);
    const config = reader.configuration(file);
    return [
      at(redirectOptions(config), 'redirects'),
      at(config, 'themeConfig', 'navbar', 'items'),
      at(config, 'themeConfig', 'footer', 'links'),
    ];
  },
};
