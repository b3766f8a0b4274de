import { page, type SiteFiles, testSite } from '../../support/site-files.ts';

const site = (config: string, files: SiteFiles) =>
  testSite({
    'docs/.vitepress/config.ts': `import { defineConfig } from 'vitepress';\nexport default defineConfig({ ${config} });\n`,
    ...files,
  });

describe('VitePress: file to address', () => {
  it('ends a path with .html unless cleanUrls is on; only index.md is a folder', () => {
    const files = { 'docs/index.md': '', 'docs/a.md': '', 'docs/g/index.md': '' };
    expect(site('', files).urls).toEqual({
      'docs/index.md': '/',
      'docs/a.md': '/a.html',
      'docs/g/index.md': '/g/',
    });
    expect(site('cleanUrls: true', files).urls['docs/a.md']).toBe('/a');
  });

  it('makes README.md the page /README', () => {
    expect(site('', { 'docs/g/README.md': '' }).paths).toEqual({ 'docs/g/README.md': '/g/README' });
  });

  it('puts base before the url and not before the path', () => {
    const { urls, paths, site: read } = site(`base: '/project/'`, { 'docs/a.md': '' });
    expect([paths['docs/a.md'], urls['docs/a.md']]).toEqual(['/a', '/project/a.html']);
    expect(read.basePath).toBe('/project');
  });

  it('reads srcDir and srcExclude', () => {
    const { paths } = site(`srcDir: 'src', srcExclude: ['**/parts/*.md']`, {
      'docs/src/a.md': '',
      'docs/src/parts/b.md': '',
      'docs/outside.md': '',
    });
    expect(paths).toEqual({ 'docs/src/a.md': '/a' });
  });

  it('rewrites paths by names and rest, and resolves links against the new path', () => {
    const { paths, errors } = site(
      `rewrites: { 'en/:rest*': ':rest*', 'packages/:name/docs/x.md': ':name/x.md' }`,
      {
        'docs/en/index.md': '[a](./guide/a) [old](./en/guide/a)',
        'docs/en/guide/a.md': '[home](../)',
        'docs/packages/core/docs/x.md': '',
      },
    );
    expect(paths).toEqual({
      'docs/en/index.md': '/',
      'docs/en/guide/a.md': '/guide/a',
      'docs/packages/core/docs/x.md': '/core/x',
    });
    expect(errors).toEqual(['docs/en/index.md:1 link ./en/guide/a']);
  });

  it('says that rewrites are computed, with file and line', () => {
    const { unread } = site(`\n  rewrites(id) { return id.slice(3); }`, { 'docs/en/a.md': '' });
    expect(unread).toEqual([
      'docs/.vitepress/config.ts:3 The rewrites are computed: addresses may differ.',
    ]);
  });

  it('takes the first segment as the language where it is a key of locales', () => {
    const { site: read } = site(
      `lang: 'en-GB', locales: { root: { lang: 'en-GB' }, fr: { lang: 'fr-FR' } }`,
      { 'docs/a.md': '', 'docs/fr/a.md': '', 'docs/free/a.md': '' },
    );
    expect(read.pages.map(({ path, language }) => [path, language])).toEqual([
      ['/a', 'en-GB'],
      ['/fr/a', 'fr-FR'],
      ['/free/a', 'en-GB'],
    ]);
  });

  it('names templates of dynamic routes and takes links below them for pages', () => {
    const { paths, unread, errors } = site('', {
      'docs/pkg/[name].md': '',
      'docs/pkg/[name].paths.ts': 'export default {};',
      'docs/a.md': '[made](/pkg/core)',
    });
    expect(Object.keys(paths)).toEqual(['docs/a.md']);
    expect(unread).toEqual([expect.stringContaining('docs/pkg/[name].md')]);
    expect(errors).toEqual([]);
  });
});

