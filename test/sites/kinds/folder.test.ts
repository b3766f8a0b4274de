import { foundKinds, testSite } from '../../support/site-files.ts';

describe('a plain folder', () => {
  it('is docs, else the whole repository; README and index are their folder', () => {
    expect(testSite({ 'README.md': '', 'docs/a.md': '', 'docs/b/README.md': '' }).paths).toEqual({
      'docs/a.md': '/a',
      'docs/b/README.md': '/b',
    });
    expect(testSite({ 'README.md': '', 'guides/a.md': '' }).paths).toEqual({
      'README.md': '/',
      'guides/a.md': '/guides/a',
    });
  });

  it('lists pages by folder with their first heading', () => {
    const { navigation } = testSite({
      'README.md': '# Welcome',
      'g/README.md': '# Guides',
      'g/install.md': '# Install',
      'zebra.md': 'no heading',
    });
    expect(navigation).toEqual(['Welcome', 'Guides', 'g > Install', 'zebra']);
  });

  it('leaves out hidden folders', () => {
    expect(Object.keys(testSite({ 'a.md': '', '.github/b.md': '' }).paths)).toEqual(['a.md']);
  });

  it('checks links and anchors as GitHub shows them', () => {
    const { errors } = testSite({
      'README.md':
        '## Ünï & co\n\n[1](#ünï--co) [2](g/) [3](g/a.md#x) [4](src/x.ts)\n[5](g/none.md)\n',
      'g/a.md': '# A',
      'src/x.ts': '',
    });
    expect(errors).toEqual(['README.md:3 anchor g/a.md#x', 'README.md:4 link g/none.md']);
  });
});

describe('the most likely site of a repository', () => {
  it('is a generator before a folder, and the docs before examples and tests', () => {
    expect(
      foundKinds({
        'README.md': '',
        'examples/book/book.toml': '',
        'website/docusaurus.config.js': '',
        'test/fixtures/mkdocs.yml': '',
        'docs/a.md': '',
      }),
    ).toEqual([
      'docusaurus website',
      'mdbook examples/book',
      'mkdocs test/fixtures',
      'folder docs',
    ]);
  });

  it.each([
    ['docs.json', { 'docs.json': '{"navigation":{}}' }],
    ['docusaurus', { 'docusaurus.config.mts': '' }],
    ['mkdocs', { 'mkdocs.yaml': '' }],
    ['vitepress', { '.vitepress/config.mts': '' }],
    ['starlight', { 'astro.config.mjs': 'import starlight from "@astrojs/starlight"' }],
    ['mdbook', { 'book.toml': '' }],
    ['hugo', { 'hugo.yaml': '', 'content/a.md': '' }],
    ['sphinx', { 'conf.py': 'extensions = []' }],
    ['folder', { 'README.md': '' }],
  ])('knows %s by its marker', (kind, files) => {
    expect(foundKinds(files)[0]).toBe(kind);
  });

  it.each([
    ['a docs.json of another tool', { 'docs.json': '{"routes":[]}' }],
    ['an Astro project without Starlight', { 'astro.config.mjs': 'export default {}' }],
    ['a config.toml of another tool', { 'config.toml': 'x = 1' }],
    ['a conf.py of another tool', { 'conf.py': 'DEBUG = True' }],
  ])('is not misled by %s', (_, files) => {
    expect(foundKinds(files)).toEqual([]);
  });
});

it('a note is no link, and a MyST project has labels that may be anywhere', () => {
  const text = '[#x](#x) and a note[^1].\n\n[^1]: [https://x.example](https://x.example)\n';
  expect(testSite({ 'docs/a.md': text }).errors).toEqual(['docs/a.md:1 anchor #x']);
  expect(testSite({ 'docs/a.md': text, 'docs/myst.yml': '' }).errors).toEqual([]);
});
