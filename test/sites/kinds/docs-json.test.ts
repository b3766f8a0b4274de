import { page, type SiteFiles, testSite } from '../../support/site-files.ts';

const site = (navigation: object, files: SiteFiles, more: object = {}) =>
  testSite({ 'docs/docs.json': { name: 'X', navigation, ...more }, ...files });

describe('docs.json', () => {
  it('takes every page of the folder, index is its folder, listed or not', () => {
    const { paths, page: of } = site(
      { groups: [{ group: 'Start', pages: ['index', 'g/a'] }] },
      { 'docs/index.mdx': '', 'docs/g/a.md': '', 'docs/g/index.md': '', 'docs/hidden.mdx': '' },
    );
    expect(paths).toEqual({
      'docs/g/a.md': '/g/a',
      'docs/g/index.md': '/g',
      'docs/hidden.mdx': '/hidden',
      'docs/index.mdx': '/',
    });
    expect(of('docs/g/a.md')).toMatchObject({ inNavigation: true, crumbs: ['Start'] });
    expect(of('docs/hidden.mdx').inNavigation).toBe(false);
  });

  it('leaves out what .mintignore names, and snippets', () => {
    const { paths, site: read } = site(
      { pages: ['a'] },
      {
        'docs/a.md': '',
        'docs/drafts/b.md': '',
        'docs/snippets/c.mdx': '',
        'docs/.mintignore': 'drafts/\n',
      },
    );
    expect(Object.keys(paths)).toEqual(['docs/a.md']);
    expect(read.excluded).toEqual(['docs/drafts/b.md', 'docs/snippets/c.mdx']);
  });

  it('reports an entry without a page and a broken redirect', () => {
    const { errors } = site(
      { pages: ['a', 'gone'] },
      { 'docs/a.md': '[old](/old)' },
      {
        redirects: [
          { source: '/old', destination: '/a' },
          { source: '/older', destination: '/missing' },
          { source: '/w/:slug*', destination: '/v/:slug*' },
        ],
      },
    );
    expect(errors).toEqual([
      expect.stringMatching(/^docs\/docs\.json:\S+ navigation gone$/),
      expect.stringMatching(/^docs\/docs\.json:\S+ redirect \/missing$/),
    ]);
  });

  it('accepts the routes of an OpenAPI file that the navigation names', () => {
    const { errors } = site(
      { groups: [{ group: 'API', openapi: 'openapi.json', pages: ['a', 'GET /users'] }] },
      {
        'docs/a.md': '[made](/api-reference/get-users)',
        'docs/openapi.json': { openapi: '3.1.0', paths: { '/users': { get: {} } } },
      },
    );
    expect(errors.filter(one => one.includes('navigation'))).toEqual([]);
  });

  it('reads language and version of a page from the navigation', () => {
    const { page: of } = site(
      {
        languages: [
          { language: 'en', pages: ['a'] },
          { language: 'fr', pages: ['fr/a'] },
        ],
      },
      { 'docs/a.md': page({ title: 'A' }), 'docs/fr/a.md': '' },
    );
    expect([of('docs/a.md').language, of('docs/fr/a.md').language]).toEqual(['en', 'fr']);
  });

  it('reports a file that is no JSON', () => {
    const { errors } = testSite({ 'docs.json': '{ "navigation": { ', 'a.md': '' });
    expect(errors).toEqual([expect.stringMatching(/^docs\.json:\S+ configuration /)]);
  });

  it('reports links and anchors that lead nowhere, in Markdown and in cards', () => {
    const { errors } = site(
      { pages: ['a', 'b'] },
      {
        'docs/a.mdx': '## One\n\n<Card href="/gone">x</Card>\n\n[ok](/b#two) [no](/b#three)\n',
        'docs/b.md': '## Two\n',
      },
    );
    expect(errors).toEqual(['docs/a.mdx:3 link /gone', 'docs/a.mdx:5 anchor /b#three']);
  });

  it('knows the ids that the platform gives to headings, and no others', () => {
    const right = [
      ...['config-json-options', 'rate-limits-per-minute', 'what’s-new', 'what%E2%80%99s-new'],
      ...['read/write-access', 'fees-&-billing', 'overview-2', 'step-1-issue', 'own', 'c++'],
    ];
    const wrong = [
      ...['configjson-options', 'whats-new', 'what-s-new', 'readwrite-access', 'fees--billing'],
      ...['overview-1', 'step-1:-issue', 'own-id', 'c'],
    ];
    const titles = [
      ...['Config.json options', 'Rate limits (per minute)', "What's new", 'Read/write access'],
      ...['Fees & billing', 'Overview', 'Overview', 'Step 1: issue', 'Own id {#own}', 'C++'],
    ];
    const { errors, ids } = site(
      { pages: ['a', 'b'] },
      {
        'docs/a.mdx': [...right, ...wrong].map(id => `[x](/b#${id})`).join('\n'),
        'docs/b.mdx': titles.map(title => `## ${title}\n`).join('\n'),
      },
    );
    expect(errors).toEqual(
      wrong.map((id, i) => `docs/a.mdx:${right.length + i + 1} anchor /b#${id}`),
    );
    expect(ids('docs/b.mdx')).toEqual([
      ...['config-json-options', 'rate-limits-per-minute', 'what’s-new', 'read/write-access'],
      ...['fees-&-billing', 'overview', 'overview-2', 'step-1-issue', 'own', 'c++'],
    ]);
  });
});

