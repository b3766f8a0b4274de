import { readPage, readSections } from '../../db/search/pages.ts';
import { readIndexState } from '../../db/search/index-state.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';
import { testSite } from './site.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const DOCUSAURUS = {
  'website/docusaurus.config.js': `module.exports = {
    url: 'https://acme.example', baseUrl: '/product/',
    i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
    presets: [['classic', { docs: { sidebarPath: './sidebars.js' }, blog: {} }]],
  };`,
  'website/sidebars.js': `module.exports = { docs: ['intro', 'guides/install'] };`,
  'website/versions.json': '["2.0", "1.0"]',
  'website/versioned_docs/version-2.0/01-intro.md':
    '# Welcome\n\nThe pelican greets you.\n\n## The `flap()` call {#flapping}\n\nThe pelican flaps.\n',
  'website/versioned_docs/version-2.0/guides/02-install.md':
    '# Install\n\nSet up the walrus.\n\n## Step *one*\n\nFeed the walrus.\n',
  'website/versioned_docs/version-2.0/only-here.md': '# Only\n\nThe gnu is not translated.\n',
  'website/versioned_docs/version-1.0/intro.md': '# Welcome\n\nThe pelican of old.\n',
  'website/docs/intro.md': '# Welcome\n\nThe pelican to come.\n',
  'website/docs/secret.md': '---\ndraft: true\n---\n# Secret\n\nA pelican draft.\n',
  'website/i18n/fr/docusaurus-plugin-content-docs/version-2.0/01-intro.md':
    '# Bienvenue\n\nLe pelican vous salue.\n',
  'website/blog/2024-01-31-news.md': '# News\n\nA pelican in the news.\n',
};

describe('a Docusaurus site', () => {
  const site = () =>
    testSite(database.pool, { docsFolder: 'website/docs', siteUrl: 'https://acme.example' });

  it('is found with the addresses, anchors, languages and versions of its own build', async () => {
    const one = await site();
    await one.index(DOCUSAURUS);
    const [found] = await one.find('walrus');
    expect(found).toMatchObject({
      path: '/docs/guides/install',
      url: 'https://acme.example/product/docs/guides/install',
      title: 'Install',
    });
    expect(found?.sections.map(({ anchor }) => anchor)).toEqual(
      expect.arrayContaining([null, 'step-one']),
    );
    const [flap] = await one.find('flaps');
    expect(flap?.sections[0]).toMatchObject({ anchor: 'flapping', heading: 'The flap() call' });

    // Neither draft nor post, one language, no old version.
    expect(await one.paths('pelican')).toEqual(['/docs/intro']);
    expect(await one.paths('pelican', { filter: { version: '1.0', language: 'en' } })).toEqual([
      '/docs/1.0/intro',
    ]);
    expect(await one.paths('pelican', { filter: { language: 'fr' } })).toEqual(['/fr/docs/intro']);
  });

  it('answers in the language of the current page, and falls back to the default', async () => {
    const one = await site();
    await one.index(DOCUSAURUS);
    const currentPath = '/product/fr/docs/intro';
    expect(await one.paths('pelican', { currentPath })).toEqual(['/fr/docs/intro']);
    expect(await one.paths('gnu', { currentPath })).toEqual(['/docs/only-here']);
  });

  it('names a base path once, whether the site URL has it or not', async () => {
    const one = await testSite(database.pool, {
      docsFolder: 'website/docs',
      siteUrl: 'https://acme.example/product',
    });
    await one.index(DOCUSAURUS);
    const url = 'https://acme.example/product/docs/guides/install';
    expect((await one.find('walrus'))[0]?.url).toBe(url);
    const request = { projectId: one.id, path: '/product/docs/guides/install' };
    expect(await readSections(database.pool, request)).toMatchObject({ url });
  });

  it('builds anew what a changed rule moves, and nothing else', async () => {
    const one = await site();
    await one.index(DOCUSAURUS);
    expect(await one.index(DOCUSAURUS)).toMatchObject({ built: 0 });
    const config = DOCUSAURUS['website/docusaurus.config.js'].replace('/product/', '/other/');
    const moved = await one.index({ ...DOCUSAURUS, 'website/docusaurus.config.js': config });
    expect(moved.built).toBe(moved.pages);
    expect((await one.find('walrus'))[0]?.url).toBe(
      'https://acme.example/other/docs/guides/install',
    );
  });
});

