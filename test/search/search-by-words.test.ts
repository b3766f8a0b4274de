import { readPage } from '../../db/search/pages.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';
import { page, testSite } from './site.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const SITE = {
  'docs/docs.json': JSON.stringify({
    navigation: {
      versions: [
        { version: 'v1', pages: ['v1/billing'] },
        { version: 'v2', pages: ['v2/billing'] },
      ],
    },
  }),
  'docs/index.mdx': page('Welcome', 'What this product does, and where to begin.'),
  'docs/install.mdx': page(
    'Install',
    'Get it on your machine.\n\n## Linux\n\nUse the package manager.\n\n' +
      '## Windows\n\nRun the installer as administrator.\n\n## macOS\n\nUse brew.',
  ),
  'docs/guides/retries.mdx': page(
    'Retries',
    'Set `maxRetries` in the configuration. A failed delivery is tried again.',
  ),
  'docs/guides/webhooks.mdx': page(
    'Webhooks',
    'We call your endpoint. Sign each delivery with a secret.\n\n' +
      '## Verify a signature\n\nCompute the HMAC of the body.',
  ),
  'docs/v1/billing.mdx': page('Billing', 'Invoices come by post.'),
  'docs/v2/billing.mdx': page('Billing', 'Invoices come by mail.'),
  'docs/fr/facture.mdx': page('Factures', 'Invoices en français.', 'language: fr'),
  'docs/internal/runbook.mdx': page('Runbook', 'Restart the zebra service.', 'groups: [staff]'),
  'docs/internal/draft.mdx': page('Zebra draft', 'The zebra plan.', 'searchable: false'),
  'docs/_snippets/zebra.mdx': 'zebra snippet',
  'docs/AGENTS.md': 'zebra instructions',
};

describe('search', () => {
  let site: Awaited<ReturnType<typeof testSite>>;
  beforeAll(async () => {
    site = await testSite(database.pool);
    await site.index(SITE);
  });

  it('finds the page, with its best section first and its address', async () => {
    const [first] = await site.find('How do I run the installer on windows?');
    expect(first).toMatchObject({
      path: '/install',
      url: 'https://docs.example.org/install',
      title: 'Install',
    });
    expect(first?.sections[0]).toEqual({
      anchor: 'windows',
      heading: 'Windows',
      text: 'Run the installer as administrator.',
    });
    expect(first?.sections.length).toBeLessThanOrEqual(3);
    expect(first?.score).toBeGreaterThan(0);
  });

  it('finds other forms of a word, and identifiers by their parts', async () => {
    expect(await site.paths('signing a webhook')).toContain('/guides/webhooks');
    expect((await site.paths('max retries'))[0]).toBe('/guides/retries');
    expect((await site.paths('maxRetries'))[0]).toBe('/guides/retries');
  });

  it('gives as many distinct pages as were asked for', async () => {
    const paths = await site.paths('delivery invoices install endpoint', { pageSize: 3 });
    expect(paths).toHaveLength(3);
    expect(new Set(paths).size).toBe(3);
  });

  it('finds nothing in questions without a known word', async () => {
    expect(await site.paths('what is the of')).toEqual([]);
    expect(await site.paths('xylophone')).toEqual([]);
    expect(await site.paths('?!')).toEqual([]);
    expect(await site.paths("'; drop table search_pages; --")).toEqual([]);
  });

  it('takes a question of any length', async () => {
    const log = 'error at line delivery windows installer secret HMAC '.repeat(2_000);
    expect(await site.paths(log)).not.toEqual([]);
    expect(await site.paths(`a\0b ${'\u{1F600}'.repeat(50)} billing \ud800`)).toContain(
      '/v2/billing',
    );
  });

  it('filters by version and language; a page without either belongs to all', async () => {
    expect((await site.paths('invoices', { filter: { version: 'v2' } })).sort()).toEqual([
      '/fr/facture',
      '/v2/billing',
    ]);
    expect(
      (await site.paths('invoices', { filter: { version: 'v1', language: 'en' } })).sort(),
    ).toEqual(['/v1/billing']);
    expect((await site.paths('invoices', { filter: { language: 'fr' } })).sort()).toEqual([
      '/fr/facture',
      '/v2/billing',
    ]);
  });

  it('shows a page with groups only to one of them, and never an unsearchable page', async () => {
    expect(await site.paths('zebra')).toEqual([]);
    expect(await site.paths('zebra', { filter: { groups: ['sales'] } })).toEqual([]);
    expect(await site.paths('zebra', { filter: { groups: ['sales', 'staff'] } })).toEqual([
      '/internal/runbook',
    ]);
  });

  it('prefers pages near the one that the reader is on', async () => {
    const files = {
      'docs/one/setup.md': page('Setup', 'Create the project with the wizard.'),
      'docs/two/setup.md': page('Setup', 'Create the project with the wizard.'),
      'docs/two/more.md': page('More', 'Something else.'),
    };
    const near = await testSite(database.pool);
    await near.index(files);
    expect(await near.paths('project wizard')).toEqual(['/one/setup', '/two/setup']);
    expect(await near.paths('project wizard', { currentPath: '/two/more/' })).toEqual([
      '/two/setup',
      '/one/setup',
    ]);
    expect(await near.paths('project wizard', { currentPath: 'two/setup.md#x' })).toEqual([
      '/two/setup',
      '/one/setup',
    ]);
    await near.index({
      ...files,
      'docs/two/setup.md': page('Setup', 'Create the project with the wizard.', 'boost: 3'),
    });
    expect(await near.paths('project wizard')).toEqual(['/two/setup', '/one/setup']);
  });

  it('sees words side by side', async () => {
    const close = await testSite(database.pool);
    const filler = 'Many other things are said here about this and that, at some length.';
    await close.index({
      'docs/a.md': page('One', `The token is kept. ${filler} Every session ends.`),
      'docs/b.md': page('Two', `A session token is kept. ${filler} Everything ends.`),
    });
    expect(await close.paths('session token')).toEqual(['/b', '/a']);
    expect(await close.paths('token of a session')).toEqual(['/b', '/a']);
  });

  it('keeps projects apart', async () => {
    const other = await testSite(database.pool);
    await other.index({ 'docs/only.md': page('Only', 'Nothing of interest.') });
    expect(await other.paths('invoices installer webhook')).toEqual([]);
    expect(await (await testSite(database.pool)).paths('anything')).toEqual([]);
  });

  it('reads a page by path, in whatever form it is written, under the same filter', async () => {
    const read = (path: string, filter?: { groups?: string[]; version?: string }) =>
      readPage(database.pool, site.id, path, filter);
    expect(await read('guides/webhooks.mdx#verify')).toMatchObject({
      path: '/guides/webhooks',
      content: expect.stringContaining('## Verify a signature'),
    });
    expect((await read('/'))?.content).not.toContain('title:');
    expect(await read('/internal/draft')).toBeDefined();
    expect(await read('/internal/runbook')).toBeUndefined();
    expect(await read('/internal/runbook', { groups: ['staff'] })).toBeDefined();
    expect(await read('/v1/billing', { version: 'v2' })).toBeUndefined();
    expect(await read('/nowhere')).toBeUndefined();
    expect(await read('/v1\0%00', { version: '\0', groups: ['\0'] })).toBeUndefined();
  });
});