describe('a link of docs.json', () => {
  const files = [
    ...['docs/index.mdx', 'docs/guides/install.mdx', 'docs/guides/index.md', 'docs/guides/a b.md'],
    ...['docs/images/a.png', 'docs/public/logo.svg', 'static/fav.ico', 'README.md', 'src/app.ts'],
  ];
  const { site: read } = site(
    { pages: ['index'] },
    Object.fromEntries(files.map(one => [one, ''])),
  );

  it.each<[string, string, string | undefined, string?]>([
    ['/guides/install', 'docs/index.mdx', 'docs/guides/install.mdx'],
    ['/guides/install/', 'docs/index.mdx', 'docs/guides/install.mdx'],
    ['/guides/install.mdx?x=1#npm', 'docs/index.mdx', 'docs/guides/install.mdx', 'npm'],
    ['/docs/guides/install', 'docs/index.mdx', 'docs/guides/install.mdx'],
    ['install', 'docs/guides/index.md', 'docs/guides/install.mdx'],
    ['./install#a%20b', 'docs/guides/index.md', 'docs/guides/install.mdx', 'a b'],
    ['../index.mdx', 'docs/guides/index.md', 'docs/index.mdx'],
    ['/guides', 'docs/index.mdx', 'docs/guides/index.md'],
    ['/', 'docs/guides/install.mdx', 'docs/index.mdx'],
    ['a%20b.md', 'docs/guides/index.md', 'docs/guides/a b.md'],
    ['#top', 'docs/index.mdx', 'docs/index.mdx', 'top'],
    ['/images/a.png', 'docs/index.mdx', 'docs/images/a.png'],
    ['/logo.svg', 'docs/index.mdx', 'docs/public/logo.svg'],
    ['/fav.ico', 'docs/index.mdx', 'static/fav.ico'],
    ['../src/app.ts', 'docs/index.mdx', 'src/app.ts'],
    ['../src', 'docs/index.mdx', 'src'],
    ['/nowhere', 'docs/index.mdx', undefined],
    ['install', 'docs/index.mdx', undefined],
    ['../../../etc/passwd', 'docs/guides/index.md', undefined],
    ['%E0%A4%A', 'docs/index.mdx', undefined],
  ])('%s on %s leads to %s', (...[url, from, file, anchor]) => {
    const target = read.resolve(url, from);
    if (target.kind === 'page')
      expect([target.page.file, target.anchor]).toEqual([file, anchor ?? null]);
    else if (target.kind === 'file') expect(target.file).toBe(file);
    else expect([target.kind, file]).toEqual(['missing', undefined]);
  });

  it.each(['https://a.example', 'mailto:a@b.example', '//cdn.example/x', '/users/{id}'])(
    '%s leads elsewhere',
    url => expect(read.resolve(url, 'docs/index.mdx')).toEqual({ kind: 'external' }),
  );
});
