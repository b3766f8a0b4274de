import { gzipSync } from 'node:zlib';
import { listOpenPages } from '../../db/search/open-pages.ts';
import { comparisonText } from '../../sites/published/comparison-text.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';
import { html, sitemap, type StaticSite } from '../support/static-site.ts';
import { publishedProject } from './published-project.ts';
import { page } from './site.ts';

let database: TestDatabase;
const sites: StaticSite[] = [];
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  for (const site of sites) site.close();
  await database.close();
});

async function start(
  ...given: Parameters<typeof publishedProject> extends [unknown, ...infer Rest] ? Rest : never
) {
  const one = await publishedProject(database.pool, ...given);
  sites.push(one.site);
  return one;
}

const DOCS = {
  'docs/index.md': page('Start', 'The pelican greets you.'),
  'docs/install.md': page('Install', 'Set up the walrus.'),
  'docs/guides/deploy.md': page('Deploy', 'Ship the narwhal.'),
  'docs/guides/moved.md': page('An odd one', 'Look at the axolotl.'),
};

describe('a published site', () => {
  it('is compared by its sitemaps; its address wins for citations, llms.txt and pages', async () => {
    const one = await start({}, DOCS);
    one.site.files.set('/robots.txt', `Sitemap: ${one.site.url}/maps/index.xml\n`);
    one.site.files.set(
      '/maps/index.xml',
      `<sitemapindex><sitemap><loc>${one.site.url}/maps/a.xml.gz</loc></sitemap></sitemapindex>`,
    );
    one.site.files.set(
      '/maps/a.xml.gz',
      gzipSync(
        sitemap(one.site.url, ['/', '/install/', '/guides/deploy/', '/odd&amp;even/', '/team/']),
      ),
    );
    one.site.files.set('/odd&even/index.html', html('An odd one', ''));
    one.site.files.set('/team/index.html', html('Team', ''));
    await one.settle();

    expect(await one.facts()).toMatchObject({ pages: 4, right: 3, elsewhere: 1, withoutFile: 1 });
    expect(comparisonText((await one.facts())!)).toBe(
      '3 of 4 pages are where we say, 1 is elsewhere, such as docs/guides/moved.md at /odd&even/; ' +
        '1 address has no file, such as /team/.',
    );
    expect((await one.find('axolotl'))[0]).toMatchObject({
      path: '/odd&even',
      url: `${one.site.url}/odd&even/`,
    });
    const open = [];
    for await (const pages of listOpenPages(database.pool, one.id)) open.push(...pages);
    expect(open.map(({ url, path }) => url ?? path)).toContain('/odd&even/');
    expect(await one.check()).toMatchObject({ source: 'sitemap', failure: null });

    // Not asked again before something is due; then only what changed is sent.
    const before = one.site.requests.length;
    expect(await one.look()).toBe(false);
    expect(one.site.requests).toHaveLength(before);
    await one.forget();
    expect(await one.look()).toBe(false);
    const later = one.site.requests.slice(before);
    expect(
      later.filter(({ path }) => path.startsWith('/maps/')).map(({ status }) => status),
    ).toEqual([304, 304]);
    expect(later.every(({ headers }) => /docent\.example/.test(headers['user-agent'] ?? ''))).toBe(
      true,
    );

    // The rule agrees again.
    one.site.files.set(
      '/maps/a.xml.gz',
      gzipSync(sitemap(one.site.url, ['/', '/install/', '/guides/deploy/', '/guides/moved/'])),
    );
    await one.forget();
    await one.settle();
    expect(await one.facts()).toMatchObject({ right: 4, elsewhere: 0, withoutFile: 0 });
    expect((await one.find('axolotl'))[0]).toMatchObject({ path: '/guides/moved' });
  });

  it('is known by llms.txt, or by the links from its start page', async () => {
    const llms = await start({}, DOCS);
    llms.site.files.set(
      '/llms.txt',
      '# Acme\n\n- [Install](/install.md)\n- [An odd one](/odd.md): x\n',
    );
    await llms.settle();
    expect(await llms.check()).toMatchObject({ source: 'llms.txt' });
    expect((await llms.find('axolotl'))[0]?.url).toBe(`${llms.site.url}/odd`);

    const linked = await start(
      {
        '/docs/index.html': html('Start', '', [
          'install.html',
          '/private/x.html',
          'https://example.com/',
        ]),
        '/docs/install.html': html('Install', '', ['guides/deploy.html', '/docs/install.html#x']),
        '/docs/guides/deploy.html': html('Deploy', '', ['/outside.html']),
        '/outside.html': html('Outside', ''),
        '/robots.txt': 'User-agent: *\nDisallow: /private\n',
        '/private/x.html': html('An odd one', ''),
      },
      DOCS,
      { path: '/docs' },
    );
    await linked.settle();
    expect(await linked.check()).toMatchObject({ source: 'links', failure: null });
    expect(await linked.facts()).toMatchObject({ pages: 4, right: 3, elsewhere: 0 });
    expect((await linked.find('narwhal'))[0]?.url).toBe(
      `${linked.site.url}/docs/guides/deploy.html`,
    );
    const asked = linked.site.requests.map(({ path }) => path);
    expect(asked).not.toContain('/private/x.html');
    expect(asked).not.toContain('/outside.html');
  });

  it('leaves out folders that it does not list, if its list is whole', async () => {
    const more = Object.fromEntries(
      [1, 2, 3, 4, 5].map(n => [`docs/parts/p${n}.md`, page(`Part ${n}`, 'Feed the quokka.')]),
    );
    const listed = ['/', '/install/', '/guides/deploy/', '/guides/moved/', '/a/', '/b/', '/c/'];
    const files = Object.fromEntries(
      ['a', 'b', 'c'].map(name => [`docs/${name}.md`, page(name, 'More.')]),
    );
    const one = await start({}, { ...DOCS, ...files, ...more });
    const map = (name: string) => `<sitemap><loc>${one.site.url}/${name}.xml</loc></sitemap>`;
    one.site.files.set('/sitemap.xml', `<sitemapindex>${map('a')}${map('b')}</sitemapindex>`);
    one.site.files.set('/a.xml', sitemap(one.site.url, listed));
    one.site.answers.set('/b.xml', response => void response.writeHead(500).end());
    await one.settle();
    expect(await one.facts()).toMatchObject({ pages: 12, right: 7 });
    expect(await one.find('quokka')).not.toEqual([]);

    one.site.answers.delete('/b.xml');
    one.site.files.set('/b.xml', sitemap(one.site.url, ['/blog/']));
    await one.forget();
    await one.settle();
    expect(await one.find('quokka')).toEqual([]);
  });

  it.each([
    ['whole', (url: string) => [`${url}/a.xml`], 0],
    ['lacks a part', (url: string) => [`${url}/a.xml`, `${url}/gone.xml`], 1],
  ])(
    'leaves a folder without a published page out of the index only if the list is whole: %s',
    async (_name, parts, found) => {
      const names = ['a', 'b', 'c', 'd', 'e'];
      const folder = (path: string) =>
        Object.fromEntries(
          names.map(n => [`docs/${path}/${n}.md`, page(`${path} ${n}`, `A ${path} axolotl.`)]),
        );
      const one = await start({}, { ...DOCS, ...folder('guides'), ...folder('parts') });
      const maps = parts(one.site.url)
        .map(part => `<sitemap><loc>${part}</loc></sitemap>`)
        .join('');
      one.site.files.set('/sitemap.xml', `<sitemapindex>${maps}</sitemapindex>`);
      const paths = ['/', '/install/', ...['deploy', 'moved', ...names].map(n => `/guides/${n}/`)];
      one.site.files.set('/a.xml', sitemap(one.site.url, paths));
      await one.settle();
      expect(await one.check()).toMatchObject({ source: 'sitemap' });
      const hits = (await one.find('parts axolotl')).filter(hit => hit.path.startsWith('/parts'));
      expect(Math.min(1, hits.length)).toBe(found);
    },
  );

  it('is asked at the rate that its robots.txt allows, one request at a time', async () => {
    const one = await start({ '/robots.txt': 'User-agent: docent\nCrawl-delay: 0.3\n' }, DOCS);
    for (const name of ['llms.txt', 'index.html', 'a.html', 'b.html'])
      one.site.files.set(`/${name}`, html(name, '', ['/a.html', '/b.html']));
    await one.look();
    const times = one.site.requests.map(({ at }) => at);
    expect(times.length).toBeGreaterThan(2);
    for (const [i, at] of times.slice(1).entries())
      if (i > 0) expect(at - (times[i] ?? 0)).toBeGreaterThan(250);
  });
});

