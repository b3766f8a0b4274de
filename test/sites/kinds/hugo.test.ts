import { page, type SiteFiles, testSite } from '../../support/site-files.ts';

const site = (toml: string, files: SiteFiles) =>
  testSite({ 'hugo.toml': `baseURL = "https://x.example/"\n${toml}`, ...files });

describe('Hugo: file to address', () => {
  it('writes paths in lower case with - for spaces, below the path of baseURL', () => {
    const { paths, urls } = testSite({
      'hugo.yaml': 'baseURL: https://x.example/docs/\n',
      'content/methods/My Time/AddDate.md': '',
      'content/_index.md': '',
    });
    expect(paths).toEqual({
      'content/_index.md': '/',
      'content/methods/My Time/AddDate.md': '/methods/my-time/adddate',
    });
    expect(urls['content/methods/My Time/AddDate.md']).toBe('/docs/methods/my-time/adddate/');
  });

  it('takes _index.md for a section and index.md for a bundle, whose other files are no pages', () => {
    const { paths, site: read } = site('', {
      'content/a/_index.md': '',
      'content/a/b/index.md': '',
      'content/a/b/part.md': '',
      'content/a/c.md': '',
    });
    expect(Object.values(paths)).toEqual(['/a', '/a/b', '/a/c']);
    expect(read.excluded).toEqual(['content/a/b/part.md']);
  });

  it('reads languages by suffix; the default one has no segment', () => {
    const { site: read } = site(
      'defaultContentLanguage = "en"\n[languages.en]\nweight = 1\n[languages.fa]\nweight = 2\n',
      { 'content/a.md': '', 'content/a.fa.md': '', 'content/v1.2.md': '' },
    );
    expect(read.pages.map(({ path, language }) => [path, language])).toEqual([
      ['/fa/a', 'fa'],
      ['/a', 'en'],
      ['/v1.2', 'en'],
    ]);
  });

  it('reads languages by folder, and the default one in a folder if told so', () => {
    const { paths } = site(
      'defaultContentLanguageInSubdir = true\n[languages.en]\ncontentDir = "content/en"\n' +
        '[languages.de]\ncontentDir = "content/de"\n',
      { 'content/en/a.md': '', 'content/de/a.md': '' },
    );
    expect(paths).toEqual({ 'content/de/a.md': '/de/a', 'content/en/a.md': '/en/a' });
  });

  it('reads slug, url and permalinks', () => {
    const { paths } = site('[permalinks]\nposts = "/:year/:month/:slug/"\n', {
      'content/a/b.md': page({ slug: 'own' }),
      'content/a/c.md': page({ url: '/elsewhere/c/' }),
      'content/posts/d.md': page({ title: 'Big News', date: '2024-03-01' }),
    });
    expect(Object.values(paths)).toEqual(['/a/own', '/elsewhere/c', '/2024/03/big-news']);
  });

  it('reads uglyURLs, of all sections or of some', () => {
    const files = {
      'content/a/_index.md': page({}),
      'content/a/b.md': page({ slug: 1 }),
      'content/a/e.md': page({ url: '/e' }),
    };
    const urls = (config: string) =>
      site(config, { ...files, 'content/c/d.md': page({}) }).site.pages.map(one => one.url);
    expect(urls('[uglyURLs]\na = true\n')).toEqual(['/a/index.html', '/a/1.html', '/e/', '/c/d/']);
    expect(urls('uglyURLs = true\n')).toEqual(['/a/index.html', '/a/1.html', '/e/', '/c/d.html']);
  });

  it('reads TOML front matter', () => {
    const { paths } = site('', { 'content/a.md': '+++\nslug = "own"\n+++\n' });
    expect(Object.values(paths)).toEqual(['/own']);
  });

  it('leaves out drafts, future, expired, headless and never rendered pages, also by cascade', () => {
    const { paths } = site('', {
      'content/ok.md': '',
      'content/draft.md': page({ draft: true }),
      'content/future.md': page({ date: '2999-01-01' }),
      'content/expired.md': page({ expiryDate: '2001-01-01' }),
      'content/headless/index.md': page({ headless: true }),
      'content/never.md': page({ build: { render: 'never' } }),
      'content/below/_index.md': page({ cascade: { build: { render: 'never' } } }),
      'content/below/x.md': '',
    });
    const built = Object.keys(paths).filter(file => file !== 'content/below/_index.md');
    expect(built).toEqual(['content/ok.md']);
  });

  it('reads a configuration in config/_default', () => {
    const { site: read } = testSite({
      'site/config/_default/hugo.toml': 'contentDir = "text"\n',
      'site/config/_default/languages.toml': '[en]\nweight = 1\n[fr]\nweight = 2\n',
      'site/text/a.fr.md': '',
    });
    expect(read.pages.map(({ path, language }) => [path, language])).toEqual([['/fr/a', 'fr']]);
  });
});