describe('VitePress: sidebars', () => {
  const FILES = {
    'docs/guide/a.md': '# A',
    'docs/guide/b.md': '# B',
    'docs/api/c.md': '# C',
  };

  it('reads an array of groups', () => {
    const { navigation, page: of } = site(
      `themeConfig: { sidebar: [{ text: 'Guide', items: [
        { text: 'First', link: '/guide/a' }, { text: 'Second', link: '/guide/b.md' }] },
        { text: 'Out', link: 'https://x.example' }] }`,
      FILES,
    );
    expect(navigation).toEqual(['Guide > First', 'Guide > Second', 'Out']);
    expect(of('docs/guide/b.md')).toMatchObject({ inNavigation: true, title: 'Second' });
    expect(of('docs/api/c.md').inNavigation).toBe(false);
  });

  it('reads sidebars by prefix, with base before each link', () => {
    const { site: read } = site(
      `themeConfig: { sidebar: {
        '/guide/': { base: '/guide/', items: [{ text: 'First', link: 'a' }] },
        '/api/': [{ text: 'API', base: '/api', items: [{ text: 'Third', link: '/c' }] }] } }`,
      FILES,
    );
    expect(read.navigation.map(({ sidebar, path, crumbs }) => [sidebar, path, crumbs])).toEqual([
      ['/guide/', '/guide/a', []],
      ['/api/', '/api/c', ['API']],
    ]);
  });

  it('reads functions that only return a value, in this file and in another', () => {
    const { navigation, unread } = testSite({
      ...FILES,
      'docs/.vitepress/config.mts': `import { api } from './api';
import { defineConfig } from 'vitepress';
const guide = (prefix: string) => [{ text: 'First', link: prefix + '/a' }];
export default defineConfig({ themeConfig: { sidebar: { '/guide/': guide('/guide'), '/api/': api() } } });`,
      'docs/.vitepress/api.ts': `export function api() {
  const text = 'Third';
  return [{ text, link: \`/api/c\` }];
}`,
    });
    expect(navigation).toEqual(['First', 'Third']);
    expect(unread).toEqual([]);
  });

  it('names what a function computes, with file and line', () => {
    const { navigation, unread } = site(
      `themeConfig: { sidebar: [
        { text: 'First', link: '/guide/a' },
        ...fs.readdirSync('docs').map(name => ({ text: name, link: name })) ] }`,
      FILES,
    );
    expect(navigation).toEqual(['First']);
    expect(unread).toEqual([
      'docs/.vitepress/config.ts:4 A part of the sidebar of / is computed by a function call.',
    ]);
  });

  it('reads the sidebar of each locale, and of a config.ts in a folder', () => {
    const { site: read } = site(
      `locales: { root: { lang: 'en' }, fr: { lang: 'fr',
        themeConfig: { sidebar: { '/fr/': [{ text: 'Un', link: '/fr/a' }] } } } },
       themeConfig: { sidebar: [{ text: 'One', link: '/a' }] }`,
      {
        'docs/a.md': '',
        'docs/fr/a.md': '',
        'docs/guide/config.ts': `import { defineAdditionalConfig } from 'vitepress';
export default defineAdditionalConfig({ themeConfig: { sidebar: [{ text: 'Three', link: '/guide/a' }] } });`,
        'docs/guide/a.md': '',
      },
    );
    expect(read.navigation.map(({ title, locale }) => [title, locale])).toEqual([
      ['One', 'root'],
      ['Un', 'fr'],
      ['Three', 'root'],
    ]);
  });
});

describe('VitePress: anchors and links', () => {
  it('slugs as its own slugger: accents dropped, marks and _ become -, a digit gets _', () => {
    const { ids } = site('', {
      'docs/a.md': [
        '# Título',
        '## 1. Install `vite`',
        '## snake_case & more.',
        '## Again',
        '## Again',
        '## Own {#my-id}',
        '## 日本',
      ].join('\n\n'),
    });
    expect(ids('docs/a.md')).toEqual([
      'titulo',
      '_1-install-vite',
      'snake-case-more',
      'again',
      'again-1',
      'my-id',
      '日本',
    ]);
  });

  it('reports dead links of Markdown, and anchors only on demand', () => {
    const { errors, findings } = site('', {
      'docs/a.md':
        '[md](b.md) [html](b.html) [bare](b) [folder](./g/) [asset](/x.png)\n[gone](./c)\n[no](b#nope)\n',
      'docs/b.md': '# B',
      'docs/g/index.md': '',
      'docs/public/x.png': '',
    });
    expect(errors).toEqual(['docs/a.md:2 link ./c']);
    expect(findings.filter(one => one.rule === 'anchor')).toEqual([]);
  });

  it('takes any anchor of a page that includes another file', () => {
    const { site: read } = site('', {
      'docs/a.md': '<!--@include: ./b.md-->\n',
      'docs/c.md': page({ title: 'C' }, '## One'),
    });
    expect(read.anchors(read.outline('docs/a.md'))).toBeNull();
    expect(read.anchors(read.outline('docs/c.md'))).toEqual(new Set(['one']));
  });
});
