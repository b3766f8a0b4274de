import { docsFolderOf } from '../../sites/docs-folder.ts';

describe('the docs folder of a repository', () => {
  it.each<[string, string[], string]>([
    ['docs.json at the root', ['docs.json', 'docs/a.md'], ''],
    ['docs.json in a folder', ['site/docs.json', 'docs/a.md'], 'site'],
    [
      'Docusaurus',
      ['website/docusaurus.config.ts', 'website/docs/a.mdx', 'docs/x.md'],
      'website/docs',
    ],
    ['MkDocs', ['mkdocs.yml', 'docs/index.md', 'README.md'], 'docs'],
    ['VitePress', ['docs/.vitepress/config.mts', 'docs/guide.md'], 'docs'],
    ['Starlight', ['docs/astro.config.mjs', 'docs/src/content/docs/a.md'], 'docs/src/content/docs'],
    ['mdBook', ['book.toml', 'src/SUMMARY.md'], 'src'],
    ['Hugo', ['docs/hugo.yaml', 'docs/content/_index.md'], 'docs/content'],
    ['Sphinx', ['docs/source/conf.py', 'docs/source/index.md'], 'docs/source'],
    [
      'an example beside the docs',
      ['examples/book.toml', 'examples/src/a.md', 'docs/a.md'],
      'docs',
    ],
    ['a generator without pages where they usually are', ['mkdocs.yml', 'README.md'], ''],
    ['a plain docs folder', ['docs/a.md', 'src/main.c'], 'docs'],
    ['nothing but a README', ['README.md'], ''],
  ])('%s', (_, paths, folder) => {
    expect(docsFolderOf(paths)).toBe(folder);
  });
});