it('Hugo: reads each language from a file of its own, and knows pages in HTML', () => {
  const { paths, errors } = testSite({
    'config/_default/hugo.toml': 'baseURL = "https://x.example/"\ntheme = "acme"\n',
    'config/_default/languages.en.toml': 'contentDir = "content/en"\n',
    'config/_default/languages.de.toml': 'contentDir = "content/de"\n',
    'content/en/a.md': '# A\n\n[logs](/logs/) [t](/t.png) [no](/no/) [s](/old/x)\n',
    'content/en/logs.html': '<p>Logs</p>',
    'content/de/a.md': '# A\n\n[logs](/de/logs)\n',
    'content/de/logs.html': '<p>Logs</p>',
    'themes/acme/static/t.png': '',
    'static/_redirects': '/old/* /a/:splat 301\n/no /404.html 404\n',
  });
  expect(paths).toMatchObject({ 'content/en/a.md': '/a', 'content/de/a.md': '/de/a' });
  expect(errors).toEqual(['content/en/a.md:3 link /no/']);
});

it('knows which rules of a host lead somewhere', () => {
  const { errors } = testSite({
    'hugo.toml': 'baseURL = "https://x.example/docs/"\n',
    'content/a.md': '# A\n\n[1](/shop) [2](/gone/x) [3](/lost) [4](/docs/nothing) [5](/moved/x)\n',
    'static/_redirects':
      '/shop id=:id /a/:id 301\n/gone/* /404 404\n/docs/* /docs/:splat 200\n/moved/* /a 301 Country=de\n',
    'netlify.toml': '[[redirects]]\nfrom = "/lost"\nto = "/404"\nstatus = 404\n',
  });
  expect(errors.map(error => error.replace(/^.* link /, ''))).toEqual([
    '/gone/x',
    '/lost',
    '/docs/nothing',
  ]);
});

describe('Hugo: navigation, redirects, anchors, links', () => {
  it('orders by section, weight, then title, without what themes hide', () => {
    const { navigation } = site('', {
      'content/docs/_index.md': page({ title: 'Docs' }),
      'content/docs/b.md': page({ title: 'B' }),
      'content/docs/a.md': page({ title: 'A' }),
      'content/docs/z.md': page({ title: 'Z', weight: 1 }),
      'content/docs/h.md': page({ title: 'H', sidebar: { exclude: true } }),
      'content/docs/t.md': page({ title: 'T', toc_hide: true }),
    });
    expect(navigation).toEqual(['Docs', 'Docs > Z', 'Docs > A', 'Docs > B']);
  });

  it('reads aliases as redirects, and links to them lead somewhere', () => {
    const { site: read, errors } = site('', {
      'content/docs/new.md': page({ aliases: ['/old/', 'beside'] }),
      'content/docs/a.md': '[1](/old/) [2](/docs/beside/) [3](/gone/)',
    });
    expect(read.redirects.map(({ from, to }) => [from, to])).toEqual([
      ['/old', '/docs/new'],
      ['/docs/beside', '/docs/new'],
    ]);
    expect(errors).toEqual(['content/docs/a.md:1 link /gone/']);
  });

  it('puts children of a menu entry behind it, and Latin titles before those of other scripts', () => {
    const menu = (name: string, weight: number, more = '') =>
      `[[menu.main]]\nidentifier = "${name}"\nweight = ${weight}\n${more}`;
    const { site: read } = site(
      menu('more', 2) +
        menu('about', 1, 'pageRef = "/about"\nparent = "more"\n') +
        menu('show', 1, 'pageRef = "/show"\n') +
        '[languages.fa]\nweight = 1\n',
      {
        'content/about.fa.md': page({ title: 'About' }),
        'content/show.fa.md': page({ title: 'Show' }),
        'content/a.fa.md': page({ title: 'پیکربندی' }),
        'content/b.fa.md': page({ title: 'Markdown' }),
      },
    );
    expect(read.navigation.map(one => one.title)).toEqual([
      'Show',
      'About',
      'Markdown',
      'پیکربندی',
    ]);
  });

  it('makes ids as Goldmark does, and takes any anchor of a page with shortcodes', () => {
    const { ids, site: read } = site('', {
      'content/a.md': '# A & B\n\n## Größe\n\n## Größe\n\n## X {#own}\n',
      'content/b.md': '{{< include "x" >}}\n',
    });
    expect(ids('content/a.md')).toEqual(['a--b', 'größe', 'größe-1', 'own']);
    expect(read.anchors(read.outline('content/b.md'))).toBeNull();
  });

  it('resolves links by file, by address and in static, and leaves shortcodes alone', () => {
    const { errors } = site('', {
      'content/docs/a.md':
        '[1](b.md) [2](/docs/b/) [3](../b/) [4](/x.pdf) [5]({{< ref "b" >}}) [6](/tags/x/)\n[7](c.md)\n',
      'content/docs/b.md': '',
      'static/x.pdf': '',
    });
    expect(errors).toEqual(['content/docs/a.md:2 link c.md']);
  });
});

