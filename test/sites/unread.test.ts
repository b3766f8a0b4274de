import { readSite } from '../../sites/kinds/registry.ts';
import type { Site } from '../../sites/kinds/site-kind.ts';
import { siteSource } from '../../sites/kinds/source.ts';
import { linkedPaths } from '../../sites/linked-paths.ts';

function siteOf(files: Record<string, string>): Site {
  const site = readSite(siteSource(Object.keys(files), path => files[path]));
  if (!site) throw new Error('no site');
  return site;
}

const starlight = (options: string) => ({
  'astro.config.mjs': `import starlight from '@astrojs/starlight';
    export default defineConfig({ integrations: [starlight({ title: 'x', ${options} })] });`,
  'src/content/docs/a.md': '---\ntitle: A\n---\n',
});
const vitepress = (config: string) => ({
  '.vitepress/config.ts': `export default ${config}`,
  'a.md': '# A\n',
});
const docusaurus = (docs: string, more = '') => ({
  'docusaurus.config.js': `module.exports = { presets: [['classic', { docs: { ${docs} } }]], ${more} }`,
  'docs/a.md': '# A\n',
});

/** What comes from a plugin, a wrapper or a function was not read, and is not claimed. */
describe('unread parts of a site', () => {
  it.each([
    ['a plugin for sidebars', starlight('plugins: [starlightSidebarTopics([])]'), /sidebar/i],
    ['a middleware', starlight("routeMiddleware: './src/x.ts'"), /sidebar/i],
    ['a component', starlight("components: { Sidebar: './src/x.astro' }"), /sidebar/i],
    ['a wrapper', vitepress('withSidebar(defineConfig({}), {})'), /configuration/i],
    ['a plugin of the bundler', vitepress('{ vite: { plugins: [AutoSidebar()] } }'), /sidebar/i],
    ['a computed sidebar', vitepress('{ themeConfig: { sidebar: make() } }'), /sidebar/i],
    ['a generator', docusaurus('sidebarItemsGenerator: async () => []'), /sidebar/i],
    ['a computed path', docusaurus('sidebarPath: find()'), /sidebar/i],
    [
      'a computed preset',
      { 'docusaurus.config.js': 'module.exports = { presets: [make()] }', 'docs/a.md': '' },
      /configuration/i,
    ],
    ['a parser of prefixes', docusaurus('numberPrefixParser: x => x'), /addresses/i],
    ['front matter', docusaurus('', 'markdown: { parseFrontMatter: x => x }'), /front matter/i],
    [
      'a plugin of MkDocs',
      { 'mkdocs.yml': 'site_name: x\nplugins: [mkdocs-nav-weight]\n', 'docs/index.md': '' },
      /navigation/i,
    ],
    [
      'a preprocessor',
      { 'book.toml': '[preprocessor.toc]\n', 'src/SUMMARY.md': '[A](a.md)', 'src/a.md': '' },
      /preprocessor toc/,
    ],
  ])('%s', (_, files, message) => {
    expect(siteOf(files).unread.map(one => one.message)).toContainEqual(
      expect.stringMatching(message),
    );
  });

  it.each([
    ['VitePress', vitepress('{ markdown: { anchor: { slugify: s => s } } }'), 'a.md'],
    [
      'MkDocs',
      {
        'mkdocs.yml': 'markdown_extensions:\n  - toc:\n      slugify: !!python/name:my.slug\n',
        'docs/index.md': '# A\n',
      },
      'docs/index.md',
    ],
    [
      'Sphinx',
      {
        'conf.py': 'extensions = ["myst_parser"]\nmyst_heading_slug_func = "my.slug"\n',
        'index.md': '# A\n',
      },
      'index.md',
    ],
    [
      'Hugo',
      {
        'hugo.toml': '',
        'content/a.md': '# A\n',
        'layouts/_markup/render-heading.html': '<h1 id="{{ .Anchor }}-x">',
      },
      'content/a.md',
    ],
  ])('ids of headings by a function of %s are unknown', (_, files, page) => {
    const site = siteOf(files);
    expect(site.anchors(site.outline(page))).toBeNull();
  });

  it.each([
    ['VitePress', vitepress("withMermaid(defineConfig({ title: 'x' }))")],
    ['Starlight', starlight('plugins: [starlightImageZoom()]')],
    ['Docusaurus', docusaurus("sidebarPath: require.resolve('./sidebars.js')")],
    [
      'MkDocs',
      {
        'mkdocs.yml':
          'plugins: [search, awesome-nav]\nmarkdown_extensions:\n  - toc:\n' +
          '      slugify: !!python/name:pymdownx.slugs.uslugify\n',
        'docs/index.md': '# A\n',
      },
    ],
    [
      'Hugo',
      {
        'hugo.toml': '',
        'content/a.md': '# A\n',
        'layouts/_markup/render-heading.html': '<h1 id="{{ .Anchor | safeURL }}">',
      },
    ],
  ])('a usual configuration of %s is known completely', (_, files) => {
    const site = siteOf(files);
    const [page] = site.pages;
    expect(site.unread).toEqual([]);
    expect(page && site.anchors(site.outline(page.file))).not.toBeNull();
  });

  it('symbolic links are followed in linear time', () => {
    const paths = Array.from({ length: 20_000 }, (_, n) => `real/${n}/a.md`);
    const links = new Map(Array.from({ length: 5_000 }, (_, n) => [`l${n}`, `real/${n}`] as const));
    const start = performance.now();
    const found = linkedPaths(paths, links);
    expect([found.size, found.get('l4999/a.md')]).toEqual([5_000, 'real/4999/a.md']);
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});
