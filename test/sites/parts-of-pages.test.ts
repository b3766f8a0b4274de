import { shownText } from '../../sites/kinds/includes.ts';
import { type SiteFiles, testSite } from '../support/site-files.ts';

const SPHINX = { 'conf.py': 'project = "X"\nextensions = ["myst_parser"]\n' };
const DOCS_JSON = { 'docs.json': { navigation: { pages: ['p'] } } };
const MKDOCS = { 'mkdocs.yml': 'site_name: X\n' };

function shown(files: SiteFiles, page: string): string {
  const { site, source } = testSite(files);
  return shownText(site, source, page);
}

describe('a part that would be far longer than its file is not shown', () => {
  it.each<[string, string, SiteFiles]>([
    [
      'lines that MyST names again and again',
      'p.md',
      {
        ...SPHINX,
        'p.md': `# T\n\n\`\`\`{literalinclude} a.py\n:lines: ${'1-,'.repeat(5_000)}\n\`\`\`\n`,
        'a.py': '\n'.repeat(100_000),
      },
    ],
    [
      'a long attribute of a part in MDX',
      'p.mdx',
      {
        ...DOCS_JSON,
        'p.mdx': `import P from './a.mdx'\n\n<P a="${'y'.repeat(499)}" />\n`,
        'a.mdx': '{a}'.repeat(300_000),
      },
    ],
    [
      'a long argument of a shortcode',
      'content/p.md',
      {
        'hugo.toml': '',
        'content/p.md': `# T\n\n{{< t "${'y'.repeat(100_000)}" >}}\n`,
        'layouts/shortcodes/t.html': 'Words {{ .Get 0 }}'.repeat(6_000),
      },
    ],
  ])('%s', (_, page, files) => {
    const written = files[page];
    // Only the statement that imports it is gone.
    const kept = typeof written === 'string' ? written.replace(/^import .*/, '').trim() : undefined;
    expect(shown(files, page).trim()).toBe(kept);
  });
});

it('a large file that every page shows is shown by some of them', () => {
  const names = Array.from({ length: 50 }, (_, i) => `p${i}`);
  const { site, source } = testSite({
    'book.toml': '',
    'src/SUMMARY.md': names.map(name => `- [P](${name}.md)\n`).join(''),
    'src/big.txt': 'x'.repeat(900_000),
    ...Object.fromEntries(names.map(name => [`src/${name}.md`, '{{#include big.txt}}\n'])),
  });
  const lengths = site.pages.map(({ file }) => shownText(site, source, file).length);
  expect(lengths.filter(length => length > 900_000).length).toBeGreaterThan(10);
  expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(33_000_000);
  // Asked again, the first ones are as they were.
  expect(shownText(site, source, site.pages[0]?.file ?? '').length).toBe(lengths[0]);
});

it('many lines of a long file are shown', () => {
  const text = shown(
    {
      'book.toml': '',
      'src/SUMMARY.md': '- [P](p.md)\n',
      'src/p.md': Array.from({ length: 30 }, (_, i) => `{{#include a.rs:${i + 1}}}\n`).join(''),
      'src/a.rs': Array.from({ length: 30 }, (_, i) => `line ${i} ${'x'.repeat(5_000)}\n`).join(''),
    },
    'src/p.md',
  );
  expect(text).toContain('line 29');
});

describe('parts that are cut', () => {
  const files = {
    ...MKDOCS,
    'docs/a.md': 'First\n<!--s-->\nA\n\nB\n<!--e-->\nLast\n',
  };

  it.each([
    ['start="<!--s-->"', 'A\n\nB\n<!--e-->\nLast'],
    ['end="<!--e-->"', 'First\n<!--s-->\nA\n\nB'],
    ['start="<!--s-->" end="<!--e-->"', 'A\n\nB'],
  ])('include-markdown with %s', (options, expected) => {
    const page = `# T\n\n{% include-markdown "./a.md" ${options} %}\n`;
    expect(shown({ ...files, 'docs/p.md': page }, 'docs/p.md')).toBe(`# T\n\n${expected}\n`);
  });

  it.each<[string, SiteFiles, string]>([
    [
      'an include of MyST',
      { ...SPHINX, 'p.md': '# T\r\n\r\n```{include} a.txt\r\n:start-after: S\r\n```\r\n' },
      'p.md',
    ],
    [
      'a list of snippets',
      { ...MKDOCS, 'docs/p.md': '# T\r\n\r\n--8<--\r\na.txt\r\n--8<--\r\n' },
      'docs/p.md',
    ],
  ])('%s with CRLF', (_, own, page) => {
    expect(shown({ ...own, 'a.txt': 'S\r\nShown\r\n' }, page)).toMatch(/^# T\r\n[^`<]*Shown\s+$/);
  });
});
