import { checkWorkspace } from '../../../agent/checks/check.ts';
import { openWorkspace } from '../../../agent/workspace.ts';
import { memorySnapshot } from '../../support/memory-snapshot.ts';
import { call, toolContext } from '../tools/context.ts';

type Files = Record<string, string>;
type Edits = Record<string, string | null>;

/** Errors alone: what comes back to the model. */
async function errors(base: Files, edits: Edits): Promise<string[]> {
  const workspace = openWorkspace(memorySnapshot(base), new Map());
  for (const [path, text] of Object.entries(edits)) {
    if (text === null) workspace.remove(path);
    else workspace.write(path, text);
  }
  const found = await checkWorkspace(workspace, { docsFolder: '' });
  return found
    .filter(({ severity }) => severity === 'error')
    .map(({ path, line, rule, message }) => `${path}:${line} ${rule}: ${message.split(':')[0]}`);
}

const VITEPRESS: Files = {
  'docs/.vitepress/config.ts': 'export default { ignoreDeadLinks: true }\n',
  'docs/index.md': '# Home\n\n[use](./use#a-part) [gone](./gone) [x](./use#no)\n',
  'docs/use.md': '# Use\n\n## A part\n\n<!--@include: ./part.md-->\n',
  'docs/part.md': 'Some text, see [home](./index.md#home).\n',
};

const MKDOCS: Files = {
  'mkdocs.yml': 'site_name: Kit\nmarkdown_extensions:\n  - pymdownx.snippets\n',
  'docs/index.md': '# Home\n\n[use](/use/) [other](/elsewhere/)\n\n<img src="use.png">\n',
  'docs/use.md': '# Use\n\n[home](index.md#home)\n',
  'docs/use.png': 'png',
};

const DOCUSAURUS: Files = {
  'docusaurus.config.js':
    'export default { title: "Kit", url: "https://kit.example", baseUrl: "/", onBrokenLinks: "ignore", onBrokenAnchors: "ignore", presets: [["classic", {}]] };\n',
  'docs/index.mdx': "---\ntitle: Home\n---\n\nimport Part from './_part.mdx';\n\n<Part />\n",
  'docs/_part.mdx': '[use](./use.md#a-part)\n',
  'docs/use.md': '---\ntitle: Use\n---\n\n## A part\n',
};

describe('what led somewhere before the job and does not now is an error', () => {
  it.each<[string, Files, Edits, string[]]>([
    [
      'an anchor that the build does not check, on a site that ignores dead links',
      VITEPRESS,
      { 'docs/use.md': '# Use\n\n## Another part\n' },
      ['docs/index.md:3 anchor: ./use#a-part'],
    ],
    [
      'an included file, and the page beside it',
      VITEPRESS,
      { 'docs/use.md': null, 'docs/part.md': null },
      [
        'docs/index.md:3 link: ./use#a-part leads nowhere',
        'docs/index.md:3 link: ./use#no leads nowhere',
      ],
    ],
    [
      'an included file',
      VITEPRESS,
      { 'docs/part.md': null },
      ['docs/use.md:5 link: ./part.md leads nowhere'],
    ],
    [
      'an anchor in included text',
      VITEPRESS,
      { 'docs/index.md': (VITEPRESS['docs/index.md'] ?? '').replace('# Home', '# Welcome') },
      ['docs/part.md:1 anchor: ./index.md#home'],
    ],
    [
      'an address that the build takes as it is, and an image in HTML',
      MKDOCS,
      { 'docs/use.md': null, 'docs/use.png': null },
      ['docs/index.md:3 link: /use/ leads nowhere', 'docs/index.md:5 link: use.png leads nowhere'],
    ],
    [
      'an import, and what the imported text links to',
      DOCUSAURUS,
      { 'docs/_part.mdx': null },
      ['docs/index.mdx:5 link: ./_part.mdx leads nowhere'],
    ],
    [
      'a link in imported text',
      DOCUSAURUS,
      { 'docs/use.md': '---\ntitle: Use\nslug: /used\n---\n\n## A piece\n' },
      ['docs/_part.mdx:1 anchor: ./use.md#a-part'],
    ],
    [
      'an address whose page has another one now, on a site that ignores dead links',
      { ...DOCUSAURUS, 'docs/index.mdx': '# Home\n\n[use](/docs/use)\n' },
      { 'docs/use.md': '---\ntitle: Use\nslug: /used\n---\n\n## A part\n' },
      ['docs/index.mdx:3 link: /docs/use leads nowhere, did you mean /docs/used ?'],
    ],
    [
      'a link that its own page lost by moving',
      VITEPRESS,
      {
        'docs/index.md': null,
        'docs/deep/index.md': VITEPRESS['docs/index.md'] ?? '',
        'docs/part.md': 'Some text.\n',
      },
      ['a-part', 'no'].map(
        id => `docs/deep/index.md:3 link: ./use#${id} leads nowhere, did you mean ../use#${id} ?`,
      ),
    ],
  ])('%s', async (_, base, edits, expected) => {
    expect(await errors(base, edits)).toEqual(expected);
  });

  it.each<[string, Files, Edits]>([
    [
      'a link that the job writes and the site ignores',
      VITEPRESS,
      { 'docs/new.md': '# New\n\n[a](./nowhere)\n' },
    ],
    [
      'an edit beside links that were dead',
      VITEPRESS,
      { 'docs/index.md': `${VITEPRESS['docs/index.md']}\nMore.\n` },
    ],
    [
      'an address that the build takes as it is, and nobody knows',
      MKDOCS,
      { 'docs/index.md': `${MKDOCS['docs/index.md']}\n[more](/more/)\n` },
    ],
  ])('but not %s', async (_, base, edits) => {
    expect(await errors(base, edits)).toEqual([]);
  });
});

describe('move_page changes only what it understands', () => {
  it('leaves imports of packages and of unknown aliases, and anchors, as they are', async () => {
    const page =
      "---\ntitle: Use\n---\n\nimport Tabs from '@theme/Tabs';\nimport Box from '@components/box';\n" +
      "import Player from 'react-player';\nimport Part from './_part.mdx';\n\n## A part\n\n<Tabs />\n";
    const context = toolContext(
      {
        ...DOCUSAURUS,
        'docs/use.mdx': page,
        'docs/other.md': '---\ntitle: Other\n---\n\n[a](./use.mdx#made-by-a-component)\n',
        'docs/use.md': '',
      },
      { docsFolder: '', allowMdxCode: true },
    );
    context.workspace.remove('docs/use.md');
    await call(context, 'move_page', { from: 'docs/use.mdx', to: 'docs/deep/down/use.mdx' });
    expect(await context.workspace.readText('docs/deep/down/use.mdx')).toBe(
      page.replace('./_part.mdx', '../../_part.mdx'),
    );
    expect(await context.workspace.readText('docs/other.md')).toContain(
      '(./deep/down/use.mdx#made-by-a-component)',
    );
  });
});
