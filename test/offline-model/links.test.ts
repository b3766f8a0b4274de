import { offlineJob } from './offline-job.ts';
import { useOfflineModel } from './use-offline-model.ts';

const offline = useOfflineModel();

const job = (instruction: string, files: Record<string, string>) =>
  offlineJob(offline.client, instruction, files);

describe('links follow a heading whose text changes', () => {
  const FILES = {
    'docs/index.md': '# Hi\n\nSee [it](/install#setup).\n',
    'docs/install.md': '# Install\n\n[Here](#setup).\n\n## Setup\n',
    'docs/cli/install.md':
      '# Command line\n\nSetup comes [first](#setup), see [there](../install#setup).\n\n## Setup\n',
  };
  const prepared = (path: keyof typeof FILES, ...links: string[]) =>
    links.reduce(
      (text, link) => text.replace(`(${link}#setup)`, `(${link}#prepare)`),
      FILES[path].replaceAll('Setup', 'Prepare'),
    );

  it('of that very page, not of one whose path ends alike', async () => {
    const inner = await job('Rename "Setup" to "Prepare" in docs/cli/install.md', FILES);
    expect(inner.diff).toEqual({ 'docs/cli/install.md': prepared('docs/cli/install.md', '') });
    const outer = await job('Rename "Setup" to "Prepare" in docs/install.md', FILES);
    expect(outer.diff).toEqual({
      'docs/index.md': prepared('docs/index.md', '/install'),
      'docs/install.md': prepared('docs/install.md', ''),
      'docs/cli/install.md': FILES['docs/cli/install.md'].replace(
        '(../install#setup)',
        '(../install#prepare)',
      ),
    });
  });

  it.each([
    [
      'Only in docs/install.md, rename "Setup" to "Prepare". Do not touch docs/index.md.',
      'docs/cli/install.md:3, docs/index.md:3',
    ],
    [
      'Rename "Setup" to "Prepare" only in docs/install.md',
      'docs/cli/install.md:3, docs/index.md:3',
    ],
    [
      'Rename "Setup" to "Prepare" only in the Install section',
      'docs/cli/install.md:3, docs/index.md:3',
    ],
  ])(
    'but on no page that is to stay as it is; the message names those links: %s',
    async (instruction, left) => {
      const { diff, finished } = await job(instruction, FILES);
      expect(diff).toEqual({ 'docs/install.md': prepared('docs/install.md', '') });
      expect(finished?.message).toContain(left);
    },
  );

  it('but not on a page that is left out', async () => {
    const { diff, finished } = await job(
      'Rename "Setup" to "Prepare" everywhere except index.md',
      FILES,
    );
    expect(diff).toEqual({
      'docs/install.md': prepared('docs/install.md', ''),
      'docs/cli/install.md': prepared('docs/cli/install.md', '', '../install'),
    });
    expect(finished?.message).toContain('docs/index.md:3');
  });

  it('where a name is replaced all over', async () => {
    const { diff } = await job('Replace `acme.run` with `acme.go`', {
      'docs/a.md': '[One](#acmerun)\n\nacme.run\n--------\n',
      'docs/b.md': '[Two](a.md#acmerun)\n',
    });
    expect(diff).toEqual({
      'docs/a.md': '[One](#acmego)\n\nacme.go\n--------\n',
      'docs/b.md': '[Two](a.md#acmego)\n',
    });
  });

  it('of every sort that is a heading, and with none in code', async () => {
    const { diff } = await job('Rename "Setup" to "Prepare"', {
      'docs/a.mdx':
        '[One](#setup), `[x](#setup)`\n\n```md\n[x](#setup)\n```\n\n<Note>\n  ## Setup\n</Note>\n',
      'docs/b.md':
        '[Two]: ./b.md#old-setup "t"\n\nThe [Two] <a href="#old-setup">here</a>\n\nOld Setup\n---------\n',
    });
    expect(diff).toEqual({
      'docs/a.mdx':
        '[One](#prepare), `[x](#setup)`\n\n```md\n[x](#setup)\n```\n\n<Note>\n  ## Prepare\n</Note>\n',
      'docs/b.md':
        '[Two]: ./b.md#old-prepare "t"\n\nThe [Two] <a href="#old-prepare">here</a>\n\nOld Prepare\n---------\n',
    });
  });
});

describe('broken links', () => {
  it('are those that lead to no file, whatever other pages are called', async () => {
    const { diff } = await job('Fix broken links', {
      'docs/a.md': 'See [it](/quickstart), [b](/guides/quickstart#x).\n\n[def]: /quickstart\n',
      'docs/guides/quickstart.md': '# Quick start\n',
    });
    expect(diff).toEqual({
      'docs/a.md':
        'See [it](/guides/quickstart), [b](/guides/quickstart#x).\n\n[def]: /guides/quickstart\n',
    });
  });

  it('are none that the site redirects, or makes from an API description', async () => {
    const files = {
      'docs/docs.json': JSON.stringify(
        {
          redirects: [
            { source: '/gone/:x*', destination: '/guides/setup' },
            { $ref: './more.json' },
            { source: '/quickstart', destination: '/guides/start' },
          ],
          navigation: { openapi: 'api.yaml', pages: [] },
        },
        null,
        1,
      ),
      'docs/a.md':
        'See [a](/gone/foo/start), [b](/quickstart), [c](/api-reference/setup), [d](/strat).\n',
      'docs/guides/setup.md': 'x\n',
      'docs/guides/start.md': 'x\n',
    };
    expect((await job('Fix broken links', files)).diff).toEqual({
      'docs/a.md': files['docs/a.md'].replace('/strat', '/guides/start'),
    });
  });

  it('are left alone where nobody can tell the redirects', async () => {
    expect(
      await job('Fix broken links', {
        'docs/docs.json': '{"redirects": [',
        'docs/a.md': '[d](/start)\n',
        'docs/guides/start.md': 'x\n',
      }),
    ).toMatchObject({
      diff: {},
      message: expect.stringContaining('docs/docs.json cannot be read'),
    });
  });

  it('lead to names with spaces, too', async () => {
    const { diff } = await job('Fix broken links', {
      'docs/a.md': '[x](/old/my%20page), [y](./old/my%20page.md#z)\n',
      'docs/my page.md': 'x\n',
    });
    expect(diff).toEqual({ 'docs/a.md': '[x](/my%20page), [y](./my%20page.md#z)\n' });
  });

  it('are no examples in code, nor files that are not known', async () => {
    const files = {
      'docs/a.md':
        '`[x](/quickstart)`\n\n```md\n[x](/quickstart)\n```\n\n[Code](../pkg/quickstart.md), [pdf](/quickstart.pdf), ![q](/quickstart)\n',
      'docs/guides/quickstart.md': '# Quick start\n',
      'pkg/quickstart.md': '# Package\n',
    };
    expect(await job('Fix broken links', files)).toMatchObject({
      diff: {},
      message: expect.stringContaining('no broken internal links'),
    });
  });
});
