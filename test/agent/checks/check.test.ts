import { checkWorkspace } from '../../../agent/checks/check.ts';
import { openWorkspace } from '../../../agent/workspace.ts';
import { memorySnapshot } from '../../support/memory-snapshot.ts';

const BASE: Record<string, string> = {
  'docs/docs.json':
    '{\n  "navigation": { "groups": [{ "group": "A", "pages": ["index", "guides/install", "gone-before"] }] },\n  "redirects": [{ "source": "/old/:slug", "destination": "/guides/install" }]\n}\n',
  'docs/index.mdx':
    '---\ntitle: Home\ndescription: Start here\n---\n\n# Home\n\n[install](/guides/install#npm) [broken before](/nowhere) ![logo](/logo.png)\n',
  'docs/guides/install.mdx':
    '---\ntitle: Install\n---\n\n# Install\n\n## npm\n\n[home](../index.mdx)\n\n## Setup\n',
  'docs/guides/plain.md':
    '---\ntitle: Plain\n---\n\nSee [npm](install#npm) and `[not a link](install#npm)`.\n',
  'docs/broken.mdx': '---\ntitle: Broken\n---\n\n<Card>\n',
  'docs/logo.png': 'png',
  'src/app.ts': 'x',
};

type Edits = Record<string, string | null | ((base: string) => string)>;

async function check(
  edits: Edits,
  { base = BASE, paths }: { base?: Record<string, string>; paths?: string[] } = {},
) {
  const workspace = openWorkspace(memorySnapshot(base), new Map());
  for (const [path, edit] of Object.entries(edits)) {
    if (edit === null) workspace.remove(path);
    else workspace.write(path, typeof edit === 'string' ? edit : edit(base[path] ?? ''));
  }
  const findings = await checkWorkspace(workspace, { docsFolder: 'docs' }, paths);
  return findings.map(
    ({ severity, path, line, rule, message }) =>
      `${severity} ${path}:${line ?? ''} ${rule}: ${message}`,
  );
}

const INSTALL = 'docs/guides/install.mdx';
const append = (text: string) => (base: string) => `${base}\n${text}\n`;

describe('what the job did not break', () => {
  it.each<[string, Edits]>([
    ['no edit', {}],
    [
      'an edit beside an old broken link',
      { 'docs/index.mdx': base => base.replace('# Home', '# Welcome') },
    ],
    ['an edit of a page that never parsed', { 'docs/broken.mdx': append('more') }],
    [
      'an edit of a navigation that had a dead entry',
      { 'docs/docs.json': base => base.replace('"group": "A"', '"group": "B"') },
    ],
    [
      'a move with an old broken link',
      {
        'docs/index.mdx': null,
        'docs/welcome.mdx': BASE['docs/index.mdx'] ?? '',
        'docs/docs.json': base => base.replace('"index"', '"welcome"'),
        [INSTALL]: base => base.replace('../index.mdx', '../welcome.mdx'),
      },
    ],
    ['an edit undone', { 'docs/index.mdx': base => base }],
    [
      'a new page that is listed',
      {
        'docs/new.mdx':
          '---\ntitle: New\n---\n\n[a](/guides/install) [b](/old/x) [c](#top) [d](https://x.example) [e](mailto:a@b.example) ![f](logo.png)\n',
        'docs/docs.json': base => base.replace('"index"', '"index", "new"'),
      },
    ],
    ['a file outside the docs', { 'src/app.ts': 'y' }],
    ['links in code', { [INSTALL]: append('`[a](/no)`\n\n```md\n[a](/no) <Card>\n```') }],
  ])('%s', async (_, edits) => {
    expect(await check(edits)).toEqual([]);
  });
});

