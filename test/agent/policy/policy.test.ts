import { generateKeyPairSync } from 'node:crypto';
import { policyViolations } from '../../../agent/policy/policy.ts';
import { openWorkspace } from '../../../agent/workspace.ts';
import { memorySnapshot } from '../../support/memory-snapshot.ts';
import {
  BASE,
  BINARIES,
  type Edits,
  IN_MARKDOWN,
  IN_MDX,
  MODES,
  PATHS,
  RANDOM,
  SECRETS,
} from './tricks.ts';

async function violations(
  edits: Edits,
  {
    base = BASE,
    docsFolder = 'docs',
    allowMdxCode = false,
  }: { base?: Record<string, string | Buffer>; docsFolder?: string; allowMdxCode?: boolean } = {},
) {
  const bytes = Object.entries(edits).map(
    ([path, content]) => [path, content === null ? null : Buffer.from(content)] as const,
  );
  return policyViolations(openWorkspace(memorySnapshot(base, MODES), new Map(bytes)), {
    docsFolder,
    allowMdxCode,
  });
}

async function rules(edits: Edits, options?: Parameters<typeof violations>[1]): Promise<string[]> {
  return [...new Set((await violations(edits, options)).map(({ rule }) => rule))];
}

describe('a path that another one is alike', () => {
  const base = { 'docs/Guide.md': '# Guide\n', 'docs/Old/page.md': '# Page\n' };

  it('is free once the job has taken the other one away', async () => {
    expect(await rules({ 'docs/guide.md': '# Guide\n' }, { base })).toEqual(['path-collision']);
    expect(await rules({ 'docs/guide.md': '# G\n', 'docs/Guide.md': null }, { base })).toEqual([]);
    expect(await rules({ 'docs/old/new.md': '# N\n' }, { base })).toEqual(['path-collision']);
    expect(
      await rules({ 'docs/old/page.md': '# N\n', 'docs/Old/page.md': null }, { base }),
    ).toEqual([]);
  });

  it('is not alike below a folder whose name folds to nothing', async () => {
    const beside = { ...base, '\u3164/docs/page.md': '# Page\n' };
    expect(await rules({ 'docs/new.md': '# N\n' }, { base: beside })).toEqual([]);
  });

  it('is refused beside one that the job itself adds', async () => {
    const found = await violations({ 'docs/new.md': '# A\n', 'docs/NEW.md': '# B\n' }, { base });
    expect(found.map(({ path }) => path).toSorted()).toEqual(['docs/NEW.md', 'docs/new.md']);
  });
});

describe('a configuration of a folder of VitePress 2', () => {
  const sidebar = (link: string, more = '') =>
    "import { defineAdditionalConfig } from 'vitepress';\n\nexport default defineAdditionalConfig({\n" +
    `  themeConfig: {\n    sidebar: [{ text: 'Install', link: '${link}' }],\n${more}  },\n});\n`;
  const base = {
    'docs/.vitepress/config.ts': "export default { title: 'Kit' };\n",
    'docs/config.ts': sidebar('/install'),
    'docs/install.md': '# Install\n',
    'docs/start.md': '# Start\n',
    'docs/theme/config.ts': 'export const theme = 1;\n',
  };

  it('may change in its navigation and in nothing else', async () => {
    expect(await rules({ 'docs/config.ts': sidebar('/start') }, { base })).toEqual([]);
    const footer = "    footer: { message: '<b>x</b>' },\n";
    for (const edits of [
      { 'docs/config.ts': sidebar('/install', footer) },
      { 'docs/config.ts': null },
      { 'docs/theme/config.ts': 'export const theme = 2;\n' },
    ])
      expect(await rules(edits, { base })).toEqual(['navigation']);
    expect(await rules({ 'docs/other/config.ts': sidebar('/start') }, { base })).toEqual([
      'file-type',
    ]);
  });
});

