import { page, type SiteFiles, testSite } from '../support/site-files.ts';

const astro = (starlight: string, more = '') => `import starlight from '@astrojs/starlight';
  import starlightBlog from 'starlight-blog';
  import starlightLinksValidator from 'starlight-links-validator';
  import { fixLinks } from './plugins/fix-links.ts';
  export default { ${more} integrations: [starlight({ title: 'X', ${starlight} })] };`;

/** Files, and what is said of them: `file:line rule link`. */
const SITES: [string, SiteFiles, string[]][] = [
  [
    'the folder that the first Docusaurus is beside',
    {
      'website/siteConfig.js': 'module.exports = { headerLinks: [] }',
      'docs/a.md': '[x](/docs/en/b)',
    },
    [],
  ],
  [
    'a relative link without an ending, by the address that it leads to',
    {
      'mkdocs.yml': 'site_name: X\n',
      'docs/index.md': '[b](a/b/#x) [no](a/c/)',
      'docs/a/b.md': '[x](../../a/b/)',
    },
    ['docs/index.md:1 link a/c/'],
  ],
  [
    'the site that brings in others, not its parts; and not what they bring',
    {
      'docs/mkdocs.yml': 'site_name: docs/latest\nnav: [a.md]\n',
      'docs/docs/a.md': '[x](../../../site/docs/no.md)',
      'site/mkdocs.yml':
        'site_name: X\nsite_url: https://x.example\nplugins:\n  - monorepo\n' +
        "nav:\n  - index.md\n  - More: ['!include ../docs/mkdocs.yml']\n",
      'site/docs/index.md': '[x](docs/latest/a.md) [y](no.md) [z](assets/no.md)',
      'site/docs/assets/a.png': '',
    },
    ['site/docs/index.md:1 link assets/no.md', 'site/docs/index.md:1 link no.md'],
  ],
  [
    'the site that brings in copies which the build makes of a part',
    {
      'docs/mkdocs.yml': 'site_name: docs/latest\nnav: [a.md]\n',
      'docs/docs/a.md': '[x](../../spec.md)',
      'site/mkdocs.yml':
        'site_name: X\nsite_url: https://x.example\nplugins:\n  - monorepo\n' +
        "nav:\n  - index.md\n  - Old: '!include versions/latest/mkdocs.yml'\n",
      'site/docs/index.md': '[y](no.md)',
    },
    ['site/docs/index.md:1 link no.md'],
  ],
  [
    'links of a Hugo site in two languages, which find pages as ref does',
    {
      'hugo.yaml': 'languages:\n  en: { contentDir: en }\n  de: { contentDir: de }\n',
      'en/docs/a.md': '[x](docs/b/c) [y](no/b) [z](/de/docs/b/d)',
      'en/docs/b/c.md': '[x](../docs/a) [y](a) [z](./docs/a)',
      'en/docs/b/bundle/index.md': '[x](c) [y](../a) [z](../c/no) [i](/docs/index.md)',
      'en/docs/_index.md': '',
      'de/docs/a.md': '[x](/docs/b/d)',
      'de/docs/b/d.md': '',
    },
    [
      'en/docs/a.md:1 link no/b',
      'en/docs/b/bundle/index.md:1 link ../c/no',
      'en/docs/b/c.md:1 link ../docs/a',
      'en/docs/b/c.md:1 link a',
    ],
  ],
  [
    'links of a Hugo site in one language, which are addresses',
    {
      'hugo.yaml': 'title: X\n',
      'content/docs/a.md': '[x](docs/b/c) [y](/docs/b/c)',
      'content/docs/b/c.md': '',
    },
    ['content/docs/a.md:1 link docs/b/c'],
  ],
  [
    'what the menu of a Hugo site leads to, which something else makes',
    {
      'hugo.yaml': 'menus: { main: [{ name: Help, url: /support }, { name: A, url: /a }] }\n',
      'content/a.md': '[x](/support/#hours) [y](/supports)',
    },
    ['content/a.md:1 link /supports'],
  ],
  [
    'folders that a script writes, and others',
    {
      'mkdocs.yml': 'site_name: X\n',
      'tools/docs.mjs': "const OUT = join('docs', 'ref', 'made');",
      'tools/import.sh': 'DIR="docs/cli/plugins"\n',
      'docs/index.md':
        '[a](ref/made/x.md) [b](cli/plugins/y.md) [c](cli/plugin/z.md) [d](made/x.md)',
    },
    ['docs/index.md:1 link cli/plugin/z.md', 'docs/index.md:1 link made/x.md'],
  ],
  [
    'links in rows of a table that lack a cell, at the line of the row',
    {
      'mkdocs.yml': 'site_name: X\n',
      'docs/index.md': '# X\n\n| a | b |\n|---|---|\n| x - y |\n| [l](no.md) | [k](none.md) |\n',
    },
    ['docs/index.md:6 link no.md', 'docs/index.md:6 link none.md'],
  ],
  [
    'headings of a part whose import follows another one in its line',
    {
      'docusaurus.config.js': "module.exports = { presets: [['classic', { docs: {} }]] };",
      'sidebars.js': "module.exports = { docs: ['a'] };",
      'docs/a.mdx':
        "import data from '../data'; import A from './_a.mdx'; import\nB from './_b.mdx';\n\n<A />\n\n<B />\n\n[x](#in-a) [y](#in-b) [z](#in-c)\n",
      'docs/_a.mdx': '## In a\n',
      'docs/_b.mdx': '## In b\n',
    },
    ['docs/a.mdx:8 anchor #in-c'],
  ],
  [
    'ids of components that a page imports by name from the site',
    {
      'docusaurus.config.js': "module.exports = { presets: [['classic', { docs: {} }]] };",
      'sidebars.js': "module.exports = { docs: ['a'] };",
      'docs/a.mdx':
        "import data from '@site/data';\nimport {Part} from './_parts';\n\n[x](#in-part)\n",
    },
    [],
  ],
  [
    'ids of headings in a directive that the site defines',
    {
      'docs/conf.py': "extensions = ['myst_parser', 'own']\nmyst_heading_anchors = 3\n",
      'docs/index.md':
        '# X\n\n::::{own-example}\n## In it\n::::\n\n[x](#in-it-1) [y](b.md#no)\n\n```{toctree}\nb\n```\n',
      'docs/b.md': '# B\n\n```{code-block} sh\n# no\n```\n',
    },
    ['docs/index.md:7 anchor b.md#no'],
  ],
  [
    'names that a page may have which conf.py writes',
    {
      'docs/conf.py':
        "import os, subprocess\nextensions = ['myst_parser']\n" +
        "subprocess.run(['tool', 'manpage', 'out/manpages'])\n",
      'docs/index.md':
        '# X\n\n```{toctree}\n:glob:\n\nmanpages/*\n```\n\n[x](tool_run.md) [y](a/no.md)',
    },
    ['docs/index.md:9 link a/no.md'],
  ],
  [
    'a toctree whose pattern nothing matches',
    {
      'docs/conf.py': "extensions = ['myst_parser']\n",
      'docs/index.md': '# X\n\n```{toctree}\n:glob:\n\nmanpages/*\n```\n\n[x](tool_run.md)',
    },
    ['docs/index.md:6 navigation manpages/*', 'docs/index.md:9 link tool_run.md'],
  ],
  [
    'files of a submodule, of a theme as well',
    {
      '.gitmodules':
        '[submodule "b"]\n\tpath = theme/assets/brand\n[submodule "c"]\n\tpath = docs/sub\n',
      'mkdocs.yml': 'site_name: X\ntheme:\n  name: material\n  custom_dir: theme\n',
      'docs/index.md': '![x](assets/brand/a.png) ![y](assets/a.png) [z](sub/a.md)',
      'theme/main.html': '',
    },
    ['docs/index.md:1 link assets/a.png'],
  ],
  [
    'fragments that a script reads',
    { 'mkdocs.yml': 'site_name: X\n', 'docs/index.md': '[x](#/portal/a) [y](#!/a) [z](#no)' },
    ['docs/index.md:1 anchor #no'],
  ],
  [
    'addresses in a folder that something builds',
    {
      'docs/a.md': Array.from({ length: 10 }, (_, i) => `[x](/docs/p${i}/) [y](p${i})`).join(' '),
      'docs/b.md': '[x](a.md) [y](gone.md#z) [z](/gone.md)',
    },
    ['docs/b.md:1 link gone.md#z'],
  ],
  [
    'every dead file beside addresses, of which each counts once',
    {
      'docs/a.md': Array.from({ length: 12 }, (_, i) => `[x](/p${i}) [y](b.md)`).join(' '),
      'docs/b.md': Array.from({ length: 40 }, (_, i) => `[x](x${i}.md)\n`).join(''),
    },
    Array.from({ length: 40 }, (_, i) => `docs/b.md:${i + 1} link x${i}.md`).toSorted(),
  ],
  [
    'one address that is named often, which is a mistake',
    { 'docs/a.md': '[x](/p)\n'.repeat(2), 'docs/b.md': '[x](/p) '.repeat(12) },
    ['docs/a.md:1 link /p', 'docs/a.md:2 link /p', ...Array(12).fill('docs/b.md:1 link /p')],
  ],
  [
    'headings as a repository host finds them',
    { 'docs/a.md': '## Some Thing\n\n<a name="Old"></a>\n\n[x](#Some-Thing) [y](#old) [z](#Gone)' },
    ['docs/a.md:5 anchor #Gone'],
  ],
  [
    'names that the build replaces with addresses',
    { 'mkdocs.yml': 'site_name: X\n', 'docs/index.md': '[x](OTHER_URL) [y](OTHER)' },
    ['docs/index.md:1 link OTHER'],
  ],
  [
    'names in capitals that are those of pages, of images or of no address',
    {
      'mkdocs.yml': 'site_name: X\n',
      'docs/a.md':
        '[a](CODE_OF_CONDUCT)\n[b](RELEASE_NOTES)\n![c](LOGO_URL)\n[d](OLD_PATH)\n[e](NEW_PATH)\n',
      'docs/CODE_OF_CONDUCT.md': '',
      'docs/OLD_PATH.md': '',
    },
    [
      'docs/a.md:1 link CODE_OF_CONDUCT',
      'docs/a.md:2 link RELEASE_NOTES',
      'docs/a.md:3 link LOGO_URL',
      'docs/a.md:4 link OLD_PATH',
    ],
  ],
  [
    'redirects that a template of Hugo writes, and pages that only have an address',
    {
      'hugo.yaml': 'baseURL: https://x.example/\n',
      'layouts/index.redirects':
        '{{ range .Pages }}\n/made{{ .Path }} /x\n{{ end }}\n/grpc/* https://x.example/:splat\n',
      'content/a.md': page({ title: 'A' }, '[x](/grpc/a.html) [y](/b/) [z](/made)'),
      'content/b.md': '---\ntitle: B\n_build: { render: link }\n---\n',
    },
    ['content/a.md:5 link /made'],
  ],
  [
    'links behind a plugin for Markdown of the site',
    {
      'astro.config.mjs': astro('', 'markdown: { remarkPlugins: [fixLinks] },'),
      'plugins/fix-links.ts':
        'export const fixLinks = () => tree => { tree.url = tree.url.slice(1) }',
      'src/content/docs/index.md': page({ title: 'A' }, '[x](./gone.md)'),
    },
    [],
  ],
  [
    'links behind a plugin that leaves them as they are',
    {
      'astro.config.mjs': astro('', 'markdown: { remarkPlugins: [fixLinks] },'),
      'plugins/fix-links.ts': 'export const fixLinks = () => tree => { log(tree.url === 1) }',
      'src/content/docs/index.md': page({ title: 'A' }, '[x](./gone.md)'),
    },
    ['src/content/docs/index.md:5 link ./gone.md'],
  ],
  [
    'exclude of the validator with a heading',
    {
      'astro.config.mjs': astro("plugins: [starlightLinksValidator({ exclude: ['/p/*/#made'] })]"),
      'src/content/docs/index.md': page({ title: 'A' }, '[x](/p/a/#made) [y](/p/a/#no)'),
      'src/content/docs/p/a.md': page({ title: 'B' }, ''),
    },
    ['src/content/docs/index.md:5 anchor /p/a/#no'],
  ],
  [
    'documents of other projects, and formats that a notebook extension adds',
    {
      'docs/conf.py':
        "project = 'X'\nextensions = ['myst_nb']\nnb_custom_formats = {'.Rmd': ['f', {}]}\n" +
        "intersphinx_mapping = {'jb': ('https://x.example', None)}\n",
      'docs/index.md': '# A\n\n{doc}`jb:a/b` {doc}`no:a`\n\n```{toctree}\nformats\n```\n',
      'docs/formats.Rmd': '# F\n',
    },
    ['docs/index.md:3 link project:no:a'],
  ],
];

