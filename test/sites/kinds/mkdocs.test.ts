import { foundKinds, page, type SiteFiles, testSite } from '../../support/site-files.ts';

const site = (config: string, files: SiteFiles) =>
  testSite({ 'mkdocs.yml': `site_name: X\n${config}\n`, ...files });

it('MkDocs: files of the folder of the theme are published', () => {
  const { errors } = testSite({
    'mkdocs.yml': 'site_name: A\ntheme:\n  name: material\n  custom_dir: theme\n',
    'docs/a/b.md': '# B\n\n![logo](../assets/logo.png) ![no](../assets/no.png)\n',
    'docs/index.md': '# A\n',
    'theme/assets/logo.png': '',
  });
  expect(errors).toEqual(['docs/a/b.md:3 link ../assets/no.png']);
});

describe('MkDocs: pages', () => {
  it('makes a folder of each page, with the base path of site_url', () => {
    const { urls, site: read } = site('site_url: https://x.example/project/', {
      'docs/index.md': '',
      'docs/a/b.md': '',
      'docs/c/README.md': '',
    });
    expect(read).toMatchObject({ basePath: '/project', address: 'https://x.example' });
    expect(urls).toEqual({
      'docs/index.md': '/project/',
      'docs/a/b.md': '/project/a/b/',
      'docs/c/README.md': '/project/c/',
    });
  });

  it('writes .html if use_directory_urls is off', () => {
    const { urls, paths } = site('use_directory_urls: false', {
      'docs/index.md': '',
      'docs/a/b.md': '',
      'docs/c/README.md': '',
    });
    expect(Object.values(paths)).toEqual(['/a/b', '/c', '/']);
    expect(Object.values(urls)).toEqual(['/a/b.html', '/c/index.html', '/index.html']);
  });

  it('lets index.md win over README.md beside it', () => {
    const { paths, site: read } = site('', { 'docs/index.md': '', 'docs/README.md': '' });
    expect(paths).toEqual({ 'docs/index.md': '/' });
    expect(read.excluded).toEqual(['docs/README.md']);
  });

  it('reads docs_dir, exclude_docs as gitignore patterns, and leaves hidden files out', () => {
    const { paths } = site(
      'docs_dir: pages\nexclude_docs: |\n  /drafts/\n  *.part.md\n  !ok.part.md',
      {
        'pages/a.md': '',
        'pages/drafts/b.md': '',
        'pages/c.part.md': '',
        'pages/ok.part.md': '',
        'pages/.hidden/d.md': '',
      },
    );
    expect(Object.keys(paths)).toEqual(['pages/a.md', 'pages/ok.part.md']);
  });

  it('marks pages of draft_docs', () => {
    const { page: of } = site('draft_docs: wip/', { 'docs/a.md': '', 'docs/wip/b.md': '' });
    expect([of('docs/a.md').draft, of('docs/wip/b.md').draft]).toEqual([false, true]);
  });

  it('reads past !ENV and !!python/name tags', () => {
    const { site: read, errors } = site(
      [
        'site_url: !ENV [SITE, "https://x.example/"]',
        'nav:',
        '  - Start: a.md',
        'markdown_extensions:',
        '  - pymdownx.emoji:',
        '      emoji_index: !!python/name:material.extensions.emoji.twemoji',
        '  - attr_list',
      ].join('\n'),
      { 'docs/a.md': '' },
    );
    expect(read.navigation.map(item => item.title)).toEqual(['Start']);
    expect(errors).toEqual([]);
  });

  it('merges the file of INHERIT, and its own members win', () => {
    const { site: read, navigation } = site(
      'INHERIT: config/base.yml\nsite_url: https://own.example/',
      {
        'config/base.yml': 'site_url: https://base.example/\nnav:\n  - From base: a.md\n',
        'docs/a.md': '',
      },
    );
    expect(read.address).toBe('https://own.example');
    expect(read.configFiles).toEqual(['mkdocs.yml', 'config/base.yml']);
    expect(navigation).toEqual(['From base']);
  });

  it('stops at a file that inherits itself', () => {
    expect(site('INHERIT: mkdocs.yml', { 'docs/a.md': '' }).paths).toEqual({ 'docs/a.md': '/a' });
  });

  it('reports a configuration that cannot be parsed with its line', () => {
    const { errors } = site('nav:\n  - a: [b.md\n', { 'docs/a.md': '' });
    expect(errors).toContainEqual(expect.stringMatching(/^mkdocs\.yml:\d+ configuration null$/));
  });

  it('reads languages by suffix', () => {
    const { site: read } = site(
      [
        'plugins:',
        '  - i18n:',
        '      languages:',
        '        - {locale: en, default: true}',
        '        - {locale: fr}',
      ].join('\n'),
      { 'docs/a.md': '', 'docs/a.fr.md': '' },
    );
    expect(read.pages.map(({ file, path, language }) => [file, path, language])).toEqual([
      ['docs/a.fr.md', '/fr/a', 'fr'],
      ['docs/a.md', '/a', 'en'],
    ]);
  });
});