describe('a site that does not answer as it should', () => {
  const known = { '/index.html': html('Start', '') };

  it.each([
    [
      'robots.txt forbids all',
      { '/robots.txt': 'User-agent: *\nDisallow: /\n' },
      'No page was found',
    ],
    [
      'robots.txt is longer than we read',
      { '/robots.txt': `User-agent: *\n${'Disallow: /x\n'.repeat(1_000)}Disallow: /\n` },
      'has more rules than can be obeyed',
    ],
    ['nothing is there', {}, 'No page was found'],
  ])('%s: it says so, and the index stays', async (_, files, says) => {
    const one = await start(files, DOCS);
    await one.settle();
    expect((await one.check())?.failure).toContain(says);
    expect((await one.find('walrus'))[0]?.url).toBe(`${one.site.url}/install`);
  });

  it('is away, then slow, then endless: what was seen before counts, and time is bounded', async () => {
    const one = await start(known, DOCS);
    one.site.files.set(
      '/sitemap.xml',
      sitemap(one.site.url, [
        '/',
        '/start/install/',
        '/start/guides/deploy/',
        '/start/guides/moved/',
      ]),
    );
    await one.settle();
    expect((await one.find('walrus'))[0]?.url).toBe(`${one.site.url}/start/install/`);

    for (const [path, status] of [
      ['/robots.txt', 503],
      ['/sitemap.xml', 429],
    ] as const) {
      one.site.answers.set(path, response => void response.writeHead(status).end());
      await one.forget();
      expect(await one.look()).toBe(false);
      expect((await one.check())?.failure).toMatch(new RegExp(`status ${status}`));
      one.site.answers.delete(path);
    }
    one.site.answers.set('/sitemap.xml', response => void response.writeHead(200));
    await one.forget();
    const from = performance.now();
    expect(await one.look({ timeoutMs: 300 })).toBe(false);
    expect((await one.check())?.failure).toContain('does not answer in time');
    one.site.answers.set('/sitemap.xml', response => {
      response.writeHead(200, { 'content-type': 'application/xml' });
      const more = () => {
        while (
          !response.destroyed &&
          response.write('<url><loc>http://x/</loc></url>'.repeat(9_999))
        );
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    await one.forget();
    await one.look({ timeoutMs: 3_000 });
    expect(performance.now() - from).toBeLessThan(60_000);
    await one.index();
    expect((await one.find('walrus'))[0]?.url).toBe(`${one.site.url}/start/install/`);
  }, 180_000);

  it('fails for one page: its text is kept, and a first failure is made good', async () => {
    const rst = { 'docs/extra.rst': 'Extra\n', 'docs/other.rst': 'Other\n' };
    const one = await start(
      {
        '/extra/index.html': html('Extra', '<p>Feed the quokka.</p>'),
        '/other/index.html': html('Other', '<p>Wash the wombat.</p>'),
      },
      { ...DOCS, ...rst },
    );
    const paths = ['/', '/install/', '/guides/deploy/', '/guides/moved/', '/extra/', '/other/'];
    one.site.files.set('/sitemap.xml', sitemap(one.site.url, paths));
    const fail = (path: string) =>
      one.site.answers.set(path, response => void response.writeHead(500).end());
    fail('/other/');
    await one.settle();
    expect(await one.find('quokka')).not.toEqual([]);
    expect(await one.find('wombat')).toEqual([]);

    one.site.answers.delete('/other/');
    fail('/extra/');
    await one.forget();
    await one.settle();
    expect(await one.find('quokka')).not.toEqual([]);
    expect(await one.find('wombat')).not.toEqual([]);
  });

  it('leads to private networks, names a million addresses, or unpacks to gigabytes', async () => {
    const one = await start(known, DOCS);
    one.site.files.set(
      '/robots.txt',
      [
        'http://127.0.0.2/x.xml',
        'http://169.254.169.254/latest',
        'file:///etc/passwd',
        `${one.site.url}/bomb.xml.gz`,
        `${one.site.url}/many.xml`,
      ]
        .map(each => `Sitemap: ${each}`)
        .join('\n'),
    );
    for (const path of ['/sitemap.xml', '/llms.txt'])
      one.site.answers.set(
        path,
        response =>
          void response
            .writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' })
            .end(),
      );
    one.site.files.set('/bomb.xml.gz', gzipSync(Buffer.alloc(64 * 1024 * 1024, '<url><loc>')));
    const million = Array.from({ length: 1_000_000 }, (_, i) => `<loc>${one.site.url}/${i}</loc>`);
    one.site.files.set('/many.xml', `<urlset>${million.join('')}</urlset>`);
    await one.look();
    expect((await one.check())?.failure).toBeNull();
    // 33 MB are not read at all; a smaller one is read in part.
    one.site.files.set('/many.xml', `<urlset>${million.slice(0, 200_000).join('')}</urlset>`);
    await one.forget();
    expect(await one.look()).toBe(true);
    await one.index();
    expect((await one.facts())?.withoutFile).toBeLessThanOrEqual(50_000);
    expect((await one.find('walrus'))[0]?.url).toBe(`${one.site.url}/install`);
  }, 180_000);
});
