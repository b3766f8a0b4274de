import type { NavigationEdit } from '../../../agent/navigation/navigation-edit.ts';
import { editSite } from '../../support/navigation-edits.ts';
import type { SiteFiles } from '../../support/site-files.ts';

const CONFIG = `import { defineConfig } from 'vitepress'
import { api } from './api'

export default defineConfig({
  title: "Docs",
  themeConfig: {
    nav: [{ text: "Install", link: "/guide/install" }],
    sidebar: {
      "/guide/": [
        {
          text: "Guide",
          base: "/guide/",
          items: [
            { text: "Install", link: "install" }, // first
            { text: "Use", link: "use" }
          ]
        },
        { text: "More", items: [] }
      ],
      "/api/": [{ text: "API", items: [...api] }],
      "/": [{ link: "/", text: "Home" }]
    }
  }
})
`;

const API = `export const api = [
  { text: 'A', link: '/api/a.md' },
  {
    text: 'B',
    link: '/api/b.md',
  },
];
`;

const FILES: SiteFiles = {
  'docs/.vitepress/config.ts': CONFIG,
  'docs/.vitepress/api.ts': API,
  'docs/index.md': '# Home',
  'docs/guide/install.md': '# Install',
  'docs/guide/use.md': '# Use',
  'docs/guide/new.md': '# New',
  'docs/api/a.md': '# A',
  'docs/api/b.md': '# B',
  'docs/api/c.md': '# C',
};

const edited = (edit: NavigationEdit, files = FILES) => editSite(files, edit);
const only = (file: string, text: string) => ({ [`docs/.vitepress/${file}`]: text });
const move = (from: string, to: string): NavigationEdit => ({
  kind: 'move-page',
  from,
  to,
  newPath: null,
  redirect: true,
});

describe('VitePress: a page is added', () => {
  it('to the sidebar of its path, with the base of its group, as the entries beside it', () => {
    const { texts, otherChanges } = edited({ kind: 'add-page', file: 'docs/guide/new.md' });
    expect(texts).toEqual(
      only(
        'config.ts',
        CONFIG.replace(
          '{ text: "Use", link: "use" }',
          '{ text: "Use", link: "use" },\n            { text: "New", link: "new" }',
        ),
      ),
    );
    expect(otherChanges).toEqual([]);
  });

  it('to a list that another file exports', () => {
    const { texts, otherChanges } = edited({ kind: 'add-page', file: 'docs/api/c.md' });
    const entry = "  {\n    text: 'C',\n    link: '/api/c.md',\n  },\n];";
    expect(texts).toEqual(only('api.ts', API.replace('];', entry)));
    expect(otherChanges).toEqual([]);
  });

  it('to an empty group', () => {
    const position = { group: ['More'], at: 'end' } as const;
    const { texts } = edited({ kind: 'add-page', file: 'docs/api/c.md', title: 'See', position });
    expect(texts['docs/.vitepress/config.ts']).toContain(
      '{ text: "More", items: [{ text: "See", link: "/api/c" }] }',
    );
  });

  it('to the sidebar of its language', () => {
    const config = `export default {
  locales: {
    root: { lang: 'en', themeConfig: { sidebar: [{ text: 'A', link: '/a' }] } },
    de: { lang: 'de', themeConfig: { sidebar: [{ text: 'A', link: '/de/a' }] } },
  },
};
`;
    const files = {
      'docs/.vitepress/config.mts': config,
      'docs/a.md': '# A',
      'docs/b.md': '# B',
      'docs/de/a.md': '# A',
      'docs/de/b.md': '# B',
    };
    const { texts } = edited({ kind: 'add-page', file: 'docs/de/b.md' }, files);
    expect(texts['docs/.vitepress/config.mts']).toBe(
      config.replace("link: '/de/a' }", "link: '/de/a' }, { text: 'B', link: '/de/b' }"),
    );
  });

  it('nowhere if the sidebar is computed; what computes it is named', () => {
    const files = {
      ...FILES,
      'docs/.vitepress/config.ts':
        "import { make } from 'x';\nexport default {\n  themeConfig: { sidebar: make() },\n};\n",
    };
    const { texts, refused } = edited({ kind: 'add-page', file: 'docs/guide/new.md' }, files);
    expect(texts).toEqual({});
    expect(refused).toContain(
      'docs/.vitepress/config.ts:3 A part of the sidebar of / is computed by make()',
    );
  });
});

describe('VitePress: a page moves or goes away', () => {
  it('with entry and menu; the host of the site has the redirects', () => {
    const { texts, left } = edited(move('docs/guide/install.md', 'docs/guide/setup.md'), {
      ...FILES,
      'docs/public/_redirects': '/a /b\n',
    });
    expect(texts).toEqual(
      only(
        'config.ts',
        CONFIG.replace('"/guide/install"', '"/guide/setup"').replace('"install"', '"setup"'),
      ),
    );
    expect(left.join()).toContain('docs/public/_redirects is read by the host');
  });

  it('keeps the ending of a link', () => {
    const { texts } = edited(move('docs/api/b.md', 'docs/api/bb.md'));
    expect(texts).toEqual(only('api.ts', API.replace('/api/b.md', '/api/bb.md')));
  });

  it('is listed beside the pages of its new folder where the base of its group ends', () => {
    const { texts, navigation, left } = edited(move('docs/guide/install.md', 'docs/setup.md'));
    expect(texts['docs/.vitepress/config.ts']).toBe(
      CONFIG.replace('"/guide/install"', '"/setup"')
        .replace('            { text: "Install", link: "install" }, // first\n', '')
        .replace(
          '{ link: "/", text: "Home" }',
          '{ link: "/", text: "Home" }, { link: "/setup", text: "Install" }',
        ),
    );
    expect(navigation).toContain('Install (docs/setup.md)');
    expect(left.filter(one => /setup/.test(one))).toEqual([]);
  });

  it('is named if no list is for its new folder', () => {
    const files = {
      ...FILES,
      'docs/.vitepress/config.ts': CONFIG.replace(
        '"/": [{ link: "/", text: "Home" }]',
        '"/x/": []',
      ),
    };
    const { texts, left } = edited(move('docs/guide/install.md', 'docs/setup.md'), files);
    expect(texts['docs/.vitepress/config.ts']).not.toContain('"install"');
    expect(left.join()).toContain('docs/setup.md is in no list now');
  });

  it('takes its entry away', () => {
    const { texts, left } = edited({ kind: 'remove-page', file: 'docs/guide/install.md' });
    expect(texts['docs/.vitepress/config.ts']).toBe(
      CONFIG.replace('            { text: "Install", link: "install" }, // first\n', ''),
    );
    expect(left).toEqual(['docs/.vitepress/config.ts:7 links to it, beside the navigation']);
  });

  it('moves an entry in a list of another file', () => {
    const { texts } = edited({
      kind: 'move-entry',
      entry: { title: 'B' },
      position: { before: { file: 'docs/api/a.md' } },
    });
    expect(texts['docs/.vitepress/api.ts']).toBe(
      "export const api = [\n  {\n    text: 'B',\n    link: '/api/b.md',\n  },\n  { text: 'A', link: '/api/a.md' },\n];\n",
    );
  });
});
