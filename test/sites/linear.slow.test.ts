import { pathMatcher } from '../../sites/glob.ts';
import { readSite } from '../../sites/kinds/registry.ts';
import { pageSections } from '../../search/indexing/sections.ts';
import { shownOutline } from '../../sites/kinds/includes.ts';
import { checkSite } from '../../sites/check-site.ts';
import { parsePage } from '../../sites/markdown.ts';
import { sourceOf, type SiteFiles, testSite } from '../support/site-files.ts';

/** Far more than any of these needs; a quadratic pattern takes minutes. */
const BOUND_MS = 5_000;
const LONG = 100_000;

const KINDS: [string, string, SiteFiles][] = [
  ['docs.json', 'p.mdx', { 'docs.json': { navigation: { pages: ['p'] } } }],
  [
    'docusaurus',
    'docs/p.md',
    { 'docusaurus.config.js': 'module.exports = { presets: ["classic"] };' },
  ],
  ['mkdocs', 'docs/p.md', { 'mkdocs.yml': 'site_name: X\n' }],
  ['vitepress', 'p.md', { '.vitepress/config.ts': 'export default {};' }],
  [
    'starlight',
    'src/content/docs/p.md',
    {
      'astro.config.mjs':
        'import starlight from "x"; export default { integrations: [starlight({})] };',
    },
  ],
  ['mdbook', 'src/p.md', { 'book.toml': '', 'src/SUMMARY.md': '- [P](p.md)\n' }],
  ['hugo', 'content/p.md', { 'hugo.toml': '' }],
  ['sphinx', 'p.md', { 'conf.py': 'project = "X"\nextensions = ["myst_parser"]\n' }],
  ['folder', 'p.md', {}],
];

const HEADINGS: [string, string][] = [
  ['spaces', `a${' '.repeat(LONG)}b`],
  ['braces', '{#'.repeat(LONG / 2)],
  ['closed braces', `${'{# '.repeat(LONG / 3)}}`],
  ['shortcodes', '{{<'.repeat(LONG / 3)],
  ['marks', '# '.repeat(LONG / 2)],
  ['tags', '<h1 '.repeat(LONG / 4)],
];