describe('MkDocs: navigation', () => {
  it('lists everything without nav: index first, then files, then folders', () => {
    const { navigation } = site('', {
      'docs/zeta.md': '# Last heading',
      'docs/alpha.md': page({ title: 'From matter' }),
      'docs/index.md': '# Welcome',
      'docs/user-guide/some-page.md': 'no heading',
    });
    expect(navigation).toEqual([
      'Welcome',
      'From matter',
      'Last heading',
      'User guide > Some page',
    ]);
  });

  it('reads nav, its titles, and reports an entry without a page', () => {
    const {
      navigation,
      errors,
      page: of,
    } = site(
      'nav:\n  - index.md\n  - Guides:\n    - Install: guides/install.md\n    - gone.md\n' +
        '  - Forum: https://forum.example\n',
      { 'docs/index.md': '# Home page', 'docs/guides/install.md': '', 'docs/other.md': '' },
    );
    expect(navigation).toEqual(['Home page', 'Guides > Install', 'Forum']);
    expect(errors).toEqual([expect.stringMatching(/^mkdocs\.yml:(?:-|\d+) navigation gone\.md$/)]);
    expect(of('docs/other.md').inNavigation).toBe(false);
  });

  it('reads .nav.yml of awesome-nav: globs, ignore, append_unmatched', () => {
    const { navigation } = site('plugins: [awesome-nav]', {
      'docs/.nav.yml': 'nav:\n  - Home: index.md\n  - guides\n  - "p*.md"\n',
      'docs/index.md': '',
      'docs/p1.md': '# P1',
      'docs/p2.md': '# P2',
      'docs/unlisted.md': '# U',
      'docs/guides/.nav.yml':
        'title: All guides\nignore: "*.draft.md"\nappend_unmatched: true\nnav:\n  - z.md\n',
      'docs/guides/a.md': '# A',
      'docs/guides/z.md': '# Z',
      'docs/guides/x.draft.md': '# X',
    });
    expect(navigation).toEqual(['Home', 'All guides > Z', 'All guides > A', 'P1', 'P2']);
  });

  it('reads .pages of awesome-pages: title, order and the rest', () => {
    const { navigation } = site('plugins:\n  - awesome-pages', {
      'docs/.pages': 'nav:\n  - b.md\n  - ...\n  - sub\n',
      'docs/a.md': '# A',
      'docs/b.md': '# B',
      'docs/c.md': '# C',
      'docs/sub/.pages': 'title: Below\n',
      'docs/sub/x.md': '# X',
    });
    expect(navigation).toEqual(['B', 'A', 'C', 'Below > X']);
  });

  it('reads SUMMARY.md of literate-nav: nested lists, folders and globs', () => {
    const { navigation, paths } = site('plugins:\n  - literate-nav', {
      'docs/SUMMARY.md':
        '* [Home](index.md)\n* Guides\n    * [Install](guides/install.md)\n* [Sub](sub/)\n* more/*\n',
      'docs/index.md': '',
      'docs/guides/install.md': '',
      'docs/sub/SUMMARY.md': '- [X marks](x.md)\n',
      'docs/sub/x.md': '',
      'docs/more/m.md': '# M',
    });
    expect(navigation).toEqual(['Home', 'Guides > Install', 'Sub > X marks', 'M']);
    expect(Object.keys(paths)).not.toContain('docs/SUMMARY.md');
  });

  it('reads redirect_maps: both sides are source files', () => {
    const { site: read, errors } = site(
      'plugins:\n  - redirects:\n      redirect_maps:\n' +
        "        'old/page.md': 'guides/install.md'\n        'older.md': 'gone.md'\n" +
        "        'out.md': 'https://example.com'\n",
      { 'docs/guides/install.md': '' },
    );
    expect(read.redirects.map(({ from, to }) => [from, to])).toEqual([
      ['/old/page', '/guides/install'],
      ['/older', '/gone'],
      ['/out', 'https://example.com'],
    ]);
    expect(errors).toEqual([expect.stringMatching(/ redirect gone\.md$/)]);
  });

  it('names plugins that make pages while the site is built', () => {
    const { unread } = site('plugins:\n  - gen-files:\n      scripts: [x.py]', { 'docs/a.md': '' });
    expect(unread).toEqual([expect.stringContaining('gen-files')]);
  });
});

