import { readPage } from '../../db/search/pages.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';
import { testSite } from './site.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const FACT = 'The quota of zebrafish is nine.';
/** Not shown: what is around the part that a page names. */
const OTHER = 'An ocelot is elsewhere.';
const HUGO = { 'hugo.toml': 'baseURL = "https://a.example.com/"' };
const VITEPRESS = { 'docs/.vitepress/config.mts': 'export default {}' };
const MKDOCS = {
  'mkdocs.yml':
    'site_name: A\nmarkdown_extensions:\n  - pymdownx.snippets:\n      base_path: [parts]\n',
};
const SPHINX = { 'docs/conf.py': "extensions=['myst_parser']\nexclude_patterns=['parts']\n" };
const BOOK = { 'book.toml': '[book]\ntitle = "A"\n', 'src/SUMMARY.md': '- [A](a.md)\n' };
const ASTRO = {
  'astro.config.mjs':
    "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'A' })] };",
  'tsconfig.json':
    '{ // Aliases\n "compilerOptions": { "paths": { "@parts/*": ["./src/parts/*"] } } }',
};
const DOCUSAURUS = {
  'docusaurus.config.js':
    "module.exports = { url: 'https://a.example.com', baseUrl: '/', presets: [['classic', {}]] };",
};

interface Form {
  /** Where the site's pages are. */
  folder: string;
  files: Record<string, string>;
  part: string;
  text: string;
  path?: string;
  /** Where the fact is found on the page. */
  anchor?: string | null;
}

const FORMS: Record<string, Form> = {
  'a partial of Docusaurus, with what its component is given': {
    folder: 'docs',
    files: {
      ...DOCUSAURUS,
      'docs/a.mdx':
        '---\ntitle: Home\n---\n\nimport Part from \'./\\_part.mdx\';\n\n## Limits\n\n<Part animal="zebrafish"/>\n',
    },
    part: 'docs/_part.mdx',
    text: '---\ntitle: Part\n---\n\n### Quotas\n\nThe quota of {props.animal} is nine.\n',
    path: '/docs/a',
    anchor: 'quotas',
  },
  'a partial of Starlight, by an alias': {
    folder: 'src/content/docs',
    files: {
      ...ASTRO,
      'src/content/docs/a.mdx':
        "---\ntitle: Home\n---\n\nimport { Content as Part } from '@parts/part.mdx';\n\n- One\n  <Part />\n",
    },
    part: 'src/parts/part.mdx',
    text: `${FACT}\n`,
  },
  'an imported snippet of docs.json': {
    folder: '',
    files: {
      'docs.json': '{"name":"A","navigation":{"pages":["a"]}}',
      'a.mdx': '---\ntitle: Home\n---\n\nimport Part from "/snippets/part.mdx";\n\n<Part />\n',
    },
    part: 'snippets/part.mdx',
    text: `## Zebrafish limits\n\n${FACT}\n`,
    anchor: 'zebrafish-limits',
  },
  'a snippet of docs.json by its file': {
    folder: '',
    files: {
      'docs.json': '{"name":"A","navigation":{"pages":["a"]}}',
      'a.mdx': '---\ntitle: Home\n---\n\n<Snippet file="part.mdx" />\n',
    },
    part: 'snippets/part.mdx',
    text: `${FACT}\n`,
  },
  'a section of a snippet of MkDocs': {
    folder: 'docs',
    files: { ...MKDOCS, 'docs/a.md': '# Home\n\n!!! note\n\n    --8<-- "part.md:quota"\n' },
    part: 'parts/part.md',
    text: `${OTHER}\n\n<!-- --8<-- [start:quota] -->\n${FACT}\n<!-- --8<-- [end:quota] -->\n`,
  },
  'what is behind a mark, included by a plugin of MkDocs': {
    folder: 'docs',
    files: {
      ...MKDOCS,
      'docs/a.md': '# Home\n\n{% include-markdown "part.md" start="<!-- here -->" %}\n',
    },
    part: 'parts/part.md',
    text: `${OTHER}\n<!-- here -->\nText.\n\n${FACT}\n`,
  },
  'what is before a mark, included by a plugin of MkDocs': {
    folder: 'docs',
    files: {
      ...MKDOCS,
      'docs/a.md': '# Home\n\n{% include-markdown "part.md" end="<!-- here -->" %}\n',
    },
    part: 'parts/part.md',
    text: `${FACT}\n<!-- here -->\n\n${OTHER}\n`,
  },
  'a list of snippets of MkDocs': {
    folder: 'docs',
    files: { ...MKDOCS, 'docs/a.md': '# Home\n\n--8<--\npart.md\n--8<--\n' },
    part: 'parts/part.md',
    text: `## Quotas\n\n${FACT}\n`,
    anchor: 'quotas',
  },
  'an include of VitePress, by lines': {
    folder: 'docs',
    files: { ...VITEPRESS, 'docs/a.md': '# Home\n\n<!--@include: ../parts/part.md{3,}-->\n' },
    part: 'parts/part.md',
    text: `${OTHER}\n\n${FACT}\n`,
  },
  'code of VitePress, by a region': {
    folder: 'docs',
    files: { ...VITEPRESS, 'docs/a.md': '# Home\n\n<<< ./part.go#quota{1 go} [part.go]\n' },
    part: 'docs/part.go',
    text: `// ${OTHER}\n// #region quota\nconst zebrafishQuota = 9 // ${FACT}\n// #endregion quota\n`,
  },
  'an include of mdBook, by an anchor': {
    folder: 'src',
    files: { ...BOOK, 'src/a.md': '# Home\n\n```rust\n{{#include ../code/part.rs:quota}}\n```\n' },
    part: 'code/part.rs',
    text: `// ${OTHER}\n// ANCHOR: quota\n// ${FACT}\n// ANCHOR_END: quota\n`,
  },
  'an include of MyST': {
    folder: 'docs',
    files: {
      ...SPHINX,
      'docs/a.md':
        '# Home\n\n:::{note}\n```{include} parts/part.md\n:start-after: "<!-- here -->"\n```\n:::\n',
    },
    part: 'docs/parts/part.md',
    text: `${OTHER}\n\n<!-- here -->\n\n${FACT}\n`,
  },
  'code of MyST, by lines': {
    folder: 'docs',
    files: {
      ...SPHINX,
      'docs/a.md': '# Home\n\n```{literalinclude} parts/part.py\n:lines: 2\n```\n',
    },
    part: 'docs/parts/part.py',
    text: `# ${OTHER}\n# ${FACT}\n`,
  },
  'a file that a shortcode of Hugo reads': {
    folder: 'content',
    files: {
      ...HUGO,
      'content/a/index.md': '---\ntitle: Home\n---\n\n{{% readfile "includes/part.md" %}}\n',
    },
    part: 'content/a/includes/part.md',
    text: `## Quotas\n\n${FACT}\n`,
    anchor: 'quotas',
  },
  'a shortcode of Hugo that is a text': {
    folder: 'content',
    files: {
      ...HUGO,
      'content/a.md': '---\ntitle: Home\n---\n\n{{< quota animal="zebrafish" >}}\n',
    },
    part: 'layouts/shortcodes/quota.html',
    text: '{{/* Ours. */}}<p>The quota of {{ .Get "animal" }} is nine.</p>\n',
  },
};