it.each(SITES)('%s', (_, files, errors) => {
  expect(testSite(files).errors.toSorted()).toEqual(errors);
});

/** Files of which all but the last are in the navigation, and what is outside it. */
const LISTS: [string, SiteFiles, string[]][] = [
  [
    'posts that a plugin of Starlight lists, and the page for what is missing',
    {
      'astro.config.mjs': astro(
        "plugins: [starlightBlog()], sidebar: ['a', 'b', 'c', 'd', 'e', 'f']",
      ),
      'src/content/docs/blog/x.md': page({ title: 'X' }, ''),
      'src/content/docs/404.md': page({ title: '404' }, ''),
      'src/content/docs/x.md': page({ title: 'X' }, ''),
      ...Object.fromEntries(
        Array.from('abcdef', name => [`src/content/docs/${name}.md`, page({ title: name }, '')]),
      ),
    },
    ['src/content/docs/x.md'],
  ],
  [
    'pages that the bar of VitePress leads to',
    {
      '.vitepress/config.ts': `export default { themeConfig: {
        nav: [{ text: 'B', items: [{ text: 'B', link: '/b/' }] }],
        sidebar: [{ text: 'A', link: '/a' }, { text: 'C', link: '/c' }, { text: 'D', link: '/d' }] } }`,
      ...{ 'a.md': '', 'b/index.md': '', 'c.md': '', 'd.md': '', 'x.md': '' },
    },
    ['x.md'],
  ],
  [
    'documents of Sphinx that are orphans or parts of others',
    {
      'docs/conf.py': "project = 'X'\nextensions = ['myst_parser']\n",
      'docs/index.md': '# A\n\n```{toctree}\na\nb\nc\n```\n\n```{include} part.md\n```\n',
      'docs/part.md': 'text',
      'docs/orphan.md': '---\norphan: true\n---\n# O\n',
      'docs/x.md': '# X',
      ...{ 'docs/a.md': '# A', 'docs/b.md': '# B', 'docs/c.md': '# C' },
    },
    ['docs/x.md'],
  ],
];

it.each(LISTS)('outside the navigation: %s', (_, files, outside) => {
  const { findings } = testSite(files);
  expect(findings.filter(one => one.rule === 'orphan').map(one => one.file)).toEqual(outside);
});

it('Hugo: pages that a theme hides are meant to be outside the navigation', () => {
  const hidden = page({ title: 'B', toc_hide: true }, '');
  const { page: of } = testSite({
    'hugo.yaml': 'baseURL: https://x.example/\n',
    'content/a.md': page({ title: 'A' }, ''),
    'content/b.md': hidden,
  });
  expect(
    [of('content/a.md'), of('content/b.md')].map(one => [one.inNavigation, one.unlisted]),
  ).toEqual([
    [true, undefined],
    [false, true],
  ]);
});
