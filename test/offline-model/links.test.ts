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
        'See [a](/gone/foo/start), [b](/quickstart), [c](/api-reference/setup), [d](old/start.md).\n',
      'docs/guides/setup.md': 'x\n',
      'docs/guides/start.md': 'x\n',
    };
    const { diff } = await job('Fix broken links', files);
    expect(diff).toEqual({ 'docs/a.md': files['docs/a.md'].replace('old/start', 'guides/start') });
  });

  it('are judged by the rules of the generator that builds the site', async () => {
    const files = {
      'mkdocs.yml': 'site_name: x\n',
      'docs/a.md': 'See [a](/setup/), [c](old/setup.md) and [d](gone.md).\n',
      'docs/guides/setup.md': '[a](../a.md)\n',
    };
    const { diff, finished } = await job('Fix broken links', files);
    expect(diff).toEqual({
      'docs/a.md': files['docs/a.md'].replace('old/setup.md', 'guides/setup.md'),
    });
    expect(finished?.message).toContain('docs/a.md:1 (gone.md)');
  });

  it('are none of the correct links of Starlight', async () => {
    const pages = Array.from({ length: 14 }, (_, i) => `guide-${i}`);
    const files: Record<string, string> = {
      'docs/astro.config.mjs':
        "import starlight from '@astrojs/starlight';\n" +
        "export default { integrations: [starlight({ title: 'x' })] };\n",
      'docs/src/content/docs/index.md': `---\ntitle: x\n---\n\n${pages
        .map(page => `[x](/guides/${page}/)`)
        .join(' ')}\n`,
    };
    for (const page of pages)
      files[`docs/src/content/docs/guides/${page}.md`] =
        '---\ntitle: y\n---\n\n[home](/) [next](/wrong/guide-3/#y)\n';
    delete files['docs/src/content/docs/guides/guide-3.md'];
    files['docs/src/content/docs/guides/guide-3.md'] = '---\ntitle: y\n---\n\n## y\n';
    const { diff } = await job(
      'Fix broken links in docs/src/content/docs/guides/guide-1.md',
      files,
    );
    const path = 'docs/src/content/docs/guides/guide-1.md';
    expect(diff).toEqual({ [path]: files[path]?.replace('/wrong/', '/guides/') });
  });

  it('are left alone where most links of a site lead nowhere by its rules', async () => {
    const { diff, message } = await job('Fix broken links', {
      'mkdocs.yml': 'site_name: x\n',
      'docs/a.md': Array.from({ length: 12 }, (_, i) => `[x](made/p${i}.md)`).join(' '),
      'docs/p3.md': '[a](a.md)\n',
    });
    expect(diff).toEqual({});
    expect(message).toContain('12 of 13 links of this site lead nowhere by the rules');
  });

  it('are found in 2 of 198 files, however they are written', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 196 }, (_, index) => [
        `docs/guides/p${index}.md`,
        `See [the next](p${(index + 1) % 196}.md), [all](./p0.md "All") and [home](<../start here.md>).\n`,
      ]),
    );
    const broken = {
      'docs/start here.md':
        '![x](missing.png) [![x](missing.png)](old/p1.md "One")\n\n[two\nlines](<old/p2.md>), [gone](gone.md)\n',
      'docs/other.mdx':
        '<Card href="./old/p3.md" />\n\n> [def]\n>\n> [def]: old/p4.md\n\n- [out](../p5.md)\n',
    };
    const { diff, finished } = await job('Fix broken links', { ...files, ...broken });
    expect(diff).toEqual({
      'docs/start here.md': broken['docs/start here.md'].replaceAll('old/', 'guides/'),
      'docs/other.mdx': broken['docs/other.mdx']
        .replace('old/p4', 'guides/p4')
        .replace('../p5', 'guides/p5'),
    });
    expect(finished?.message).toContain('Fixed 4 links');
    expect(finished?.message).toContain('I left 3 links that lead to no page');
    expect(finished?.message).toContain('docs/start here.md:4 (gone.md)');
  });

  it('are fixed only in the place that is named', async () => {
    const files = {
      'docs/en/index.md': '[a](old/x.md)\n',
      'docs/en/b.md': '[a](old/x.md)\n',
      'docs/de/b.md': '[a](old/x.md)\n',
      'docs/x.md': 'x\n',
    };
    expect(Object.keys((await job('Fix broken links in docs/en', files)).diff)).toEqual([
      'docs/en/b.md',
      'docs/en/index.md',
    ]);
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
      message: expect.stringContaining('docs/docs.json is not valid JSON'),
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
      message: expect.stringMatching(/^I changed nothing\. I left 2 links/),
    });
  });
});

describe('pages of a site that a generator builds', () => {
  const FILES = {
    'docs/mkdocs.yml':
      'site_name: x\ndocs_dir: pages\nnav:\n  - Home: index.md # first\n  - Use: guides/use.md\n',
    'docs/pages/index.md': '# Home\n\n[use](guides/use.md)\n',
    'docs/pages/guides/use.md': '# Use\n',
  };

  it('are added with their navigation', async () => {
    const { diff } = await job('Add a page pages/guides/faq.md titled "FAQ".', FILES);
    expect(diff['docs/mkdocs.yml']).toBe(`${FILES['docs/mkdocs.yml']}  - FAQ: guides/faq.md\n`);
    expect(Object.keys(diff).toSorted()).toEqual(['docs/mkdocs.yml', 'docs/pages/guides/faq.md']);
  });
});
