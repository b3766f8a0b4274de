import { page, type SiteFiles, testSite } from '../../support/site-files.ts';

const CLASSIC = (docs = '{}', rest = '') =>
  `export default { presets: [['classic', { docs: ${docs} }]], ${rest} };\n`;

const site = (files: SiteFiles, docs?: string, rest?: string) =>
  testSite({ 'docusaurus.config.js': CLASSIC(docs, rest), ...files });

describe('Docusaurus: file to address', () => {
  it('puts pages below routeBasePath, docs by default, and / is the top', () => {
    expect(site({ 'docs/a.md': '# A' }).paths).toEqual({ 'docs/a.md': '/docs/a' });
    expect(site({ 'docs/a.md': '# A' }, `{ routeBasePath: '/' }`).paths).toEqual({
      'docs/a.md': '/a',
    });
  });

  it('puts baseUrl into the url only, and follows trailingSlash', () => {
    const {
      site: read,
      urls,
      paths,
    } = site(
      { 'docs/a.md': '', 'docs/b/index.md': '' },
      '{}',
      `url: 'https://x.example/', baseUrl: '/project/', trailingSlash: true`,
    );
    expect(read).toMatchObject({ basePath: '/project', address: 'https://x.example' });
    expect(paths['docs/a.md']).toBe('/docs/a');
    expect(urls).toEqual({
      'docs/a.md': '/project/docs/a/',
      'docs/b/index.md': '/project/docs/b/',
    });
  });

  it('removes number prefixes from every segment', () => {
    const { paths } = site({ 'docs/01-start/02_install.md': '', 'docs/3. More/10 - x.md': '' });
    expect(Object.values(paths)).toEqual(['/docs/start/install', '/docs/More/x']);
  });

  it('keeps numbers that are a date or a version', () => {
    const { paths } = site({ 'docs/2021-11-12-news.md': '', 'docs/7.0-changes.md': '' });
    expect(Object.values(paths)).toEqual(['/docs/2021-11-12-news', '/docs/7.0-changes']);
  });

  it('keeps number prefixes if numberPrefixParser is off', () => {
    const { paths } = site({ 'docs/01-start.md': '' }, '{ numberPrefixParser: false }');
    expect(Object.values(paths)).toEqual(['/docs/01-start']);
  });

  it('reads slug from the root of the route, or in the folder, and id as the last segment', () => {
    const { paths } = site({
      'docs/g/a.md': page({ slug: '/top' }),
      'docs/g/b.md': page({ slug: 'here' }),
      'docs/g/c.md': page({ id: 'own-id' }),
      'docs/home.md': page({ slug: '/' }),
    });
    expect(Object.values(paths)).toEqual(['/docs/top', '/docs/g/here', '/docs/g/own-id', '/docs']);
  });

  it('takes index, README in any case and the folder name as the page of the folder', () => {
    const { paths } = site({
      'docs/a/index.md': '',
      'docs/b/readme.md': '',
      'docs/c/C.mdx': '',
      'docs/README.md': '',
    });
    expect(Object.values(paths).toSorted()).toEqual(['/docs', '/docs/a', '/docs/b', '/docs/c']);
  });

  it('excludes files that begin with _ and tests, unless exclude replaces that list', () => {
    const files = {
      'docs/_part.md': '',
      'docs/_parts/x.md': '',
      'docs/a.md': '',
      'docs/wip/b.md': '',
    };
    expect(Object.keys(site(files).paths)).toEqual(['docs/a.md', 'docs/wip/b.md']);
    const own = site(files, `{ exclude: ['wip/**'] }`);
    expect(Object.keys(own.paths)).toEqual(['docs/_part.md', 'docs/_parts/x.md', 'docs/a.md']);
    expect(own.site.excluded).toEqual(['docs/wip/b.md']);
  });

  it('keeps drafts marked and out of the sidebar; unlisted pages are pages without navigation', () => {
    const { page: of, navigation } = site({
      'docs/a.md': '# A',
      'docs/d.md': page({ draft: true }, '# D'),
      'docs/u.md': page({ unlisted: true }, '# U'),
    });
    expect([of('docs/d.md').draft, of('docs/u.md').draft]).toEqual([true, false]);
    expect(of('docs/u.md').inNavigation).toBe(false);
    expect(navigation).toEqual(['A']);
  });

  it('reads several docs plugins, each with its folder, route and sidebar', () => {
    const { paths, site: read } = testSite({
      'docusaurus.config.ts': `import type { Config } from '@docusaurus/types';
const config: Config = {
  presets: [['@docusaurus/preset-classic', { docs: { sidebarPath: './sidebars.ts' } }]],
  plugins: [['@docusaurus/plugin-content-docs',
    { id: 'sdk', path: 'sdk', routeBasePath: 'reference', sidebarPath: require.resolve('./sdk.js') }]],
};
export default config;`,
      'sidebars.ts': `export default { main: ['a'] } satisfies SidebarsConfig;`,
      'sdk.js': `module.exports = { sdk: ['b'] };`,
      'docs/a.md': '# A',
      'sdk/b.md': '# B',
    });
    expect(paths).toEqual({ 'docs/a.md': '/docs/a', 'sdk/b.md': '/reference/b' });
    expect(read.navigation.map(({ plugin, sidebar, title }) => [plugin, sidebar, title])).toEqual([
      ['default', 'main', 'A'],
      ['sdk', 'sdk', 'B'],
    ]);
    expect(read.unread).toEqual([]);
  });

  it('reads versions: the last one has no segment, the current one is next, any may have a path', () => {
    const { site: read } = site(
      {
        'versions.json': ['2.0', '1.0'],
        'docs/a.md': '',
        'versioned_docs/version-2.0/a.md': '',
        'versioned_docs/version-1.0/a.md': '',
        'versioned_sidebars/version-1.0-sidebars.json': { old: ['a'] },
      },
      `{ versions: { '1.0': { path: 'legacy' } } }`,
    );
    expect(read.pages.map(({ path, version }) => [path, version])).toEqual([
      ['/docs/next/a', 'current'],
      ['/docs/legacy/a', '1.0'],
      ['/docs/a', '2.0'],
    ]);
    expect(read.navigation.map(item => [item.version, item.sidebar])).toContainEqual([
      '1.0',
      'old',
    ]);
  });

  it('makes the current version the last one if lastVersion says so', () => {
    const { paths } = site(
      { 'versions.json': ['1.0'], 'docs/a.md': '', 'versioned_docs/version-1.0/a.md': '' },
      `{ lastVersion: 'current' }`,
    );
    expect(Object.values(paths)).toEqual(['/docs/a', '/docs/1.0/a']);
  });

  it('reads the folders of languages', () => {
    const { site: read } = site(
      {
        'docs/a.md': '# A',
        'i18n/fr/docusaurus-plugin-content-docs/current/a.md': '# Le A',
      },
      '{}',
      `i18n: { defaultLocale: 'en', locales: ['en', 'fr'] }`,
    );
    expect(read.pages.map(({ path, language }) => [path, language])).toEqual([
      ['/docs/a', 'en'],
      ['/fr/docs/a', 'fr'],
    ]);
    expect(read.navigation.map(({ title, locale }) => [title, locale])).toEqual([
      ['A', 'en'],
      ['Le A', 'fr'],
    ]);
  });

  it('reads posts with the date in their path, and pages of src/pages; neither is in a sidebar', () => {
    const { paths, site: read } = site({
      'docs/a.md': '[blog](/blog/2024/01/31/news) [about](/about) [tsx](/team)',
      'blog/2024-01-31-news.md': '',
      'blog/own.md': page({ slug: 'special' }),
      'src/pages/about.md': '',
      'src/pages/team.tsx': 'export default () => null;',
    });
    expect(paths).toMatchObject({
      'blog/2024-01-31-news.md': '/blog/2024/01/31/news',
      'blog/own.md': '/blog/special',
      'src/pages/about.md': '/about',
    });
    expect(read.navigation).toHaveLength(1);
  });
});

