import { checkSite } from '../../sites/check-site.ts';
import { readSite } from '../../sites/kinds/registry.ts';
import { siteSource } from '../../sites/kinds/source.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';
import { page, testSite } from './site.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const API = {
  openapi: '3.1.0',
  info: { title: 'Parcels', version: '1' },
  paths: {
    '/parcels': {
      post: {
        operationId: 'createParcel',
        summary: 'Create a parcel',
        description: 'Books the quokka courier.',
        tags: ['Parcels'],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Parcel' } } },
        },
        responses: { '201': { description: 'The numbat is booked.' } },
      },
    },
    '/parcels/{id}': {
      parameters: [{ $ref: '#/components/parameters/id' }],
      get: { operationId: 'getParcel', summary: 'Get a parcel', tags: ['Parcels'], responses: {} },
      delete: { summary: 'Hidden', 'x-hidden': true, responses: {} },
    },
  },
  components: {
    parameters: {
      id: {
        name: 'id',
        in: 'path',
        required: true,
        schema: { type: 'string' },
        description: 'The bilby number.',
      },
    },
    schemas: {
      Parcel: {
        type: 'object',
        required: ['weight'],
        properties: {
          weight: { type: 'integer', description: 'In wombats.' },
          inside: { type: 'array', items: { $ref: '#/components/schemas/Parcel' } },
        },
      },
    },
  },
};

const read = (files: Record<string, string>) => {
  const source = siteSource(Object.keys(files), path => files[path]);
  const site = readSite(source)!;
  return { site, findings: checkSite(source, site) };
};
const PATHS = ['/api/parcels/create-a-parcel', '/api/parcels/get-a-parcel'];

const DOCS_JSON = {
  'docs.json': JSON.stringify({
    navigation: {
      groups: [
        { group: 'Guides', pages: ['index'] },
        { group: 'Reference', openapi: { source: 'openapi.json', directory: 'api' } },
      ],
    },
  }),
  'index.mdx': page('Home', 'See [get](/api/parcels/get-a-parcel).'),
  'openapi.json': JSON.stringify(API),
};