describe('what is allowed', () => {
  it.each<[string, Edits]>([
    ['editing a page', { 'docs/plain.md': '# Plainer\n' }],
    [
      'a new page in a new folder',
      {
        'docs/new/page.mdx':
          '---\ntitle: New\n---\n\n<Card cols={2} href="/a" style={{ width: 3 }}>{/* note */}</Card>\n',
      },
    ],
    ['deleting a page', { 'docs/plain.md': null }],
    [
      'an entry of the navigation and a redirect',
      {
        'docs/docs.json': JSON.stringify({
          navigation: { tabs: [{ tab: 'Start', icon: 'book', pages: ['plain', 'GET /users'] }] },
          redirects: [{ source: '/old', destination: '/plain' }],
        }),
      },
    ],
    [
      'a page around an old import, expression and embed',
      {
        'docs/guides/install.mdx': BASE['docs/guides/install.mdx'].replace('# Install', '# Set up'),
      },
    ],
    [
      'moving a page with them',
      { 'docs/guides/install.mdx': null, 'docs/start/setup.mdx': BASE['docs/guides/install.mdx'] },
    ],
    ['changing only the case of a name', { 'docs/plain.md': null, 'docs/Plain.md': '# Plain\n' }],
    [
      'code that is only shown',
      {
        'docs/plain.md':
          '```mdx\nimport x from "y"\n<script>1</script>\n{code}\n```\n`<iframe src="https://a.example">`\n',
      },
    ],
    [
      'remote images and links',
      { 'docs/plain.md': '![a](https://a.example/b.png) [c](https://d.example)\n' },
    ],
    [
      'stand-ins for secrets',
      {
        'docs/plain.md':
          'svc_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, sk-ant-your-key-goes-right-here, AKIAIOSFODNN7EXAMPLE, postgres://user:password@localhost/db\n',
      },
    ],
  ])('%s', async (_, edits) => {
    expect(await violations(edits)).toEqual([]);
  });

  it('no change at all', async () => expect(await violations({})).toEqual([]));

  it('a navigation file at the root that governs the docs folder', async () => {
    const base = { 'docs.json': '{}', 'docs/a.md': 'a' };
    expect(await rules({ 'docs.json': '{"navigation": ["a"]}' }, { base })).toEqual([]);
    expect(await rules({ 'mint.json': '{"navigation": ["a"]}' }, { base })).toEqual([
      'outside-docs',
    ]);
  });
});

describe('paths', () => {
  it.each(PATHS)('%s: %s', async (_, rule, edits) => {
    expect(await rules(edits)).toContain(rule);
  });
});

describe('content', () => {
  it('a file over 1 MiB, and not one of exactly 1 MiB', async () => {
    expect(await rules({ 'docs/big.md': 'a'.repeat(1024 * 1024 + 1) })).toEqual(['file-size']);
    expect(await rules({ 'docs/big.md': `${'a'.repeat(1023)}\n`.repeat(1024) })).toEqual([]);
  });

  it.each(BINARIES)('binary: %s', async (_, edits) => {
    expect(await rules(edits)).toEqual(['binary']);
  });

  it.each(SECRETS)('secret: %s', async (_, secret) => {
    const found = await violations({
      'docs/guides/new.mdx': `---\ntitle: T\n---\n\n${secret}\n`,
      'docs/plain.md': `# Plain\n\n${secret}\n`,
    });
    expect(found.filter(({ rule }) => rule === 'secret').map(({ path }) => path)).toEqual([
      'docs/guides/new.mdx',
      'docs/plain.md',
    ]);
    expect(JSON.stringify(found)).not.toContain(RANDOM.slice(0, 12));
  });

  describe('on a long page', () => {
    const lines = Array.from({ length: 3_000 }, (_, i) => `Line ${i} of a long changelog.`);
    const base = { 'docs/log.md': `${lines.join('\n')}\n` };
    const withLine = (at: number, text: string) => ({
      'docs/log.md': `${lines.toSpliced(at, 1, text).join('\n')}\n`,
    });

    it.each(SECRETS)('secret: %s, wherever it is added', async (_, secret) => {
      for (const at of [0, 1_500, 2_999]) {
        const found = await violations(withLine(at, `\n${secret}\n`), { base });
        const [first] = found.filter(({ rule }) => rule === 'secret');
        expect(first?.message).toMatch(/^Line \d+ /);
        const line = Number(/\d+/.exec(first?.message ?? '')?.[0]);
        expect(line).toBeGreaterThanOrEqual(at + 1);
        expect(line).toBeLessThanOrEqual(at + 4 + secret.split('\n').length);
      }
    });

    it('one of which the page had the first half, and others far away that it had', async () => {
      const secret = `svc_${RANDOM}`;
      const half = withLine(1_500, `Key: ${secret.slice(0, 12)}`)['docs/log.md'];
      const old = { 'docs/log.md': `x svc_${[...RANDOM].toReversed().join('')}\n${half}` };
      expect(
        await rules(
          { 'docs/log.md': old['docs/log.md'].replace('Line 9 of', 'Line nine of') },
          { base: old },
        ),
      ).toEqual([]);
      const whole = old['docs/log.md'].replace(secret.slice(0, 12) + '\n', `${secret}\n`);
      expect(await rules({ 'docs/log.md': whole }, { base: old })).toEqual(['secret']);
    });

    it('one of the longest keys, of which the page had nearly all', async () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
      const der = privateKey.export({ type: 'pkcs8', format: 'der' });
      const body = Buffer.concat(Array.from({ length: 50 }, () => der))
        .subarray(0, 9_500)
        .toString('base64')
        .replace(/.{64}/g, '$&\n');
      const end = '-----END PRIVATE KEY-----';
      const half = withLine(1_500, `-----BEGIN PRIVATE KEY-----\n${body}`);
      const whole = withLine(1_500, `-----BEGIN PRIVATE KEY-----\n${body}\n${end}`);
      expect(await rules(whole, { base: half })).toEqual(['secret']);
    });
  });

  it("a secret that stood in the page before is not this job's, one of a hidden file is", async () => {
    const secret = `svc_${RANDOM}`;
    const base = { 'docs/a.md': `x ${secret}\n`, 'docs/b.md': 'b\n' };
    expect(await rules({ 'docs/a.md': `y ${secret}\n` }, { base })).toEqual([]);
    expect(await rules({ 'docs/a.md': null, 'docs/c.md': `x ${secret}\n` }, { base })).toEqual([]);
    const hidden = { '.env': `KEY=${secret}\n`, 'docs/b.md': 'b\n' };
    expect(await rules({ 'docs/b.md': `b ${secret}\n` }, { base: hidden })).toEqual(['secret']);
  });
});

