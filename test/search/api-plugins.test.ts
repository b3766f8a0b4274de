import { checkSite } from '../../sites/check-site.ts';
import { readSite } from '../../sites/kinds/registry.ts';
import { siteSource } from '../../sites/kinds/source.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';
import { testSite } from './site.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const API = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Parcel API', version: '1' },
  tags: [{ name: 'Parcels', description: 'All about them.' }],
  paths: {
    '/parcels': {
      post: {
        operationId: 'createParcel',
        summary: 'Create a parcel',
        description: 'Books the quokka courier.',
        tags: ['Parcels'],
        responses: { '201': { description: 'The numbat is booked.' } },
      },
    },
    '/parcels/{id}': { get: { responses: {} }, put: { responses: {} } },
    '/files/{path*}': { get: { operationId: 'getFile', summary: 'Get a file', responses: {} } },
    '/all/*/of/*': { delete: { summary: 'Delete all', responses: {} } },
    '/far': { $ref: 'https://x.example/far.json' },
  },
});
const FAR = 'The operations of /far are in other files.';

const read = (files: Record<string, string>) => {
  const source = siteSource(Object.keys(files), path => files[path]);
  const site = readSite(source)!;
  return {
    site,
    urls: site.apiPages?.map(({ url }) => url),
    unread: site.unread.map(({ message }) => message),
    findings: checkSite(source, site).map(({ rule, link }) => [rule, link]),
    /** `GET /x` to its id on a page. */
    idsOn: (file: string) =>
      Object.fromEntries(
        (site.apiTexts?.get(file)?.operations ?? []).map(({ method, route, anchor }) => [
          `${method} ${route}`,
          anchor,
        ]),
      ),
  };
};

const ALL = [
  'POST /parcels',
  'GET /parcels/{id}',
  'PUT /parcels/{id}',
  'GET /files/{path*}',
  'DELETE /all/*/of/*',
];

describe('the operations that a plugin shows', () => {
  it('of Docusaurus are pages, also those of Redocusaurus, or named', () => {
    const { site, urls, unread, findings } = read({
      'docusaurus.config.js': `module.exports = { url: 'https://x.example', baseUrl: '/b/',
        presets: [['classic', { docs: {} }],
          ['redocusaurus', { specs: [{ spec: 'apis/one.json', route: '/redoc/' }], openapi: {} }]],
        plugins: [['docusaurus-plugin-openapi-docs', { config: {
          one: { specPath: 'apis', outputDir: 'docs/ref/' } } }]] };`,
      'docs/intro.md':
        '# Intro\n\n[file](/docs/ref/get-file), [api](/docs/ref/parcel-api),\n' +
        '[tag](/docs/ref/parcels), [redoc](/redoc#x), [no](/docs/ref/none)\n',
      'apis/one.json': API,
      'apis/_category_.json': '{}',
      'openapi/pets/index.openapi.json': API,
    });
    expect(urls).toEqual([
      '/b/redoc',
      '/b/api/pets',
      '/b/docs/ref/create-parcel',
      '/b/docs/ref/get-file',
      '/b/docs/ref/delete-all',
    ]);
    expect(site.apiPages?.[0]?.operations.map(({ anchor }) => anchor)).toEqual([
      'tag/Parcels/operation/createParcel',
      '/paths/~1parcels~1{id}/get',
      '/paths/~1parcels~1{id}/put',
      'operation/getFile',
      '/paths/~1all~1*~1of~1*/delete',
    ]);
    expect(unread).toEqual([
      FAR,
      'The site makes no page of GET /parcels/{id}, PUT /parcels/{id}, which lack a name.',
    ]);
    expect(findings).toEqual([['link', '/docs/ref/none']]);
  });

  it('of MkDocs are on the pages with the plugin’s mark', () => {
    const { idsOn, unread, findings } = read({
      'mkdocs.yml': `site_name: X
plugins: [swagger-ui-tag, neoteroi.mkdocsoad, render_swagger]
`,
      'docs/index.md': '# Home\n\n[get](oad.md#get-parcelsid)\n',
      'docs/a/ui.md': '# UI\n\n<swagger-ui src="../api.json"/>\n\n<swagger-ui src="none.json"/>\n',
      'docs/oad.md': '# OAD\n\n[OAD(api.json)]\n',
      'docs/mark.md': '# M\n\n!!swagger api.json!!\n\n!!swagger-http https://x.example/a.json!!\n',
      'docs/api.json': API,
    });
    expect(idsOn('docs/a/ui.md')).toEqual(Object.fromEntries(ALL.map(one => [one, null])));
    expect(Object.keys(idsOn('docs/mark.md'))).toEqual(ALL);
    expect(idsOn('docs/oad.md')).toEqual({
      'POST /parcels': 'post-parcels',
      'GET /parcels/{id}': 'get-parcelsid',
      'PUT /parcels/{id}': 'put-parcelsid',
      'GET /files/{path*}': 'get-filespath',
      'DELETE /all/*/of/*': 'delete-allof',
    });
    expect(unread).toEqual([
      FAR,
      'The API description none.json cannot be read.',
      'The API description https://x.example/a.json is not fetched: its operations are not known.',
    ]);
    expect(findings).toEqual([['link', 'none.json']]);
  });

  it('of MkDocs are nothing without the plugin', () => {
    const { site } = read({
      'mkdocs.yml': 'site_name: X\n',
      'docs/index.md': '# Home\n\n<swagger-ui src="api.json"/>\n',
      'docs/api.json': API,
    });
    expect([site.apiPages, site.apiTexts]).toEqual([undefined, undefined]);
  });

  it('of Sphinx have the ids of its HTTP domain; a page in reStructuredText is one of the API', () => {
    const { site, idsOn, urls } = read({
      'docs/conf.py': "project = 'x'\nextensions = ['myst_parser', 'sphinxcontrib.openapi']\n",
      'docs/index.md': '# Home\n',
      'docs/api.md':
        '# API\n\n```{openapi} api.json\n:paths:\n   /parcels/{id}\n   /files/{path*}\n```\n',
      'docs/more.rst': 'More\n====\n\n.. openapi:: /api.json\n   :exclude: /(parcels|all)\n',
      'docs/api.json': API,
    });
    expect(idsOn('docs/api.md')).toEqual({
      'GET /parcels/{id}': 'get--parcels-id',
      'PUT /parcels/{id}': 'put--parcels-id',
      'GET /files/{path*}': 'get--files-path*',
    });
    expect(urls).toEqual(['/more.html']);
    expect(site.apiPages?.[0]?.operations).toEqual([
      { method: 'GET', route: '/files/{path*}', anchor: 'get--files-path*' },
    ]);
  });

  it('of Starlight have one address each, with a page for tags that say more', () => {
    const { urls, findings } = read({
      'astro.config.mjs': `import starlight from '@astrojs/starlight';
        import starlightOpenAPI from 'starlight-openapi';
        export default { integrations: [starlight({ title: 'X', plugins: [
          starlightOpenAPI([{ base: 'api/V1', schema: './api.json' }])] })] };`,
      'src/content/docs/index.md':
        '---\ntitle: Home\n---\n[a](/api/v1/), [b](/api/v1/operations/tags/parcels/), [c](/api/v1/x/)\n',
      'src/content/docs/a.md': '---\ntitle: A\n---\n',
      'api.json': API,
    });
    expect(urls).toEqual([
      '/api/v1/operations/createparcel/',
      '/api/v1/operations/parcelsid/get/',
      '/api/v1/operations/parcelsid/put/',
      '/api/v1/operations/getfile/',
      '/api/v1/operations/allof/',
    ]);
    expect(findings).toEqual([['link', '/api/v1/x/']]);
  });
});