describe('operations of an API', () => {
  it('are pages of a docs.json site, with METHOD /path as a heading', () => {
    const { site, findings } = read(DOCS_JSON);
    expect(site.apiPages?.map(({ path, title, crumbs }) => [path, title, crumbs])).toEqual([
      [PATHS[0], 'Create a parcel', ['Reference', 'Parcels']],
      [PATHS[1], 'Get a parcel', ['Reference', 'Parcels']],
    ]);
    const [create, get] = site.apiPages ?? [];
    expect(create?.text).toContain(
      '## POST /parcels\n\nCreate a parcel\n\nBooks the quokka courier.',
    );
    expect(create?.text).toContain('- `weight` (integer, required): In wombats.');
    expect(create?.text).toContain('- `201`: The numbat is booked.');
    expect(get?.text).toContain('- `id` (path, string, required): The bilby number.');
    expect(findings).toEqual([]);
  });

  it('are the same with a byte order mark before the description', () => {
    const { site, findings } = read({
      ...DOCS_JSON,
      'openapi.json': `\uFEFF${DOCS_JSON['openapi.json']}`,
    });
    expect(site.apiPages?.map(({ path }) => path)).toEqual(PATHS);
    expect([findings, site.unread]).toEqual([[], []]);
  });

  it('are found by search, at the address of the site', async () => {
    const one = await testSite(database.pool, { docsFolder: '' });
    await one.index(DOCS_JSON);
    const [found] = await one.find('quokka');
    expect(found).toMatchObject({
      path: PATHS[0],
      url: `https://docs.example.org${PATHS[0]}`,
      title: 'Create a parcel',
      sections: [{ heading: 'POST /parcels' }],
    });
    expect((await one.paths('GET /parcels/{id}'))[0]).toBe(PATHS[1]);
    expect(await one.paths('wombats')).toEqual([PATHS[0]]);
  });

  it('are those that the navigation names; a name that is none is a finding', () => {
    const { site, findings } = read({
      ...DOCS_JSON,
      'docs.json': JSON.stringify({
        api: { openapi: 'openapi.json' },
        navigation: {
          groups: [{ group: 'G', pages: ['index', 'GET /parcels/{id}', 'openapi.json PUT /nope'] }],
        },
      }),
    });
    expect(site.apiPages?.map(({ path }) => path)).toEqual(['/api-reference/parcels/get-a-parcel']);
    expect(findings.map(({ rule, message }) => [rule, message])).toContainEqual([
      'navigation',
      'docs.json names PUT /nope, which openapi.json does not have.',
    ]);
  });

  it('add to the page that names them in its front matter', async () => {
    const files = {
      'docs.json': JSON.stringify({ navigation: { pages: ['users'] } }),
      'users.mdx': page('Fetch it', 'An aardwolf.', 'openapi: GET /parcels/{id}'),
      'openapi.json': JSON.stringify(API),
    };
    expect(read(files).site.apiPages).toEqual([]);
    const one = await testSite(database.pool, { docsFolder: '' });
    await one.index(files);
    for (const query of ['aardwolf', 'bilby'])
      expect((await one.find(query)).map(({ path, title }) => [path, title])).toEqual([
        ['/users', 'Fetch it'],
      ]);
    expect((await one.find('bilby'))[0]?.sections[0]?.text).toContain(
      '`id` (path, string, required)',
    );
  });

  it('of a Docusaurus and a Starlight plugin have their addresses, and links to them lead there', () => {
    const docusaurus = read({
      'docusaurus.config.js': `module.exports = { url: 'https://x.example', baseUrl: '/',
        presets: [['classic', { docs: {} }]],
        plugins: [['docusaurus-plugin-openapi-docs', { config: { parcels: {
          specPath: 'api/parcels.yaml', outputDir: 'docs/reference' } } }]] };`,
      'docs/intro.md':
        '# Intro\n\n[create](/docs/reference/create-parcel), [no](/docs/reference/none)\n',
      'api/parcels.yaml':
        'swagger: "2.0"\npaths:\n  /parcels:\n    post: { operationId: createParcel }\n',
    });
    expect(docusaurus.site.apiPages?.map(({ url }) => url)).toEqual([
      '/docs/reference/create-parcel',
    ]);
    expect(docusaurus.findings.map(({ link }) => link)).toEqual(['/docs/reference/none']);
    const starlight = read({
      'astro.config.mjs': `import starlight from '@astrojs/starlight';
        import starlightOpenAPI from 'starlight-openapi';
        export default { integrations: [starlight({ title: 'X', plugins: [starlightOpenAPI([
          { base: 'api', schema: './openapi.json' }, { base: 'far', schema: 'https://x.example/api.json' }])] })] };`,
      'src/content/docs/index.md': '---\ntitle: Home\n---\n[get](/api/operations/getparcel/)\n',
      'openapi.json': JSON.stringify(API),
    });
    expect(starlight.site.apiPages?.map(({ path }) => path)).toEqual([
      '/api/operations/createparcel',
      '/api/operations/getparcel',
      // The plugin does not know `x-hidden`.
      '/api/operations/parcelsid',
    ]);
    expect(starlight.findings.filter(({ rule }) => rule === 'link')).toEqual([]);
    expect(starlight.site.unread.map(({ message }) => message)).toContain(
      'The API description https://x.example/api.json is not fetched: its operations are not known.',
    );
  });

  it('of a hostile description cost little, and nothing outside of it is read', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 300 }, (_each, i) => [
        `S${i}`,
        { oneOf: Array.from({ length: 300 }, (_, j) => ({ $ref: `#/components/schemas/S${j}` })) },
      ]),
    );
    const loop = { $ref: '#/components/schemas/Loop' };
    const { site } = read({
      ...DOCS_JSON,
      'secret.json': '{"description": "secret"}',
      'openapi.json': JSON.stringify({
        openapi: '3.0.0',
        paths: {
          '/a': {
            get: {
              summary: 'A',
              description: 7,
              parameters: [loop, { $ref: 'secret.json' }, { $ref: 'https://x.example/p' }, null],
              requestBody: { content: { json: { schema: { $ref: '#/components/schemas/S0' } } } },
              responses: { 200: { content: { json: { schema: { items: { items: loop } } } } } },
            },
          },
          '/b': loop,
          '/c': 'nonsense',
        },
        components: { schemas: { ...wide, Loop: loop } },
      }),
    });
    expect(site.apiPages?.map(({ path }) => path)).toEqual(['/api/a']);
    expect(JSON.stringify(site.apiPages)).not.toContain('secret');
    const bomb = `openapi: "3.0.0"\na: &a [x, x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [${i ? `*b${i - 1}, *b${i - 1}` : '*a, *a'}]`).join('\n')}\n`;
    const named = { group: 'R', openapi: { source: 'openapi.yaml', directory: 'api' } };
    const docs = JSON.stringify({ navigation: { groups: [named] } });
    const { unread } = read({ 'docs.json': docs, 'index.md': '# A\n', 'openapi.yaml': bomb }).site;
    expect(unread.map(({ message }) => message)).toEqual([
      'The API description openapi.yaml cannot be read.',
    ]);
  });
});