describe('a MkDocs site', () => {
  it('has folders for pages, and ids as Python-Markdown makes them', async () => {
    const one = await testSite(database.pool);
    await one.index({
      'mkdocs.yml': 'site_name: Acme\nsite_url: https://docs.example.org/latest/\n',
      'docs/index.md': '# Acme\n\nHome of the okapi.\n',
      'docs/set_up.md':
        '# Set up\n\n## Café_au lait\n\nFeed the tapir.\n\n## Café_au lait\n\nAgain the tapir.\n',
    });
    const [found] = await one.find('tapir');
    expect(found).toMatchObject({
      path: '/set_up',
      url: 'https://docs.example.org/latest/set_up/',
    });
    expect(found?.sections.map(({ anchor }) => anchor).toSorted()).toEqual([
      'cafe_au-lait',
      'cafe_au-lait_1',
    ]);
    expect((await one.find('okapi'))[0]?.url).toBe('https://docs.example.org/latest/');
  });
});

describe('a VitePress site', () => {
  it('has .html addresses, and its README is a page of its own', async () => {
    const one = await testSite(database.pool);
    await one.index({
      'docs/.vitepress/config.ts': `export default { base: '/vp/', themeConfig: { sidebar: [] } };`,
      'docs/index.md': '# Home\n\nThe lynx lives here.\n',
      'docs/README.md': '# Read me\n\nThe marmot lives here.\n',
      'docs/guide/3-steps.md': '# Steps\n\n## 1. First step\n\nCall the badger.\n',
      'docs/AGENTS.md': '# Rules\n\nMind the badger.\n',
    });
    const [found] = await one.find('badger');
    expect(found).toMatchObject({ url: 'https://docs.example.org/vp/guide/3-steps.html' });
    expect(found?.sections[0]?.anchor).toBe('_1-first-step');
    expect(await one.paths('badger')).toEqual(['/guide/3-steps']);
    const read = async (path: string) => (await readPage(database.pool, one.id, path))?.content;
    expect(await read('/README')).toContain('marmot');
    expect(await read('/vp/guide/3-steps.html')).toContain('badger');
    expect(await read('/')).toContain('lynx');
  });
});

describe('an index', () => {
  it('holds a site whose own files name what Postgres cannot store', async () => {
    const one = await testSite(database.pool, { docsFolder: 'website/docs' });
    const [versions, half] = [String.raw`["2.\u0000", "1.\ud800"]`, String.raw`/a\ud800/`];
    const config = DOCUSAURUS['website/docusaurus.config.js'].replace('/product/', half);
    await one.index({
      'website/docusaurus.config.js': config.replace("'fr'", String.raw`'f\u0000r'`),
      'website/sidebars.js': `module.exports = { docs: ['intro'] };`,
      'website/versions.json': versions,
      'website/docs/intro.md': '# Welcome\n\nThe pelican to come.\n',
    });
    expect(await one.paths('pelican', { filter: { version: 'current' } })).toHaveLength(1);
    expect(await readIndexState(database.pool, one.id)).toMatchObject({ pages: 1 });

    const plain = await testSite(database.pool, { docsFolder: '' });
    const navigation = String.raw`{ "versions": [{ "version": "1\u0000", "pages": ["a"] }] }`;
    await plain.index({
      'docs.json': `{ "navigation": ${navigation} }`,
      'a.md': ['---', String.raw`title: "Wel\0come"`, '---', 'The pelican.'].join('\n'),
    });
    expect(await plain.paths('pelican')).toEqual(['/a']);
  });

  it('tells the kind of its site, and reads an example’s generator not at all', async () => {
    const one = await testSite(database.pool, { docsFolder: '' });
    await one.index({
      'README.md': '# Plain\n\nThe ibex.\n',
      'guide/index.md': '# Guide\n\n## Café_au lait\n\nThe ibex again.\n',
      'examples/site/mkdocs.yml': 'site_name: Example\n',
      'examples/site/docs/index.md': '# Example\n\nA sample.\n',
    });
    expect((await readIndexState(database.pool, one.id))?.site).toMatchObject({
      kind: 'folder',
      defaultLanguage: null,
    });
    expect(await one.paths('ibex')).toEqual(expect.arrayContaining(['/', '/guide']));
  });
});

it('finds pages behind symbolic links in the repository, and rebuilds them with their file', async () => {
  const one = await testSite(database.pool);
  const index = (changes: string) =>
    one.index(
      {
        'mkdocs.yml': 'site_name: X\n',
        'docs/index.md': '# Home\n',
        'docs/changelog.md': '../CHANGELOG.md',
        'docs/more': '../other/pages',
        'docs/out.md': '../../secret.md',
        'CHANGELOG.md': `# Changes\n\nThe ${changes}.\n`,
        'other/pages/b.md': '# B\n\nThe walrus.\n',
      },
      {
        modes: { 'docs/changelog.md': '120000', 'docs/more': '120000', 'docs/out.md': '120000' },
      },
    );
  await index('walrus');
  expect((await one.paths('walrus')).toSorted()).toEqual(['/changelog', '/more/b']);
  await index('manatee');
  expect(await one.paths('manatee')).toEqual(['/changelog']);
});
