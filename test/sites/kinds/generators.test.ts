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
    expect(unread).toEqual([expect.stringContaining(`looks like a ${name} site`)]);
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
