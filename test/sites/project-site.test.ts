import { describeSite } from '../../search/site/describe-site.ts';
import { siteSource } from '../../sites/kinds/source.ts';
import { projectSite, type WantedSite } from '../../sites/project-site.ts';
import { call, toolContext } from '../agent/tools/context.ts';

const sourceOf = (files: Record<string, string>) =>
  siteSource(Object.keys(files).toSorted(), path => files[path]);

const MKDOCS = {
  'mkdocs.yml': 'site_name: X\n',
  'docs/index.md': '# Home\n',
  'examples/docs.json': '{}',
  'examples/index.md': '# Example\n',
};

describe('the site of a project', () => {
  it.each<[string, Record<string, string>, WantedSite, string, string]>([
    ['the generator of the folder', MKDOCS, { docsFolder: 'docs' }, 'mkdocs', 'docs'],
    ['the one around the folder', MKDOCS, { docsFolder: '' }, 'mkdocs', 'docs'],
    ['an example, if it is asked for', MKDOCS, { docsFolder: 'examples' }, 'docs.json', 'examples'],
    [
      'a plain folder, if it is asked for',
      MKDOCS,
      { docsFolder: 'docs', kind: 'folder' },
      'folder',
      'docs',
    ],
    [
      'a plain folder, if the kind is not there',
      MKDOCS,
      { docsFolder: 'docs', kind: 'hugo' },
      'folder',
      'docs',
    ],
    ['what is found', MKDOCS, {}, 'mkdocs', 'docs'],
  ])('is %s, for the index and for the agent', (_what, files, wanted, kind, docsFolder) => {
    const source = sourceOf(files);
    const { site } = projectSite(source, wanted);
    expect([site.kind, site.docsFolder]).toEqual([kind, docsFolder]);
    const { facts } = describeSite(source, wanted);
    expect([facts.kind, facts.docsFolder]).toEqual([kind, docsFolder]);
  });

  it('has the base path that the project says, also in links', () => {
    const source = sourceOf({
      'docusaurus.config.js':
        "module.exports = { url: 'https://x.example', baseUrl: process.env.BASE, presets: [['classic', { docs: {} }]] }",
      'docs/a.md': '# A\n\n[b](/kit/docs/b) [none](/kit/docs/none)\n',
      'docs/b.md': '# B\n',
    });
    const { site } = projectSite(source, { docsFolder: 'docs', basePath: '/kit' });
    expect(site.pages.map(({ url }) => url)).toEqual(['/kit/docs/a', '/kit/docs/b']);
    expect(site.resolve('/kit/docs/b#x', 'docs/a.md')).toMatchObject({
      kind: 'page',
      page: { url: '/kit/docs/b' },
      anchor: 'x',
    });
    expect(site.resolve('/kit/docs/none', 'docs/a.md').kind).toBe('missing');
    expect(
      projectSite(source, { docsFolder: 'docs' }).site.resolve('/kit/docs/b', 'docs/a.md'),
    ).toEqual({ kind: 'missing', path: '/kit/docs/b' });
  });

  it('has the operations of its API, so that the agent may link to them', async () => {
    const context = toolContext(
      {
        'astro.config.mjs': `import starlight from '@astrojs/starlight';
        import starlightOpenAPI from 'starlight-openapi';
        export default { integrations: [starlight({ title: 'X',
          plugins: [starlightOpenAPI([{ base: 'api', schema: './api.json' }])] })] };`,
        'src/content/docs/index.md': '---\ntitle: Home\n---\n',
        'api.json': JSON.stringify({
          openapi: '3.1.0',
          info: { title: 'X' },
          paths: { '/pets': { get: { operationId: 'listPets', responses: {} } } },
        }),
      },
      { docsFolder: 'src/content/docs' },
    );
    context.workspace.write(
      'src/content/docs/index.md',
      '---\ntitle: Home\n---\n[list](/api/operations/listpets/) [none](/api/operations/none/)\n',
    );
    const { content } = await call(context, 'check', {});
    expect(content).toContain('/api/operations/none/');
    expect(content).not.toContain('listpets');
  });
});