describe('active content', () => {
  it.each(IN_MDX)('in MDX: %s', async (_, rule, code) => {
    const page = `---\ntitle: T\n---\n\n# T\n\n${code}\n`;
    expect(await rules({ 'docs/guides/new.mdx': page })).toContain(rule);
    expect(await rules({ 'docs/guides/new.mdx': page }, { allowMdxCode: true })).toEqual([]);
  });

  it.each(IN_MARKDOWN)('in Markdown: %s', async (_, rule, code) => {
    expect(await rules({ 'docs/plain.md': `# Plain\n\n${code}\n` })).toContain(rule);
  });

  it('elements that frontmatter puts into the head, and scripts in SVG', async () => {
    expect(
      await rules({
        'docs/plain.md':
          '---\nhead:\n  - [script, {src: "https://evil.example/x.js"}]\n---\n# Plain\n',
      }),
    ).toEqual(['script']);
    const shown = { 'docs/plain.md': '![a](a.svg)\n' };
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    expect(await rules({ ...shown, 'docs/a.svg': script })).toEqual(['script']);
    const handler = '<svg onload="alert(1)"><path d="M0 0"/></svg>';
    expect(await rules({ ...shown, 'docs/a.svg': handler })).toEqual(['script']);
  });

  it('in a page that is too complex to parse', async () => {
    expect(
      await rules({ 'docs/plain.md': `${'['.repeat(20_000)}\n\n[a](javascript:alert(1))\n` }),
    ).toContain('script');
  });

  it('an embed of what the site embeds already is nothing new, of anything else it is', async () => {
    const page = BASE['docs/guides/install.mdx'];
    const embed = (address: string) => ({
      'docs/guides/install.mdx': `${page}\n<iframe src="${address}" />\n`,
    });
    expect(await rules(embed('https://video.example/1'))).toEqual([]);
    expect(await rules(embed('https://video.example/2'))).toEqual(['embed']);
  });

  it('a relative import stays the same one when its page moves', async () => {
    const base = {
      'docs/a/one.mdx': 'import S from "../snippets/s.mdx"\n\n<S />\n',
      'docs/snippets/s.mdx': 'x\n',
    };
    expect(
      await rules(
        {
          'docs/a/one.mdx': null,
          'docs/b/c/one.mdx': 'import S from "../../snippets/s.mdx"\n\n<S />\n',
        },
        { base },
      ),
    ).toEqual([]);
    expect(
      await rules(
        {
          'docs/a/one.mdx': null,
          'docs/b/c/one.mdx': 'import S from "../../../evil.mdx"\n\n<S />\n',
        },
        { base },
      ),
    ).toEqual(['mdx-code']);
  });
});