describe('MkDocs: anchors and links', () => {
  it('slugs as Python-Markdown: ASCII only, underscores stay, repeated ids get _1', () => {
    const { ids } = site('', {
      'docs/a.md': [
        '# Title',
        '## Über uns & co',
        '## snake_case -- here',
        '## Again',
        '## Again',
        '## Again',
        '## 日本',
      ].join('\n\n'),
    });
    expect(ids('docs/a.md')).toEqual([
      'title',
      'uber-uns-co',
      'snake_case-here',
      'again',
      'again_1',
      'again_2',
      '_1',
    ]);
  });

  it('knows the ids of footnotes, where the extension is on', () => {
    const files = {
      'docs/a.md':
        '[1](b.md#fn:1) [2](b.md#fnref:1) [3](b.md#fnref2:1)\n[4](b.md#fn:note)\n[5](b.md#fn:2)\n',
      'docs/b.md': 'One[^1] and again[^1], and [^note], [^2].\n\n[^1]: A\n[^note]: B\n',
    };
    const strict = 'validation:\n  anchors: warn';
    expect(site(`${strict}\nmarkdown_extensions: [footnotes]`, files).errors).toEqual([
      'docs/a.md:3 anchor b.md#fn:2',
    ]);
    expect(site(strict, files).errors).toHaveLength(5);
  });

  it('reads ids of attr_list', () => {
    const { ids } = site('markdown_extensions: [attr_list]', {
      'docs/a.md': '## One {#uno}\n\n## Two {: #dos .big }\n',
    });
    expect(ids('docs/a.md')).toEqual(['uno', 'dos']);
  });

  it('reads headings and links in admonitions, details and tabs', () => {
    const { ids, errors } = site('markdown_extensions: [admonition]', {
      'docs/a.md':
        '!!! note "Title"\n\n    ## Inside\n\n    [gone](x.md)\n\n' +
        '=== "Tab"\n\n    ## In tab\n\n    ```md\n    [code](y.md)\n    ```\n\n## After\n',
    });
    expect(ids('docs/a.md')).toEqual(['inside', 'in-tab', 'after']);
    expect(errors).toEqual([expect.stringMatching(/^docs\/a\.md:5 link x\.md$/)]);
  });

  it('adds the headings of snippets, and accepts any anchor if one cannot be read', () => {
    const { ids, errors } = site(
      'markdown_extensions:\n  - pymdownx.snippets:\n      base_path: parts\n',
      {
        'docs/a.md': '--8<-- "p.md"\n\n[ok](#from-part) [no](#nowhere)\n',
        'docs/b.md': '--8<-- "missing.md"\n\n[perhaps](#anything)\n',
        'parts/p.md': '## From part\n',
      },
    );
    expect(ids('docs/a.md')).toEqual(['from-part']);
    expect(errors).toEqual([expect.stringMatching(/^docs\/a\.md:\d+ anchor #nowhere$/)]);
  });

  it('reports unrecognized relative links and leaves absolute ones alone', () => {
    const { errors } = site('', {
      'docs/a/b.md': '[file](../c.md)\n[folder](../c/)\n[page](c)\n[abs](/nowhere/)\n',
      'docs/c.md': '',
    });
    expect(errors).toEqual(['docs/a/b.md:2 link ../c/', 'docs/a/b.md:3 link c']);
  });

  it('reads absolute links as source files if the configuration says so', () => {
    const { errors } = site('validation:\n  links:\n    absolute_links: relative_to_docs', {
      'docs/a/b.md': '[ok](/c.md)\n[gone](/d.md)\n',
      'docs/c.md': '',
    });
    expect(errors).toEqual(['docs/a/b.md:2 link /d.md']);
  });
});

describe('MkDocs: what plugins and themes bring along', () => {
  it('takes a reference to an object for its text', () => {
    const { ids } = site('plugins: [autorefs]', { 'docs/a.md': '## The [File][kit.File] API\n' });
    expect(ids('docs/a.md')).toEqual(['the-file-api']);
  });

  it('knows the icon of its own themes, and lets front matter be broken', () => {
    const { errors } = site('theme: readthedocs', {
      'docs/a.md': '![icon](img/favicon.ico) ![gone](img/gone.ico)\n',
      'docs/b.md': '---\nauthors:\n@me\n---\n',
    });
    expect(errors).toEqual(['docs/a.md:1 link img/gone.ico']);
    expect(
      site('theme: material', { 'docs/a.md': '![icon](img/favicon.ico)' }).errors,
    ).toHaveLength(1);
  });
});

describe('MkDocs: languages that have docs folders of their own', () => {
  it('are those whose configurations inherit the main one', () => {
    const {
      paths,
      urls,
      navigation,
      site: read,
      errors,
    } = testSite({
      'docs/en/mkdocs.yml':
        'site_name: X\nsite_url: https://x.example/p/\ntheme: { name: material, language: en }\n' +
        'nav:\n  - Start: index.md\n  - Guides: [a.md]\n',
      'docs/de/mkdocs.yml': 'INHERIT: ../en/mkdocs.yml\nsite_url: https://x.example/p/de/\n',
      'docs/en/docs/index.md': '[x](a.md)',
      'docs/en/docs/a.md': '# A',
      'docs/de/docs/index.md': '[x](a.md)',
    });
    expect(paths).toEqual({
      'docs/de/docs/index.md': '/de',
      'docs/en/docs/a.md': '/a',
      'docs/en/docs/index.md': '/',
    });
    expect(urls['docs/de/docs/index.md']).toBe('/p/de/');
    expect(read.docsFolder).toBe('docs/en/docs');
    expect(read.pages.map(one => one.language)).toEqual(['de', 'en', 'en']);
    expect(navigation).toEqual(['Start', 'Guides > A', 'Start']);
    expect(errors).toEqual(['docs/de/docs/index.md:1 link a.md']);
  });

  it('are those of the selector beside the main folder, filled with its pages', () => {
    const {
      paths,
      errors,
      site: read,
    } = testSite({
      'docs/en/mkdocs.yml':
        'site_name: X\nextra:\n  alternate:\n    - { link: /, name: English }\n' +
        '    - { link: /de/, name: Deutsch }\n    - { link: /fr/, name: Français }\n',
      'docs/en/docs/index.md': '',
      'docs/en/docs/a.md': '# A',
      'docs/de/docs/index.md': '[x](a.md) [y](b.md)',
      'docs/fr/prompt.md': '',
    });
    expect(paths).toMatchObject({ 'docs/de/docs/index.md': '/de' });
    expect(read.pages.map(one => one.language)).toEqual(['de', 'en', 'en']);
    expect(errors).toEqual(['docs/de/docs/index.md:1 link b.md']);
  });

  it('a configuration of another variant is none', () => {
    const { paths } = testSite({
      'mkdocs.yml': 'site_name: X\n',
      'mkdocs.offline.yml': 'INHERIT: mkdocs.yml\nplugins: [offline]\n',
      'docs/index.md': '',
    });
    expect(paths).toEqual({ 'docs/index.md': '/' });
  });

  it('are told by the theme or by the selector, not by any folder that inherits', () => {
    const kinds = (more: Record<string, string>) =>
      foundKinds({
        'mkdocs.yml':
          'site_name: X\nsite_url: https://x.example/\ndocs_dir: en\n' +
          'extra: { alternate: [{ link: /de/, lang: de }] }\n',
        'en/index.md': '',
        ...more,
      });
    const inheriting = (more: string) => `INHERIT: ../mkdocs.yml\ndocs_dir: docs\n${more}`;
    expect(
      kinds({ 'guide/mkdocs.yml': inheriting('site_url: https://x.example/guide/\n') }),
    ).toEqual(['mkdocs', 'mkdocs guide', 'folder']);
    for (const name of ['api', 'it', 'de'])
      expect([name, kinds({ [`${name}/mkdocs.yml`]: inheriting('') })]).toEqual([
        name,
        name === 'de' ? ['mkdocs', 'folder'] : ['mkdocs', `mkdocs ${name}`, 'folder'],
      ]);
    const french = 'theme: { name: material, language: fr }\n';
    expect(kinds({ 'x/mkdocs.yml': inheriting(french) })).toEqual(['mkdocs', 'folder']);
    const elsewhere = `${french}site_url: https://fr.example/\n`;
    expect(kinds({ 'x/mkdocs.yml': inheriting(elsewhere) })).toContain('mkdocs x');
  });
});

it('MkDocs: the plugin monorepo brings in what its navigation includes', () => {
  const kinds = (main: string) =>
    foundKinds({
      ...{ 'mkdocs.yml': `site_name: X\n${main}`, 'docs/index.md': '' },
      ...{ 'other/mkdocs.yml': 'site_name: other\n', 'other/docs/index.md': '' },
    }).filter(kind => kind.startsWith('mkdocs'));
  const both = ['mkdocs', 'mkdocs other'];
  expect(kinds('nav:\n  - monorepo.md\n')).toEqual(both);
  expect(kinds('plugins: [monorepo]\nnav: [index.md]\n')).toEqual(both);
  for (const entry of ["'!include ./other/mkdocs.yml'", '!include other/mkdocs.yml'])
    expect(kinds(`plugins: [monorepo]\nnav:\n  - A:\n    - B: ${entry}\n`)).toEqual(['mkdocs']);
  expect(kinds("plugins: [monorepo]\nnav:\n  - '*include ./*/mkdocs.yml'\n")).toEqual(['mkdocs']);
});