const VITEPRESS = {
  'docs/.vitepress/config.ts': 'export default {}',
  'docs/.vitepress/theme/index.ts': `import spec from '../../public/api.json' with { type: 'json' }
export default { enhanceApp() { useOpenapi({ spec, config: {} }) } }`,
  'docs/index.md':
    '# Home\n\n[a](/operations/getFile) [b](/operations/none) [c](/tags/Parcels) [d](/tags/No)\n',
  'docs/all.md': '# All\n\n<OASpec />\n\n```\n<OASpec spec-url="/none.json" />\n```\n',
  'docs/one.md':
    "# One\n\n<script setup>\nimport api from './public/api.json'\n</script>\n\n" +
    '<OAOperation :spec="api" operationId="getFile" />\n\n<OASpec :tags="[\'Parcels\']" />\n',
  'docs/public/api.json': API,
  'docs/operations/[operationId].md': '<OAOperation :operationId="id" />',
  'docs/operations/[operationId].paths.js': `import { usePaths } from 'vitepress-openapi'
import spec from '../public/api.json' with { type: 'json' }
export default { paths: () => usePaths({ spec }).getPathsByVerbs()
  .map(({ operationId }) => ({ params: { operationId } })) }`,
  'docs/tags/[tag].md': '<OASpec :tags="[tag]" />',
  'docs/tags/[tag].paths.ts': `import { usePaths } from 'vitepress-openapi'
import api from '../public/api.json'
export default { paths: () => usePaths({ spec: api }).getTags().map(({ name: tag }) => ({ params: { tag } })) }`,
  'docs/other/[id].md': 'By other code.',
};

describe('the operations of a VitePress site', () => {
  it('are those of its components and dynamic routes; other templates stay named', () => {
    const { urls, idsOn, unread, findings, site } = read(VITEPRESS);
    expect(urls).toEqual([
      '/operations/createParcel.html',
      '/operations/get-parcels-{id}.html',
      '/operations/put-parcels-{id}.html',
      '/operations/getFile.html',
      '/operations/delete-all-*-of-*.html',
      '/tags/Parcels.html',
    ]);
    expect(Object.values(idsOn('docs/all.md'))).toEqual([
      'createParcel',
      'get-parcels-{id}',
      'put-parcels-{id}',
      'getFile',
      'delete-all-*-of-*',
    ]);
    expect(idsOn('docs/one.md')).toEqual({
      'GET /files/{path*}': 'getFile',
      'POST /parcels': 'createParcel',
    });
    expect(site.unread.map(({ file }) => file)).toContain('docs/other/[id].md');
    expect(unread).toHaveLength(2);
    expect(unread).toContain(FAR);
    expect(findings).toEqual([
      ['link', '/operations/none'],
      ['link', '/tags/No'],
    ]);
  });

  it('are found by search, with the id of the operation on the page', async () => {
    const one = await testSite(database.pool, { docsFolder: 'docs' });
    await one.index(VITEPRESS);
    const found = await one.find('quokka numbat');
    expect(found.map(({ url }) => url.replace('https://docs.example.org', ''))).toEqual(
      expect.arrayContaining(['/operations/createParcel.html', '/tags/Parcels.html', '/all.html']),
    );
    const all = found.find(({ path }) => path === '/all');
    expect(all?.sections.map(({ heading, anchor }) => [heading, anchor])).toContainEqual([
      'Responses',
      'createParcel',
    ]);
    expect(
      (await one.find('DELETE /all/*/of/*')).map(({ sections }) => sections[0]?.heading),
    ).toContain('DELETE /all/*/of/*');
  });
});
