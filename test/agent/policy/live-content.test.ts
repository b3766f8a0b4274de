import { policyViolations } from '../../../agent/policy/policy.ts';
import { openWorkspace } from '../../../agent/workspace.ts';
import { memorySnapshot } from '../../support/memory-snapshot.ts';
import { DRAWINGS, FILES, FRONT_MATTER, INSTRUCTIONS, LIVE, NAVIGATION } from './more-tricks.ts';
import { SECRET_FORMATS } from './secret-formats.ts';
import type { Edits } from './tricks.ts';

const BASE = {
  'docs/docs.json': '{}',
  'docs/plain.md': '# Plain\n',
  'docs/drawing.md': '![a](images/a.svg)\n',
  'package.json': '{}',
};

async function found(edits: Edits, base: Record<string, string | Buffer> = BASE) {
  const bytes = Object.entries(edits).map(
    ([path, content]) => [path, content === null ? null : Buffer.from(content)] as const,
  );
  const workspace = openWorkspace(memorySnapshot(base), new Map(bytes));
  return policyViolations(workspace, { docsFolder: 'docs', allowMdxCode: false });
}

async function rules(...args: Parameters<typeof found>): Promise<string[]> {
  return [...new Set((await found(...args)).map(({ rule }) => rule))];
}

describe('files that a build or an agent would read', () => {
  it.each([...FILES, ...INSTRUCTIONS])('%s: %s', async (_, rule, edits) => {
    expect(await rules(edits)).toContain(rule);
  });
});

describe('what is live in some renderer', () => {
  it.each(LIVE)('in Markdown: %s: %s', async (_, rule, text) => {
    expect(await rules({ 'docs/plain.md': `# Plain\n\n${text}\n` })).toContain(rule);
  });

  it.each(LIVE)('the same in MDX is refused, or text to MDX: %s', async (name, _rule, text) => {
    const refused = await rules({ 'docs/new.mdx': `# Plain\n\n${text}\n` });
    expect(TEXT_IN_MDX.includes(name) || refused.length > 0).toBe(true);
  });

  it.each(FRONT_MATTER)('front matter: %s: %s', async (_, rule, text) => {
    expect(await rules({ 'docs/plain.md': text })).toContain(rule);
  });

  it.each(DRAWINGS)('a drawing with %s', async (_, text) => {
    expect(await rules({ 'docs/images/a.svg': text })).toEqual(['script']);
  });

  it('says rule, line and what to write instead', async () => {
    const [violation] = await found({ 'docs/plain.md': '# Plain\n\nText <script>1</script>\n' });
    expect(violation).toEqual({
      path: 'docs/plain.md',
      rule: 'script',
      message:
        'Line 3 adds an element <script>, which this project does not allow. ' +
        'Leave it out, or show it in a code block.',
    });
  });
});

/** What only other renderers act on, so that an `.mdx` file with it is plain text or an error. */
const TEXT_IN_MDX = [
  'a template of Vue in entities',
  'a template of Vue escaped',
  'a code block that HTML swallows',
  'a code span in HTML',
  'an escaped tag',
];

describe('the navigation file', () => {
  it.each(NAVIGATION)('%s', async (_, value) => {
    expect(await rules({ 'docs/docs.json': JSON.stringify(value) })).toEqual(['navigation']);
  });

  it('may not be deleted, and no member may be there twice', async () => {
    expect(await rules({ 'docs/docs.json': null })).toEqual(['navigation']);
    const twice = '{"navigation": {"pages": ["plain"]}, "navigation": {"pages": []}}';
    expect(await rules({ 'docs/docs.json': twice })).toEqual(['navigation']);
  });

  it('keeps what the base has, dangerous or not', async () => {
    const value = { head: 'x', redirects: [{ source: '/a', destination: 'https://b.example' }] };
    const base = { ...BASE, 'docs/docs.json': JSON.stringify(value) };
    const edited = { ...value, navigation: { pages: ['plain'] } };
    expect(await rules({ 'docs/docs.json': JSON.stringify(edited, null, 2) }, base)).toEqual([]);
  });
});

describe('secrets', () => {
  it.each(SECRET_FORMATS)('%s', async (_, secret) => {
    const violations = await found({ 'docs/plain.md': `# Plain\n\nUse \`${secret}\` here.\n` });
    expect(violations.map(({ rule }) => rule)).toEqual(['secret']);
    expect(JSON.stringify(violations)).not.toContain(secret.slice(-12));
  });

  it('a value that stands on a page of the base is no finding, one from a hidden file is', async () => {
    const secret = SECRET_FORMATS[5]?.[1] ?? '';
    const text = `Use \`${secret}\`.\n`;
    expect(await rules({ 'docs/plain.md': text }, { ...BASE, 'docs/b.md': text })).toEqual([]);
    expect(await rules({ 'docs/plain.md': text }, { ...BASE, '.env': text })).toEqual(['secret']);
  });
});

