import { navigationFile, redirectFinder } from '../../sites/navigation.ts';
import { readNavigation } from '../../sites/read-navigation.ts';

const read = (files: Record<string, unknown>) => async (path: string) => {
  const content = files[path];
  return content === undefined || typeof content === 'string' ? content : JSON.stringify(content);
};

describe('readNavigation', () => {
  it('reads every kind of level with what pages inherit, and the place of each entry', async () => {
    const navigation = await readNavigation(
      read({
        'docs/docs.json': {
          navigation: {
            global: { anchors: [{ anchor: 'Blog', href: 'https://blog.example' }] },
            languages: [
              {
                language: 'en',
                versions: [
                  {
                    version: 'v2',
                    tabs: [
                      {
                        tab: 'Guide',
                        boost: 2,
                        groups: [
                          {
                            group: 'Start',
                            root: 'start/index',
                            boost: 0.5,
                            pages: ['index', { group: 'Deep', pages: ['/deep/one.mdx'] }],
                          },
                        ],
                      },
                    ],
                  },
                ],
              },
              { $ref: './nav/fr.json' },
            ],
          },
          redirects: { $ref: 'redirects.json' },
        },
        'docs/nav/fr.json': {
          language: 'fr',
          dropdowns: [
            {
              dropdown: 'Guide',
              pages: ['fr/index', 'GET /users', 'https://elsewhere.example', ''],
            },
            { $ref: '../shared.json' },
          ],
        },
        'docs/shared.json': { group: 'Shared', pages: ['fr/shared'] },
        'docs/redirects.json': [{ source: '/old', destination: '/start' }, { bad: 1 }],
      }),
      'docs',
    );
    expect(navigation.entries).toEqual([
      {
        page: 'start/index',
        path: '/start',
        crumbs: ['Guide', 'Start'].toSpliced(0, 0, 'v2'),
        language: 'en',
        version: 'v2',
        boost: 0.5,
        file: 'docs/docs.json',
        pointer: ['navigation', 'languages', 0, 'versions', 0, 'tabs', 0, 'groups', 0, 'root'],
      },
      {
        page: 'index',
        path: '/',
        crumbs: ['v2', 'Guide', 'Start'],
        language: 'en',
        version: 'v2',
        boost: 0.5,
        file: 'docs/docs.json',
        pointer: ['navigation', 'languages', 0, 'versions', 0, 'tabs', 0, 'groups', 0, 'pages', 0],
      },
      {
        page: '/deep/one.mdx',
        path: '/deep/one',
        crumbs: ['v2', 'Guide', 'Start', 'Deep'],
        language: 'en',
        version: 'v2',
        boost: 0.5,
        file: 'docs/docs.json',
        pointer: [
          'navigation',
          'languages',
          0,
          'versions',
          0,
          'tabs',
          0,
          'groups',
          0,
          'pages',
          1,
          'pages',
          0,
        ],
      },
      {
        page: 'fr/index',
        path: '/fr',
        crumbs: ['Guide'],
        language: 'fr',
        file: 'docs/nav/fr.json',
        pointer: ['dropdowns', 0, 'pages', 0],
      },
      {
        page: 'fr/shared',
        path: '/fr/shared',
        crumbs: ['Shared'],
        language: 'fr',
        file: 'docs/shared.json',
        pointer: ['pages', 0],
      },
    ]);
    expect(navigation.redirects).toEqual([
      { source: '/old', destination: '/start', file: 'docs/redirects.json', pointer: [0] },
    ]);
    expect(navigation.redirectList).toEqual({ file: 'docs/redirects.json', pointer: [] });
    expect(navigation.files).toEqual([
      'docs/docs.json',
      'docs/nav/fr.json',
      'docs/shared.json',
      'docs/redirects.json',
    ]);
    expect(navigation.errors).toEqual([]);
  });

  it('reads mint.json, a list of groups, and names generated folders', async () => {
    const navigation = await readNavigation(
      read({
        'mint.json': {
          navigation: [
            { group: 'A', pages: ['a'] },
            { group: 'API', openapi: { source: 'api.json', directory: 'reference' } },
            { group: 'B', openapi: 'b.json' },
          ],
        },
      }),
      '',
    );
    expect(navigation.entries.map(({ path, crumbs }) => [path, crumbs])).toEqual([['/a', ['A']]]);
    expect(navigation.generated).toEqual(['/reference', '/api-reference']);
  });

  it('is empty without a file, and tells what it cannot read', async () => {
    expect((await readNavigation(read({}), 'docs')).files).toEqual([]);
    expect(
      (await readNavigation(read({ 'docs/docs.json': '{\n  "a": 1,\n  "b": ]\n}' }), 'docs'))
        .errors,
    ).toMatchObject([
      { file: 'docs/docs.json', line: 3, message: expect.stringContaining('not valid JSON') },
    ]);
    expect(
      (await readNavigation(read({ 'docs.json': { navigation: { $ref: 'gone.json' } } }), ''))
        .errors,
    ).toMatchObject([{ message: expect.stringContaining('missing file') }]);
    expect(
      (
        await readNavigation(
          read({ 'docs.json': { navigation: { $ref: '../../etc/passwd' } } }),
          '',
        )
      ).errors,
    ).toMatchObject([{ message: expect.stringContaining('cannot be followed') }]);
    for (const odd of [
      '[]',
      'null',
      '"x"',
      '{"navigation": null}',
      '{"navigation": {"pages": [1, null, {"group": 3}]}}',
    ])
      expect((await readNavigation(read({ 'docs.json': odd }), '')).entries).toEqual([]);
  });

  it('ends on files that name each other, once or many times over', async () => {
    const loop = await readNavigation(
      read({
        'docs.json': { navigation: { pages: ['a', { $ref: 'b.json' }] } },
        'b.json': { pages: ['b', { $ref: 'b.json' }] },
      }),
      '',
    );
    expect(loop.entries.map(({ page }) => page)).toEqual(['a', 'b']);
    const twice = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `${i}.json`,
        [{ $ref: `${i + 1}.json` }, { $ref: `${i + 1}.json` }],
      ]),
    );
    const wide = await readNavigation(
      read({ ...twice, 'docs.json': { navigation: { $ref: '0.json' } }, '40.json': ['x'] }),
      '',
    );
    expect(wide.entries.length).toBeLessThan(501);
  });

  it('knows which file governs a docs folder', () => {
    const has =
      (...paths: string[]) =>
      (path: string) =>
        paths.includes(path);
    expect(navigationFile(has('docs.json', 'docs/mint.json'), 'docs')).toBe('docs/mint.json');
    expect(navigationFile(has('docs.json'), 'docs')).toBe('docs.json');
    expect(navigationFile(has(), '')).toBeUndefined();
  });
});

describe('redirectFinder', () => {
  const redirects = [
    ['/old', '/new'],
    ['/api/:version/users', '/users'],
    ['/blog/:slug*', '/news'],
    ['/a.b/*', '/c'],
    ['/blog/x', '/x'],
    ['/old/', '/newer'],
  ].map(([source = '', destination = '']) => ({ source, destination, file: '', pointer: [] }));

  it.each([
    ['/old', '/new'],
    ['/api/v1/users', '/users'],
    ['/api/v1/x/users', undefined],
    ['/blog/2020/01', '/news'],
    ['/a.b/x', '/c'],
    ['/aXb/x', undefined],
    ['/blog/x', '/news'],
    ['/none', undefined],
  ])('%s', (path, expected) => {
    expect(redirectFinder(redirects)(path)).toBe(expected);
  });
});
