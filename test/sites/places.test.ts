import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS } from '../../sites/kinds/registry.ts';
import { testSite } from '../support/site-files.ts';

describe('a link in a file that pages include', () => {
  it('is reported once, where it is written, in MkDocs', () => {
    const { findings } = testSite({
      'mkdocs.yml':
        'site_name: X\nmarkdown_extensions:\n  - pymdownx.snippets\nexclude_docs: parts/\n',
      'docs/index.md': '# X\n\n--8<-- "docs/parts/a.md"\n\n[own](gone.md)\n',
      'docs/other.md': '# O\n\n--8<-- "docs/parts/a.md"\n',
      'docs/parts/a.md': 'Text.\n\n[ok](other.md)\n[no](missing.md)\n',
    });
    expect(findings).toMatchObject([
      { file: 'docs/index.md', line: 5, link: 'gone.md', message: 'gone.md does not exist.' },
      {
        file: 'docs/parts/a.md',
        line: 4,
        page: 'docs/index.md',
        link: 'missing.md',
        message: 'missing.md does not exist, seen from docs/index.md, which includes this file.',
      },
    ]);
    expect(findings).toHaveLength(2);
  });

  it('is where it is written in Sphinx, and so is what follows', () => {
    const { errors } = testSite({
      'docs/conf.py': "project = 'X'\nextensions = ['myst_parser']\nexclude_patterns = ['parts']\n",
      'docs/index.md': '# X\n\n```{include} parts/a.md\n```\n\n[own](gone.md)\n',
      'docs/parts/a.md': 'Text.\n\nMore.\n\n[no](missing.md)\n',
    });
    expect(errors).toEqual(['docs/index.md:6 link gone.md', 'docs/parts/a.md:5 link missing.md']);
  });
});

describe('what a site’s own build does about a fault', () => {
  const page = '# X\n\n[no](gone.md)\n[nor](index.md#nowhere)\n';
  const docusaurus = (settings: string) => ({
    'docusaurus.config.js': `export default { presets: [['classic', {}]], ${settings} };\n`,
    'docs/index.md': page,
  });
  const mkdocs = (settings: string) => ({
    'mkdocs.yml': `site_name: X\n${settings}`,
    'docs/index.md': page,
  });
  const vitepress = (settings: string) => ({
    '.vitepress/config.js': `export default { ${settings} };\n`,
    'index.md': page,
  });
  it.each([
    ['Docusaurus', docusaurus(''), ['link', 'anchor']],
    ['Docusaurus', docusaurus("onBrokenLinks: 'log'"), ['anchor']],
    ['Docusaurus', docusaurus("onBrokenAnchors: 'ignore'"), ['link']],
    ['MkDocs', mkdocs(''), ['link', 'anchor']],
    ['MkDocs', mkdocs('validation:\n  links:\n    not_found: ignore\n'), ['anchor']],
    ['MkDocs', mkdocs('validation:\n  anchors: ignore\n'), ['link']],
    ['VitePress', vitepress(''), ['link']],
    ['VitePress', vitepress('ignoreDeadLinks: true'), []],
  ])('%s: its settings decide (%#)', (_kind, files, rules) => {
    expect(testSite(files).findings.map(({ rule }) => rule)).toEqual(rules);
  });

  it('tells what stops it from what it only says', () => {
    const checks = (files: Record<string, string>) => testSite(files).site.ownChecks;
    expect(checks(docusaurus("onBrokenAnchors: 'throw'")).anchors).toBe('stops');
    expect(checks(docusaurus('')).anchors).toBe('warns');
    const strict = 'validation:\n  nav:\n    omitted_files: warn\n  links:\n    anchors: warn\n';
    expect(checks(mkdocs(strict))).toMatchObject({ orphans: 'stops', anchors: 'stops' });
  });
});

it('names a kind in its folder and in two registries only', () => {
  const root = join(import.meta.dirname, '..', '..');
  const rooms = ['activities', 'agent', 'api', 'cli', 'dashboard/src', 'db', 'search', 'sites'];
  // Other things have these names as well.
  const names = KINDS.map(({ name }) => name).filter(
    name => !/sphinx|folder|docs\.json/.test(name),
  );
  const literal = new RegExp(`['"](?:${names.join('|')})['"]`);
  const found = rooms
    .flatMap(room => sourcesIn(join(root, room)))
    .filter(file => literal.test(readFileSync(file, 'utf8')))
    .map(file => file.slice(root.length + 1))
    // The policy has tables of its own: what may be published does not follow how a site is read.
    .filter(file => !/^(?:sites\/kinds|agent\/policy)\//.test(file));
  expect(found).toEqual([]);
});

function sourcesIn(folder: string): string[] {
  return readdirSync(folder).flatMap(name => {
    const path = join(folder, name);
    if (name === 'node_modules' || name === 'dist') return [];
    return statSync(path).isDirectory() ? sourcesIn(path) : /\.tsx?$/.test(name) ? [path] : [];
  });
}
