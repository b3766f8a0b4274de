import { NAVIGATION } from '../../../agent/navigation/registry.ts';
import { testSite } from '../../support/site-files.ts';
import { editSite } from '../../support/navigation-edits.ts';

describe('a folder that a generator builds whose rules are not known', () => {
  it.each<[string, Record<string, string>]>([
    ['Nextra', { 'theme.config.tsx': '' }],
    ['Nextra', { 'next.config.mjs': "import nextra from 'nextra'" }],
    ['Fumadocs', { 'source.config.ts': "import { defineDocs } from 'fumadocs-mdx/config'" }],
    ['GitBook', { '.gitbook.yaml': 'root: ./docs' }],
    ['Docsify', { 'docs/index.html': '<script>window.$docsify = {}</script>' }],
    ['Jekyll', { 'docs/_config.yml': 'title: Acme' }],
    ['just-the-docs', { '_config.yml': 'title: Acme\ntheme: just-the-docs\n' }],
    ['VuePress', { 'docs/.vuepress/config.ts': '' }],
    ['Rspress', { 'rspress.config.ts': '' }],
    ['Quarto', { '_quarto.yml': 'project: { type: website }' }],
    ['Antora', { 'docs/antora.yml': 'name: acme' }],
    ['MkDocs', { 'mkdocs-online.yml': 'site_name: Acme' }],
  ])('%s is named, and no link is judged', (name, marks) => {
    const { site, findings, unread } = testSite({
      'docs/a.md': '[x](/nope) [y](b.md#z)',
      ...marks,
    });
    expect({ kind: site.generator, findings }).toEqual({ kind: name, findings: [] });
    expect(unread).toEqual([
      expect.stringContaining(`looks like a ${name} site, whose navigation is not read`),
    ]);
  });

  it('is a plain folder without such a mark', () => {
    const { site, errors } = testSite({
      'docs/a.md': '[x](nope.md)',
      'next.config.mjs': 'export default {}',
      'test/fixtures/_config.yml': '',
    });
    expect(site.generator).toBeUndefined();
    expect(errors).toEqual(['docs/a.md:1 link nope.md']);
  });

  it('has the navigation of its list file, which is edited as a list', () => {
    const files = {
      '.gitbook.yaml': 'root: ./docs',
      'docs/README.md': '# Start',
      'docs/SUMMARY.md':
        '# Summary\n\n* [Start](README.md)\n* [Guides](guides/README.md)\n  * [Install](guides/install.md)\n',
      'docs/guides/README.md': '# Guides',
      'docs/guides/install.md': '# Install',
      'docs/guides/deploy.md': '# Deploy',
    };
    const { navigation, paths, page } = testSite(files);
    expect(navigation).toEqual(['Start', 'Guides', 'Guides > Install']);
    expect(paths).not.toHaveProperty('docs/SUMMARY.md');
    expect(page('docs/guides/deploy.md').inNavigation).toBe(false);
    const edited = editSite(files, {
      kind: 'add-page',
      file: 'docs/guides/deploy.md',
      position: { after: { file: 'docs/guides/install.md' } },
    });
    expect(edited.texts['docs/SUMMARY.md']).toContain(
      '  * [Install](guides/install.md)\n  * [Deploy](guides/deploy.md)\n',
    );
  });
});