describe('Hugo: references', () => {
  const files = {
    'content/docs/a.md': [
      '{{< ref "b" >}} {{% relref "/docs/b.md#x" %}} {{< ref path="b" >}} {{< ref `docs/b` >}}',
      '{{< ref "deep" >}} {{</* ref "gone" */>}} {{< ref "/docs" >}} {{< reference "gone" >}}',
      '{{< ref "gone.md" >}}',
      '[x]({{% relref "b/gone" %}})',
      '{{< ref `/gone` >}}',
      '{{< relref path="gone" >}}',
    ].join('\n'),
    'content/docs/b.md': '## X\n',
    'content/more/deep.md': '',
  };

  it('that lead nowhere stop the build', () => {
    expect(site('', files).errors).toEqual([
      'content/docs/a.md:3 link gone.md',
      'content/docs/a.md:4 link b/gone',
      'content/docs/a.md:5 link /gone',
      'content/docs/a.md:6 link gone',
    ]);
  });

  it('do not if the configuration says so', () => {
    expect(site('refLinksErrorLevel = "WARNING"\n', files).errors).toEqual([]);
  });
});

describe('Hugo: as it reads names, dates and sections', () => {
  it('reads names in any case, in the configuration and on pages', () => {
    const { paths, navigation } = testSite({
      'hugo.toml': 'BaseURL = "https://x.example/"\ncontentdir = "text"\nuglyURLS = false\n',
      'text/docs/_index.md': page({ Title: 'Docs' }),
      'text/docs/a.md': page({ title: 'Long', linktitle: 'Short' }),
      'text/docs/b.md': page({ title: 'B', ExpiryDate: '2001-01-01' }),
    });
    expect(Object.keys(paths)).toEqual(['text/docs/_index.md', 'text/docs/a.md']);
    expect(navigation).toEqual(['Docs', 'Docs > Short']);
  });

  it('hands down what a cascade is aimed at, also from the configuration', () => {
    const { paths } = site(
      '[[cascade]]\n[cascade.build]\nrender = "never"\n[cascade.target]\npath = "/parts/**"\n',
      {
        'content/parts/x.md': '',
        'content/a/_index.md': page({
          cascade: [{ build: { render: 'never' }, target: { kind: 'page' } }],
        }),
        'content/a/b.md': '',
        'content/a/c/_index.md': '',
      },
    );
    expect(Object.keys(paths)).toEqual(['content/a/_index.md', 'content/a/c/_index.md']);
  });

  it('takes the other texts of a bundle in any language for parts of it, and leaves copies out', () => {
    const { paths } = site('[languages.en]\n[languages.fa]\n', {
      'content/a/index.fa.md': '',
      'content/a/part.md': '',
      'content/b~.md': '',
      'content/c.md~': '',
      'content/.#d.md': '',
      'content/.hidden/c.md': '',
      'content/d.md': '',
    });
    expect(Object.keys(paths)).toEqual(['content/a/index.fa.md', 'content/b~.md', 'content/d.md']);
  });

  it('makes a section of a folder at the top, and dates a section by its newest page', () => {
    const { navigation, site: read } = site('', {
      'content/old/a.md': page({ title: 'A', date: '2020-01-01' }),
      'content/new/b.md': page({ title: 'B', date: '2024-01-01' }),
      'content/new/deep/c.md': page({ title: 'C', date: '2023-01-01' }),
    });
    expect(navigation).toEqual(['New', 'New > B', 'New > C', 'Old', 'Old > A']);
    expect(read.navigation[0]).toMatchObject({ path: '/new', generated: true });
  });

  it('reads dates from file names if it is told to', () => {
    const { paths } = site('[frontmatter]\ndate = [":filename", ":default"]\n', {
      'content/posts/2024-03-01-news.md': '',
    });
    expect(Object.values(paths)).toEqual(['/posts/news']);
  });

  it('takes parts of the sections for a permalink', () => {
    const { paths } = site('[permalinks]\na = "/:sections[1:]/:slug/"\n', {
      'content/a/b/c/d.md': page({ title: 'D' }),
    });
    expect(Object.values(paths)).toEqual(['/b/c/d']);
  });
});