describe('what the job broke', () => {
  it.each<[string, Edits, (string | RegExp)[]]>([
    [
      'MDX',
      { [INSTALL]: append('<Card>') },
      [/^error docs\/guides\/install\.mdx:13 mdx: Expected a closing tag/],
    ],
    ['an expression', { [INSTALL]: append('{1 +') }, [/^error docs\/guides\/install\.mdx:\d+ mdx/]],
    [
      'frontmatter',
      { [INSTALL]: base => base.replace('title: Install', 'title: "Install') },
      [/^error docs\/guides\/install\.mdx:2 frontmatter/],
    ],
    [
      'the title',
      { [INSTALL]: base => base.replace('title: Install', 'name: Install') },
      ['error docs/guides/install.mdx:1 frontmatter: The frontmatter no longer has `title`.'],
    ],
    [
      'an empty title',
      { [INSTALL]: base => base.replace('title: Install', 'title:') },
      ['error docs/guides/install.mdx:1 frontmatter: The frontmatter no longer has `title`.'],
    ],
    [
      'another member',
      { 'docs/index.mdx': base => base.replace('description: Start here\n', '') },
      ['warning docs/index.mdx:1 frontmatter: The frontmatter no longer has `description`.'],
    ],
    [
      'a new page without a title',
      { 'docs/sub/new.md': 'x\n' },
      [
        'error docs/sub/new.md:1 frontmatter: The page needs frontmatter with a title, as the other pages have.',
      ],
    ],
    [
      'a link',
      { [INSTALL]: append('[a](/guides/instal)') },
      [
        'error docs/guides/install.mdx:13 link: /guides/instal leads nowhere: /guides/instal does not exist. Nearest: docs/guides/install.mdx, docs/guides/plain.md.',
      ],
    ],
    [
      'a relative link',
      { [INSTALL]: append('[a](./plane.md)') },
      [
        /link: \.\/plane\.md leads nowhere: \.\/plane\.md does not exist\. Nearest: docs\/guides\/plain\.md/,
      ],
    ],
    [
      'a link out of the repository',
      { [INSTALL]: append('[a](../../../x.md)') },
      [/link: \.\.\/\.\.\/\.\.\/x\.md leads nowhere/],
    ],
    [
      'a link in JSX',
      { [INSTALL]: append('<Card href="/nope" />') },
      [/^error docs\/guides\/install\.mdx:13 link: \/nope/],
    ],
    [
      'an image in HTML',
      { [INSTALL]: append('<img src="/nope.png" />') },
      [/^error docs\/guides\/install\.mdx:13 link: \/nope\.png/],
    ],
    [
      'an import',
      { [INSTALL]: append("import Part from '/snippets/part.mdx'") },
      [/^error docs\/guides\/install\.mdx:13 link: \/snippets\/part\.mdx leads nowhere/],
    ],
    [
      'an image',
      { [INSTALL]: append('![a](/logo.svg)') },
      [/^error docs\/guides\/install\.mdx:13 link: \/logo\.svg/],
    ],
    [
      'a second copy of a link that was broken elsewhere',
      { [INSTALL]: append('[a](/nowhere)') },
      [/link: \/nowhere/],
    ],
    [
      'an anchor',
      { 'docs/guides/plain.md': append('[a](/guides/install#pnpm) [b](#nope)') },
      [
        /^warning docs\/guides\/plain\.md:7 anchor: \/guides\/install#pnpm/,
        /^warning docs\/guides\/plain\.md:7 anchor: #nope/,
      ],
    ],
    [
      'an anchor that unchanged pages link to',
      { [INSTALL]: base => base.replace('## npm', '## With npm') },
      [
        /^error docs\/guides\/plain\.md:5 anchor: install#npm/,
        /^error docs\/index\.mdx:8 anchor: \/guides\/install#npm/,
      ],
    ],
    [
      'a page that unchanged pages link to',
      { [INSTALL]: null },
      [
        /^error docs\/docs\.json:2 navigation: The navigation names guides\/install, which does not exist/,
        /^error docs\/docs\.json:3 navigation: The redirect from \/old\/:slug leads to \/guides\/install/,
        /^error docs\/guides\/plain\.md:5 link: install#npm/,
        /^error docs\/index\.mdx:8 link: \/guides\/install#npm/,
      ],
    ],
    [
      'an image that unchanged pages show',
      { 'docs/logo.png': null },
      [/^error docs\/index\.mdx:8 link: \/logo\.png/],
    ],
    [
      'an old link, by moving its page',
      {
        [INSTALL]: null,
        'docs/install.mdx': BASE[INSTALL] ?? '',
        'docs/index.mdx': base => base.replace('/guides/install', '/install'),
        'docs/guides/plain.md': base => base.replace('(install', '(../install'),
        'docs/docs.json': base => base.replaceAll('guides/install', 'install'),
      },
      [/^error docs\/install\.mdx:9 link: \.\.\/index\.mdx/],
    ],
    [
      'JSON',
      { 'docs/docs.json': base => base.replace('"groups": [', '"groups": ') },
      [/^error docs\/docs\.json:2 navigation: docs\/docs\.json is not valid JSON/],
    ],
    [
      'an entry',
      { 'docs/docs.json': base => base.replace('"index"', '"index", "guides/instal"') },
      [
        /^error docs\/docs\.json:2 navigation: The navigation names guides\/instal, which does not exist\. Nearest: docs\/guides\/install\.mdx/,
      ],
    ],
    [
      'the navigation file',
      { 'docs/docs.json': null },
      ['error docs/docs.json: navigation: The navigation file is gone.'],
    ],
    [
      'a redirect',
      {
        'docs/docs.json': base =>
          base.replace('[{ "source"', '[{ "source": "/a", "destination": "/b" }, { "source"'),
      },
      [/The redirect from \/a leads to \/b, which does not exist/],
    ],
    [
      'what a reader finds',
      { 'docs/new.mdx': '---\ntitle: New\n---\n' },
      ['warning docs/new.mdx: navigation: No navigation entry leads to this new page.'],
    ],
  ])('%s', async (_, edits, expected) => {
    const findings = await check(edits);
    expect(findings).toHaveLength(expected.length);
    for (const [index, finding] of findings.entries())
      expect(finding).toMatch(expected[index] ?? /^$/);
  });

  it.each<[listed: string[], expected: string[]]>([
    [['index', 'a/one', 'a/two'], ['warning docs/b/new.mdx: navigation: No navigation entry']],
    [['index', 'a/one'], []],
  ])('a new page in a folder of its own, where %j of four are listed', async (listed, expected) => {
    const navigation = { groups: [{ group: 'A', pages: listed }] };
    const page = '---\ntitle: Page\n---\n';
    const base = {
      'docs/docs.json': JSON.stringify({ navigation }),
      ...Object.fromEntries(
        ['index', 'a/one', 'a/two', 'b/three'].map(path => [`docs/${path}.mdx`, page]),
      ),
    };
    const found = await check({ 'docs/b/new.mdx': '---\ntitle: New\n---\n' }, { base });
    expect(found.map(text => text.slice(0, expected[0]?.length))).toEqual(expected);
  });

  it('links that only a lost redirect kept alive', async () => {
    const base = { ...BASE, 'docs/guides/plain.md': '---\ntitle: Plain\n---\n\n[a](/old/x)\n' };
    expect(
      await check(
        { 'docs/docs.json': text => text.replace('/old/:slug', '/older/:slug') },
        { base },
      ),
    ).toEqual([expect.stringMatching(/^error docs\/guides\/plain\.md:5 link: \/old\/x/)]);
  });

  it('names only the paths that were asked for', async () => {
    const edits = { [INSTALL]: append('[a](/no)'), 'docs/guides/plain.md': append('[a](/no)') };
    expect(await check(edits, { paths: ['docs/guides/plain.md'] })).toEqual([
      expect.stringContaining('docs/guides/plain.md:7 link: /no'),
    ]);
  });
});