describe('lists in the files of folders', () => {
  const fumadocs = {
    'source.config.ts': "import { defineDocs } from 'fumadocs-mdx/config'",
    'docs/meta.json':
      '{ "title": "Docs", "pages": ["index", "---Start---", "b", "guide", "..."] }\n',
    'docs/index.mdx': '---\ntitle: Home\n---\n',
    'docs/a.mdx': '# A',
    'docs/b.mdx': '# B',
    'docs/guide/meta.json':
      '{\n  "title": "Guides",\n  "pages": [\n    "y",\n    "x",\n    "!old"\n  ]\n}\n',
    'docs/guide/x.mdx': '# X',
    'docs/guide/y.mdx': '# Y',
    'docs/guide/z.mdx': '# Z',
    'docs/guide/old.mdx': '# Old',
    'docs/api/c.mdx': '# C',
  };
  const nextra = {
    'theme.config.tsx': '',
    'docs/_meta.json':
      '{\n  "index": "Start",\n  "b": { "title": "Bee", "display": "hidden" },\n  "guide": "Guides"\n}\n',
    'docs/index.mdx': '# Home',
    'docs/a.mdx': '# A',
    'docs/b.mdx': '# B',
    'docs/guide/x.mdx': '# X',
  };
  const guide = (files: Record<string, string>) => files['docs/guide/meta.json'];

  it('are the navigation: Fumadocs leaves out what no list names, Nextra puts it last', () => {
    const read = testSite(fumadocs);
    expect(read.navigation).toEqual(['Home', 'B', 'Guides > Y', 'Guides > X', 'A', 'api > C']);
    expect(read.page('docs/guide/z.mdx').inNavigation).toBe(false);
    expect(read.unread).toEqual([expect.not.stringContaining('navigation')]);
    const other = testSite(nextra);
    expect(other.navigation).toEqual(['Home', 'Guides > X', 'A']);
    expect(other.page('docs/b.mdx').inNavigation).toBe(false);
  });

  it('are not claimed to be read where they are code', () => {
    const { unread } = testSite({ 'theme.config.tsx': '', 'docs/_meta.ts': '', 'docs/a.mdx': '' });
    expect(unread).toEqual([expect.stringContaining('navigation is not read')]);
  });

  it('are edited as they are laid out', () => {
    const added = editSite(fumadocs, {
      ...{ kind: 'add-page', file: 'docs/guide/z.mdx', position: { after: { title: 'Y' } } },
    });
    expect(guide(added.texts)).toBe(
      '{\n  "title": "Guides",\n  "pages": [\n    "y",\n    "z",\n    "x",\n    "!old"\n  ]\n}\n',
    );
    const removed = editSite(fumadocs, { kind: 'remove-page', file: 'docs/b.mdx' });
    expect(removed.texts['docs/meta.json']).toBe(
      '{ "title": "Docs", "pages": ["index", "---Start---", "guide", "..."] }\n',
    );
    const renamed = editSite(nextra, {
      ...{ kind: 'rename-entry', entry: { title: 'Start' }, title: 'Welcome "you"' },
    });
    expect(renamed.texts['docs/_meta.json']).toContain('{\n  "index": "Welcome \\"you\\"",\n  "b"');
    expect([added, removed, renamed].flatMap(one => one.otherChanges)).toEqual([]);
  });

  it('follow a page to another folder, and say where a page needs no entry', () => {
    const moved = editSite(fumadocs, {
      ...{ kind: 'move-page', from: 'docs/b.mdx', to: 'docs/guide/b.mdx' },
      ...{ newPath: null, redirect: false },
    });
    expect(moved.texts['docs/meta.json']).not.toContain('"b"');
    expect(guide(moved.texts)).toContain('    "x",\n    "b",\n    "!old"\n  ]');
    expect(moved.navigation).toContain('Guides > B (docs/guide/b.mdx)');
    const near = editSite(fumadocs, { kind: 'add-page', file: 'docs/a.mdx' });
    expect([near.texts, near.done]).toEqual([{}, [expect.stringContaining('needs no entry')]]);
    const nextraPage = editSite(nextra, { kind: 'add-page', file: 'docs/a.mdx' });
    expect(nextraPage.texts['docs/_meta.json']).toContain(' },\n  "a": "A",\n  "guide"');
  });

  it('let nothing else through', () => {
    const read = testSite(fumadocs);
    const changes = (after: string, file = 'docs/guide/meta.json') =>
      NAVIGATION.folder.otherChanges(read.site, file, fumadocs['docs/guide/meta.json'], after);
    expect(changes('{ "title": "Guides", "pages": ["x", "---New---", "old.v2"] }')).toEqual([]);
    expect(changes('{ "title": "Other", "pages": ["x"] }')).toHaveLength(1);
    for (const entry of ['[x](javascript:alert(1))', '...', '../../x', 'https://x.example', '<b>'])
      expect(changes(JSON.stringify({ title: 'Guides', pages: [entry] }))).toHaveLength(1);
    expect(changes('{ "title": "Guides", "pages": [{ "a": 1 }] }')).toHaveLength(1);
    expect(changes('{ "title": "Guides", "pages": ["x",] }')).toHaveLength(1);
  });
});