it('Hugo: links lead to files that the configuration mounts beside each other', () => {
  const { errors } = testSite({
    'site/hugo.toml':
      '[[module.mounts]]\nsource = "content"\ntarget = "content"\n' +
      '[[module.mounts]]\nsource = "../README.md"\ntarget = "content/repo/README.md"\n',
    'site/content/repo/_index.md': '[1](README.md) [2](readme/) [3](GONE.md)',
    'README.md': '# Readme\n\n[up](_index.md)\n',
  });
  expect(errors).toEqual(['site/content/repo/_index.md:1 link GONE.md']);
});

describe('Hugo: ids of headings', () => {
  it('takes the text of a heading: no addresses, tags or dashes, and the first piece of a link', () => {
    const { ids } = site('', {
      'content/a.md': [
        '## [Link](https://x.example) end',
        '## **Bold** `code`',
        '## [`a` b](c.md)',
        '## One -- two &ndash; three',
        '## See https://x.example',
        '## A <b>tag</b>',
        '## ½ Tab½',
        '## ???',
        '## ???',
        '## ![](x.png)',
        '## Text {name}',
        '## Class {.big}',
        '## Own {#own}',
        '## Other {#own}',
        '## Closed ## {#shut}',
      ].join('\n\n'),
    });
    expect(ids('content/a.md')).toEqual([
      'link-end',
      'bold-code',
      'a',
      'one--two--three',
      'see',
      'a-tag',
      '-tab',
      'heading',
      'heading-1',
      'text-name',
      'class',
      'own',
      'own',
      'shut',
    ]);
  });

  it.each([
    ['github', ['größe_ß-日本', 'größe_ß-日本-1']],
    ['github-ascii', ['groe_-', 'groe_--1']],
    ['blackfriday', ['größe-ß-日本', 'größe-ß-日本-1']],
  ])('makes them as autoIDType says: %s', (type, expected) => {
    const { ids } = site(`[markup.goldmark.parser]\nautoIDType = "${type}"\n`, {
      'content/a.md': '## Größe_ß 日本\n\n## Größe_ß 日本\n',
    });
    expect(ids('content/a.md')).toEqual(expected);
  });

  it('makes none where it is told not to, and leaves braces as text', () => {
    const off = site('[markup.goldmark.parser]\nautoHeadingID = false\n', {
      'content/a.md': '## A\n\n## B {#b}\n',
    });
    const plain = site('[markup.goldmark.parser.attribute]\ntitle = false\n', {
      'content/a.md': '## B {#b}\n',
    });
    expect(off.ids('content/a.md')).toEqual(['b']);
    expect(plain.ids('content/a.md')).toEqual(['b-b']);
  });

  it('counts terms of definition lists, which links may name', () => {
    const { ids, site: read } = site('[markup.goldmark.parser]\nautoDefinitionTermID = true\n', {
      'content/a.md': 'scale\n: The scale.\n\n## Scale\n\nlast\n\n: one\n',
    });
    expect(ids('content/a.md')).toEqual(['scale-1']);
    expect([...(read.anchors(read.outline('content/a.md')) ?? [])]).toEqual([
      'scale-1',
      'scale',
      'last',
    ]);
  });

  it('adds the headings of pages and notebooks that a shortcode puts in', () => {
    const { ids } = site('', {
      'layouts/_shortcodes/include.html':
        '{{ with site.GetPage (.Get 0) }}{{ .RenderShortcodes }}{{ end }}',
      'layouts/shortcodes/notebook.html': '{{ resources.Get (.Get "file") }} "cell_type"',
      'layouts/shortcodes/card.html': '{{ with site.GetPage (.Get 0) }}{{ .Title }}{{ end }}',
      'content/a.md': [
        '## First',
        '{{% include "parts/b" %}}',
        '{{< card "/parts/c" >}}',
        '{{< notebook file="x.ipynb" >}}',
        '```\n{{% include "parts/c" %}}\n```',
        '## First',
      ].join('\n\n'),
      'content/parts/b.md': '## Part\n\n{{% include "/parts/c.md" %}}\n',
      'content/parts/c.md': '## Inner\n',
      'assets/x.ipynb': {
        cells: [
          { cell_type: 'markdown', source: ['## Cell\n', 'text'] },
          { cell_type: 'code', source: ['## no'] },
        ],
      },
    });
    expect(ids('content/a.md')).toEqual(['first', 'part', 'inner', 'cell', 'first-1']);
  });
});