it.each(Object.entries(FORMS))('is found at the page that shows it: %s', async (_name, form) => {
  const { folder, files, part, text, path = '/a', anchor } = form;
  const one = await testSite(database.pool, { docsFolder: folder });
  await one.index({ ...files, [part]: text });
  const found = await one.find('quota of zebrafish');
  expect(found.map(result => result.path)).toEqual([path]);
  expect(found[0]?.sections[0]?.text).toContain('zebrafish is nine');
  if (anchor !== undefined) expect(found[0]?.sections[0]?.anchor).toBe(anchor);
  expect(await one.find('ocelot')).toEqual([]);
  const read = await readPage(database.pool, one.id, path);
  expect(read?.content).toContain('zebrafish is nine');
  expect(read?.content).not.toMatch(/<Part|<Snippet|8<-|@include|<<<|\{\{|\{(?:literal)?include\}/);
});

it.each(['an imported snippet of docs.json', 'code of VitePress, by a region'])(
  'is found as it is now when it changes: %s',
  async name => {
    const { folder, files, part, text } = FORMS[name]!;
    const one = await testSite(database.pool, { docsFolder: folder });
    const site = { ...files, 'docs/b.md': '# B\n\nAnother page.\n' };
    await one.index({ ...site, [part]: text });
    const changed = { ...site, [part]: text.replaceAll('nine', 'ten') };
    expect(await one.index(changed)).toMatchObject({ built: 1 });
    expect((await one.find('zebrafish'))[0]?.sections[0]?.text).toContain('is ten');
    expect(await one.index(changed)).toMatchObject({ built: 0 });
  },
);