describe('images and other files', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const SHAPES =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>.a{fill:#fff}</style>' +
    '<g fill="url(#b)"><path class="a" d="M0 0"/><text>a &amp; b</text></g></svg>';

  it('are judged by their bytes, and by whether a page shows them', async () => {
    const shown = { 'docs/plain.md': '![a](a.png)\n' };
    expect(await rules({ ...shown, 'docs/a.png': PNG })).toEqual([]);
    expect(await rules({ ...shown, 'docs/a.png': '<script>1</script>' })).toEqual(['binary']);
    expect(await rules({ 'docs/a.png': PNG })).toEqual(['unused-file']);
    expect(await rules({ 'docs/images/a.svg': SHAPES })).toEqual([]);
    expect(await rules({ 'docs/images/b.svg': SHAPES })).toEqual(['unused-file']);
  });

  it('of types that the site does not use are refused', async () => {
    const edits = {
      'docs/plain.md': '[a](a.pdf)\n',
      'docs/a.pdf': Buffer.from('%PDF-1.7\n%\xe2\xe3\n', 'latin1'),
    };
    expect(await rules(edits)).toContain('file-type');
    expect(await rules(edits, { ...BASE, 'docs/b.pdf': '%PDF-1.7\n' })).toEqual([]);
  });
});

describe('files that a project allows beside', () => {
  const workspace = (edits: Record<string, string>) =>
    openWorkspace(
      memorySnapshot(BASE),
      new Map(Object.entries(edits).map(([path, text]) => [path, Buffer.from(text)])),
    );
  const judge = async (allowPaths: string[], edits: Record<string, string>) =>
    (
      await policyViolations(workspace(edits), {
        docsFolder: 'docs',
        allowMdxCode: false,
        allowPaths,
      })
    ).map(({ rule }) => rule);

  it.each([
    ['docs/data/*.json', { 'docs/data/a.json': '{}' }, []],
    ['data/*.json', { 'docs/data/a.json': '{}' }, []],
    ['docs/data/*.json', { 'docs/b.json': '{}' }, ['file-type']],
    ['README.md', { 'README.md': '# a\n' }, []],
    ['README.md', { 'README.md': '<script>1</script>\n' }, ['script']],
    ['**', { '.github/workflows/a.yml': 'on: push\n' }, ['protected-path']],
    ['.github/**', { '.github/workflows/a.yml': 'on: push\n' }, ['protected-path']],
    ['**', { 'docs/.cursor/rules.md': 'x\n' }, ['protected-path']],
    ['**', { 'docs/a/../../x': 'x\n' }, ['unsafe-path']],
  ])('%s: %j', async (glob, edits, expected) => {
    expect(await judge([glob], edits as Record<string, string>)).toEqual(expected);
  });
});

describe('navigation in the files of other generators', () => {
  const MKDOCS = 'site_name: A\nnav:\n  - Home: index.md\nplugins:\n  - search\n';
  const SIDEBARS = "module.exports = {\n  docs: ['index'],\n};\n";
  const DOCUSAURUS = {
    'docusaurus.config.js':
      "module.exports = { title: 'A', url: 'https://a.example', baseUrl: '/', " +
      "presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]] };\n",
    'sidebars.js': SIDEBARS,
    'docs/index.md': '# A\n',
    'docs/b.md': '# B\n',
  };
  const MDBOOK = {
    'book.toml': '[book]\ntitle = "A"\nsrc = "docs"\n',
    'docs/SUMMARY.md': '# Summary\n\n- [A](a.md)\n',
    'docs/a.md': '# A\n',
  };
  const PAGES = { 'mkdocs.yml': MKDOCS, 'docs/index.md': '# A\n', 'docs/b.md': '# B\n' };

  it.each<[string, Record<string, string>, Edits, string[]]>([
    ['an entry', PAGES, { 'mkdocs.yml': MKDOCS.replace('plugins', '  - B: b.md\nplugins') }, []],
    ['a hook', PAGES, { 'mkdocs.yml': `${MKDOCS}hooks:\n  - a.py\n` }, ['navigation']],
    ['a script', PAGES, { 'mkdocs.yml': `${MKDOCS}extra_javascript: [a.js]\n` }, ['navigation']],
    ['no file', PAGES, { 'mkdocs.yml': null }, ['navigation']],
    ['an item', DOCUSAURUS, { 'sidebars.js': SIDEBARS.replace("'index'", "'index', 'b'") }, []],
    [
      'a call',
      DOCUSAURUS,
      { 'sidebars.js': SIDEBARS.replace("'index'", "'index', require('fs')") },
      ['navigation'],
    ],
    ['a statement', DOCUSAURUS, { 'sidebars.js': `${SIDEBARS}fetch('/');\n` }, ['navigation']],
    [
      'a configuration',
      DOCUSAURUS,
      { 'docusaurus.config.js': 'module.exports = { scripts: ["//evil.example"] };\n' },
      ['navigation'],
    ],
    ['a chapter', MDBOOK, { 'docs/SUMMARY.md': '# Summary\n\n- [A](a.md)\n- [B](b.md)\n' }, []],
    [
      'a preprocessor',
      MDBOOK,
      { 'book.toml': `${MDBOOK['book.toml']}[preprocessor.x]\ncommand = "id"\n` },
      ['navigation'],
    ],
  ])('%s', async (_, base, edits, expected) => {
    expect(await rules(edits, base)).toEqual(expected);
  });
});