it('reads each of a thousand pages once', async () => {
  const text = Array.from(
    { length: 40 },
    (_, i) => `## Heading ${i}\n\nSome text with a [link](/page-${i * 20}) and \`code\`.\n`,
  ).join('\n');
  const pages = Object.fromEntries(
    Array.from({ length: 1000 }, (_, i) => [
      `docs/page-${i}.mdx`,
      `---\ntitle: Page ${i}\n---\n\n${text}\n[next](/page-${(i + 1) % 1000}#heading-3)\n`,
    ]),
  );
  const snapshot = memorySnapshot(pages);
  const read: string[] = [];
  const workspace = openWorkspace(
    {
      ...snapshot,
      read: path => {
        read.push(path);
        return snapshot.read(path);
      },
    },
    new Map(),
  );
  workspace.write('docs/page-7.mdx', `${pages['docs/page-7.mdx']}\n[bad](/page-1000)\n`);
  expect(await checkWorkspace(workspace, { docsFolder: 'docs' })).toHaveLength(1);

  read.length = 0;
  workspace.write('docs/page-7.mdx', `${pages['docs/page-7.mdx']}\n[worse](/page-1001)\n`);
  expect(await checkWorkspace(workspace, { docsFolder: 'docs' })).toHaveLength(1);
  expect(read.length).toBeLessThan(20);

  workspace.remove('docs/page-501.mdx');
  const checkDeletion = async () =>
    (await checkWorkspace(workspace, { docsFolder: 'docs' })).map(({ path }) => path);
  expect(await checkDeletion()).toEqual(['docs/page-500.mdx', 'docs/page-7.mdx']);
  expect(read.length).toBeLessThan(1_040);
  read.length = 0;
  expect(await checkDeletion()).toEqual(['docs/page-500.mdx', 'docs/page-7.mdx']);
  expect(read.length).toBeLessThan(20);
});