describe('Docusaurus: sidebars', () => {
  const DOCS: SiteFiles = {
    'docs/intro.md': page({ sidebar_label: 'Hello' }, '# Intro'),
    'docs/guides/install.md': '# Install',
    'docs/guides/02-use.md': page({ id: 'usage', title: 'Use it' }),
  };
  const EXPECTED = ['Hello', 'Guides > Install', 'Guides > Use it', 'Elsewhere'];
  const SIDEBAR = `{ docs: ['intro',
    { type: 'category', label: 'Guides', items: ['guides/install', 'guides/usage'] },
    { type: 'link', label: 'Elsewhere', href: 'https://example.com' }] }`;

  it.each([
    ['sidebars.js', `module.exports = ${SIDEBAR};`],
    ['sidebars.ts', `const sidebars: SidebarsConfig = ${SIDEBAR};\nexport default sidebars;`],
    ['sidebars.json', SIDEBAR.replaceAll("'", '"').replace(/(\w+):(?!\/)/g, '"$1":')],
  ])('reads %s', (file, text) => {
    const read = site({ ...DOCS, [file]: text }, `{ sidebarPath: './${file}' }`);
    expect(read.navigation).toEqual(EXPECTED);
    expect(read.page('docs/guides/02-use.md')).toMatchObject({
      inNavigation: true,
      crumbs: ['Guides'],
    });
    expect([read.errors, read.unread]).toEqual([[], []]);
  });

  it('reports an entry without a page with its line', () => {
    const { errors } = site(
      { ...DOCS, 'sidebars.js': `module.exports = {\n  docs: ['intro',\n    'gone'],\n};` },
      `{ sidebarPath: './sidebars.js' }`,
    );
    expect(errors).toEqual(['sidebars.js:3 navigation gone']);
  });

  it.each([
    ['json', { label: 'More', position: 1 }],
    ['yml', 'label: More\nposition: 1\n'],
  ])('orders an autogenerated sidebar by _category_.%s, position and prefix', (ending, text) => {
    const { navigation } = site({
      'docs/02-a.md': '# A',
      'docs/b.md': page({ sidebar_position: 3 }, '# B'),
      'docs/z/x.md': '# X',
      [`docs/z/_category_.${ending}`]: text,
    });
    expect(navigation).toEqual(['More > X', 'A', 'B']);
  });

  it('knows a generated index as a page without a file, by its slug or label', () => {
    const { site: read, errors } = site({
      'docs/a.md': '[index](/docs/category/my-guides) [own](/docs/own)',
      'docs/g/b.md': '# B',
      'docs/h/c.md': '# C',
      'docs/g/_category_.json': { label: 'My guides', link: { type: 'generated-index' } },
      'docs/h/_category_.json': { label: 'H', link: { type: 'generated-index', slug: '/own' } },
    });
    expect(read.navigation.filter(item => item.generated).map(item => item.path)).toEqual([
      '/docs/category/my-guides',
      '/docs/own',
    ]);
    expect(errors).toEqual([]);
  });

  it('names what is computed in the sidebar, with file and line, and reads the rest', () => {
    const read = site(
      {
        ...DOCS,
        'sidebars.js': `module.exports = {\n  docs: ['intro', ...require('fs').made()],\n};`,
      },
      `{ sidebarPath: './sidebars.js' }`,
    );
    expect(read.navigation).toEqual(['Hello']);
    expect(read.unread).toEqual([expect.stringMatching(/^sidebars\.js:2 A part of the sidebar /)]);
  });
});