/** What looks like parts of other files. */
const PARTS: [string, string][] = [
  [
    'parts',
    `\n\nimport P from './p.md'\n\n${'<P a="'.repeat(LONG / 6)}\n\n${'<P '.repeat(LONG / 3)}`,
  ],
  ['includes', `\n\n${'{{#include '.repeat(LONG / 11)}\n\n{{#include ${'a'.repeat(LONG)}`],
  ['fences', `\n\n${'```{include} a\n'.repeat(LONG / 20)}${'<<< '.repeat(LONG / 4)}`],
  ['snippets', `\n\n${'--8<--\n'.repeat(LONG / 7)}${'--8<-- "'.repeat(LONG / 8)}`],
];

describe.each(KINDS)('a heading of 100 KB on a site of %s', (kind, file, files) => {
  it.each([...HEADINGS, ...PARTS])('of %s takes no time', (_, heading) => {
    const source = sourceOf({ ...files, [file]: `# T\n\n## ${heading}\n\n### Next\n` });
    const started = performance.now();
    const site = readSite(source);
    expect(site?.kind).toBe(kind);
    if (site) checkSite(source, site, true);
    for (const page of site?.pages ?? []) site?.headingIds(shownOutline(site, page.file));
    expect(performance.now() - started).toBeLessThan(BOUND_MS);
  });
});

describe('patterns that a repository writes', () => {
  const hostile = `${'a'.repeat(200)}.md`;

  it('are globs that take linear time', () => {
    const started = performance.now();
    for (const glob of [
      `${'*a'.repeat(60)}b`,
      '+(a|aa)'.repeat(10),
      `${'{a,aa}*'.repeat(20)}b`,
      '**/'.repeat(50),
    ])
      expect(pathMatcher(glob)(hostile)).toBe(false);
    expect(performance.now() - started).toBeLessThan(BOUND_MS);
  });

  it.each([
    ['*.md', 'a.md', true],
    ['*.md', 'b/a.md', false],
    ['**/*.md', 'b/c/a.md', true],
    ['**/_*/**', 'x/_y/z.md', true],
    ['b/**', 'b/c/a.md', true],
    ['**/*.{js,jsx}', 'a/b.jsx', true],
    ['@(a|b).md', 'b.md', true],
    ['!(a).md', 'a.md', false],
    ['!a.md', 'b.md', true],
    ['[ab]?.md', 'ac.md', true],
    ['(draft).md', '(draft).md', true],
    ['*.md', '.a.md', false],
  ])('%s and %s: %s', (glob, path, expected) => {
    expect(pathMatcher(glob)(path)).toBe(expected);
  });

  it('are rewrites of VitePress, with expressions of their own', () => {
    const started = performance.now();
    const { paths } = testSite({
      '.vitepress/config.ts': `export default { rewrites: { ':all((?:a|aa)*)b.md': 'x.md', ':lang(en|de)/:rest*': ':rest*' } };`,
      [hostile]: '',
      'de/guide/a.md': '',
    });
    expect(paths['de/guide/a.md']).toBe('/guide/a');
    expect(performance.now() - started).toBeLessThan(BOUND_MS);
  });

  it('are exclusions of MkDocs', () => {
    const started = performance.now();
    const { paths } = testSite({
      'mkdocs.yml':
        'plugins:\n  - exclude:\n      glob: ["drafts/*"]\n      regex: ["(a+)+$", "old-.*"]\n',
      [`docs/${hostile}`]: '',
      'docs/drafts/x/y.md': '',
      'docs/old-a.md': '',
      'docs/new.md': '',
    });
    expect(Object.keys(paths)).toEqual([`docs/${hostile}`, 'docs/new.md']);
    expect(performance.now() - started).toBeLessThan(BOUND_MS);
  });
});

it.each(['a\n===\n', 'a\n-\n\n', '> a\n> ==\r\n'])('a page of %j takes no time', lines => {
  const started = performance.now();
  const { error } = parsePage('a.md', lines.repeat(LONG / lines.length));
  expect(error?.message).toContain('Too many underlined headings');
  expect(performance.now() - started).toBeLessThan(BOUND_MS);
});

it('sections of a page for search take no time', () => {
  const started = performance.now();
  for (const [, heading] of HEADINGS) {
    const page = parsePage('a.md', `## ${heading}\n\nText.\n`);
    if (page.tree) pageSections(page.tree, 'T');
  }
  expect(performance.now() - started).toBeLessThan(BOUND_MS);
});

it('2,000 dead links and 40,000 rules of a host take no time', () => {
  const started = performance.now();
  const { errors } = testSite({
    'book.toml': '',
    'src/SUMMARY.md': '- [P](p.md)\n',
    'src/p.md': Array.from({ length: 2_000 }, (_, i) => `[a](/dead-${i})\n\n`).join(''),
    _redirects: Array.from({ length: 20_000 }, (_, i) => `/a${i}/* /b\n/c${i} /b\n`).join(''),
  });
  expect(errors).toHaveLength(2_000);
  expect(performance.now() - started).toBeLessThan(2 * BOUND_MS);
});

it('lines of 80,000 links in one block, and of 20,000 redirects, take no time', () => {
  const started = performance.now();
  const { errors } = testSite({
    'docs.json': JSON.stringify(
      {
        navigation: { pages: ['index'] },
        redirects: Array.from({ length: 20_000 }, (_, i) => ({
          source: `/old-${i}`,
          destination: i === 19_999 ? '/gone' : '/',
        })),
      },
      null,
      1,
    ),
    'index.md': `<div>\n${'<a href="/">x</a>\n'.repeat(80_000)}<a href="/gone">x</a>\n</div>\n`,
  });
  expect(errors).toEqual(['docs.json:80004 redirect /gone', 'index.md:80002 link /gone']);
  expect(performance.now() - started).toBeLessThan(2 * BOUND_MS);
});

it('dead links on a site whose host has 20,000 redirects take no time', () => {
  const started = performance.now();
  const numbers = Array.from({ length: 20_000 }, (_, i) => i);
  const { errors } = testSite({
    'docs.json': JSON.stringify({ navigation: { pages: ['index'] } }),
    _redirects: numbers.map(i => `/old-${i} / 301\n`).join(''),
    'index.md': numbers.map(i => `[a](/old-${i}) [b](/gone-${i})\n`).join(''),
  });
  expect(errors).toHaveLength(20_000);
  expect(errors[0]).toBe('index.md:1 link /gone-0');
  expect(performance.now() - started).toBeLessThan(2 * BOUND_MS);
});
