import { testSite } from '../../support/site-files.ts';

const FUMADOCS = { 'source.config.ts': "import { defineDocs } from 'fumadocs-mdx/config'" };

describe('lists in the files of folders', () => {
  it('show the label of a link, and find pages by path', () => {
    const { navigation, site, page } = testSite({
      ...FUMADOCS,
      'docs/meta.json': {
        pages: ['guide/intro', '[Text](https://x.example)', 'external:[I][B](/b)', '../docs/a'],
      },
      'docs/a.mdx': '# A',
      'docs/guide/intro.mdx': '# Intro',
      'docs/guide/other.mdx': '# Other',
    });
    expect(navigation).toEqual(['Intro', 'Text', 'B', 'A']);
    expect(site.navigation.map(({ href }) => href)).toEqual([
      ...[undefined, 'https://x.example', '/b', undefined],
    ]);
    expect(page('docs/guide/other.mdx').inNavigation).toBe(false);
  });

  it('show the title of a link of Nextra', () => {
    const { navigation } = testSite({
      'theme.config.tsx': '',
      'docs/_meta.json': { x: { title: 'Shop', href: 'https://x.example' } },
      'docs/a.mdx': '# A',
    });
    expect(navigation).toEqual(['Shop', 'A']);
  });

  it('are walked once, however often they name each other', () => {
    const folders = Array.from({ length: 12 }, (_, i) => `docs${'/a'.repeat(i)}`);
    const list = { pages: [...Array<string>(2_000).fill('a'), '../x', '...', '...', 'x'] };
    const { navigation } = testSite({
      ...FUMADOCS,
      ...Object.fromEntries(folders.map(folder => [`${folder}/meta.json`, list])),
      [`${folders.at(-1)}/x.mdx`]: '# X',
    });
    expect(navigation).toEqual([`${'a > '.repeat(11)}X`]);
  });

  it('name pages without a language only where other files confirm it', () => {
    const names = (files: Record<string, string | object>) =>
      testSite({
        ...FUMADOCS,
        ...{ 'docs/meta.json': { pages: ['node.js', 'node', 'a'] }, 'docs/node.js.mdx': '# JS' },
        ...files,
      }).navigation;
    expect(names({ 'docs/node.mdx': '# Node', 'docs/a.ts.mdx': '# TS' })).toEqual(['JS', 'Node']);
    expect(names({ 'docs/a.mdx': '# A', 'docs/a.fr.mdx': '# Le A' })).toEqual([
      ...['JS', 'Le A', 'A'],
    ]);
    expect(names({ 'docs/meta.cn.json': '{}', 'docs/a.cn.mdx': '# CN' })).toEqual(['JS', 'CN']);
  });
});