describe('Docusaurus: anchors and links', () => {
  it('slugs headings as GitHub does, without the title, with written ids', () => {
    const { ids } = site({
      'docs/a.md': '# Title\n\n## Über uns\n\n## Twice\n\n## Twice\n\n## Own {#my-id}\n',
      'docs/b.mdx': '## Own {/* #other */}\n',
    });
    expect(ids('docs/a.md')).toEqual(['über-uns', 'twice', 'twice-1', 'my-id']);
    expect(ids('docs/b.mdx')).toEqual(['other']);
  });

  it('adds the headings of an imported partial where its component stands', () => {
    const { ids, errors } = site({
      'docs/a.mdx':
        "import Part from './_part.mdx';\n\n## One\n\n<Part />\n\n## Three\n\n[two](#two)\n",
      'docs/_part.mdx': '## Two\n',
    });
    expect(ids('docs/a.mdx')).toEqual(['one', 'two', 'three']);
    expect(errors).toEqual([]);
  });

  it('reads .md links by file and others by address, and reports only what leads nowhere', () => {
    const { errors } = site({
      'docs/01-a.md': [
        '[file](./02-b.md)',
        '[address](./b)',
        '[absolute](/docs/b)',
        '[site](@site/docs/02-b.md)',
        '[static](/img/x.png)',
        '[gone](./c.md)',
        '[gone too](/docs/02-b)',
        '[anchor](./02-b.md#no)',
      ].join('\n'),
      'docs/02-b.md': '# B',
      'static/img/x.png': '',
    });
    expect(errors).toEqual([
      'docs/01-a.md:6 link ./c.md',
      'docs/01-a.md:7 link /docs/02-b',
      'docs/01-a.md:8 anchor ./02-b.md#no',
    ]);
  });

  it('follows redirects of the client-redirects plugin and reports those that lead nowhere', () => {
    const { errors, site: read } = site(
      { 'docs/a.md': '[old](/old)' },
      '{}',
      `plugins: [['@docusaurus/plugin-client-redirects', { redirects: [
        { from: '/old', to: '/docs/a' },
        { from: '/older', to: '/docs/gone' }] }]]`,
    );
    expect(read.redirects.map(({ from, to }) => [from, to])).toEqual([
      ['/old', '/docs/a'],
      ['/older', '/docs/gone'],
    ]);
    expect(errors).toEqual(['docusaurus.config.js:3 redirect /docs/gone']);
  });
});
