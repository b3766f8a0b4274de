import { policyViolations } from '../../../agent/policy/policy.ts';
import { call, toolContext } from './context.ts';

/** Moves a page with the tool, and gives the new texts and what the policy says of them. */
async function moved(
  files: Record<string, string>,
  from: string,
  to: string,
  { allowMdxCode = false } = {},
) {
  const docsFolder = from.split('/')[0] ?? '';
  const context = toolContext(files, { docsFolder, allowMdxCode });
  const { content, isError } = await call(context, 'move_page', { from, to });
  const texts: Record<string, string> = {};
  for (const [path, bytes] of await context.workspace.changes())
    if (bytes !== null) texts[path] = bytes.toString('utf8');
  return {
    content,
    isError,
    texts,
    violations: await policyViolations(context.workspace, context.project),
    findings: (await context.check()).map(({ message }) => message),
  };
}

it('names links in a file that pages include, which a move leaves as they are', async () => {
  const { content, texts } = await moved(
    {
      'mkdocs.yml': 'site_name: X\nmarkdown_extensions:\n  - pymdownx.snippets\n',
      'docs/index.md': '# X\n\n--8<-- "parts/a.md"\n\n[own](use.md)\n',
      'docs/use.md': '# U\n',
      'parts/a.md': 'Text.\n\n[part](use.md)\n',
    },
    'docs/use.md',
    'docs/guide/use.md',
  );
  expect(content).toContain('parts/a.md:3');
  expect(texts['docs/index.md']).toBe('# X\n\n--8<-- "parts/a.md"\n\n[own](guide/use.md)\n');
});

describe('a page that moves takes along what its generator reads there', () => {
  it('references of Hugo, by path and by name', async () => {
    const { texts, violations } = await moved(
      {
        'hugo.toml': 'title = "x"\n',
        'content/_index.md':
          '---\ntitle: H\n---\n{{< ref "install.md" >}} {{% relref path="/docs/install.md#x" %}}\n' +
          '{{< ref "use" >}} {{</* ref "docs/none.md" */>}}\n',
        'content/docs/_index.md': '---\ntitle: D\n---\n{{< relref "install.md#a" >}}\n',
        'content/docs/install.md':
          '---\ntitle: I\n---\n{{< ref "use.md" >}} {{< relref "../about.md" >}} {{< relref sub/deep >}}\n',
        'content/docs/use.md': '---\ntitle: U\n---\n',
        'content/docs/sub/deep.md': '---\ntitle: S\n---\n',
        'content/about.md': '---\ntitle: A\n---\n',
      },
      'content/docs/install.md',
      'content/docs/guides/setup.md',
    );
    expect(texts).toEqual({
      'content/_index.md':
        '---\ntitle: H\n---\n{{< ref "docs/guides/setup.md" >}} ' +
        '{{% relref path="/docs/guides/setup.md#x" %}}\n' +
        '{{< ref "use" >}} {{</* ref "docs/none.md" */>}}\n',
      'content/docs/_index.md': '---\ntitle: D\n---\n{{< relref "guides/setup.md#a" >}}\n',
      'content/docs/guides/setup.md':
        '---\ntitle: I\naliases:\n  - /docs/install/\n---\n' +
        '{{< ref "use.md" >}} {{< relref "../../about.md" >}} {{< relref ../sub/deep >}}\n',
    });
    expect(violations).toEqual([]);
  });

  it('references of Hugo in the page’s own language, and pages in front matter', async () => {
    const languages =
      'defaultContentLanguage = "en"\n[languages.en]\nweight = 1\n[languages.fr]\nweight = 2\n';
    const { texts } = await moved(
      {
        'hugo.toml': `title = "x"\n${languages}`,
        'content/_index.md': '---\ntitle: H\n---\n{{< relref "docs/a.md" >}}\n',
        'content/_index.fr.md': '---\ntitle: H\n---\n{{< relref "docs/a.md" >}}\n',
        'content/docs/a.md': '---\ntitle: A\n---\n',
        'content/docs/a.fr.md': '---\ntitle: A\n---\n',
        'content/docs/b.md': '---\ntitle: B\nprev: /docs/a\nnext: /docs/c\n---\n',
      },
      'content/docs/a.md',
      'content/docs/new/a.md',
    );
    expect(Object.keys(texts).toSorted()).toEqual([
      'content/_index.md',
      'content/docs/b.md',
      'content/docs/new/a.md',
    ]);
    expect(texts['content/_index.md']).toContain('relref "docs/new/a.md"');
    expect(texts['content/docs/b.md']).toContain('prev: /docs/new/a\nnext: /docs/c\n');
  });

  it('the redirects of Sphinx that are in a file', async () => {
    const files = {
      'docs/conf.py':
        "project = 'x'\nextensions = ['myst_parser', 'sphinxext.rediraffe']\n" +
        "rediraffe_redirects = 'redirects.txt'\n",
      'docs/redirects.txt': '"older" "a"\n"other" "b"\n',
      'docs/index.md': '# H\n\n```{toctree}\na\nb\n```\n',
      'docs/a.md': '# A\n',
      'docs/b.md': '# B\n',
    };
    const { texts, violations, findings } = await moved(files, 'docs/a.md', 'docs/x/c.md');
    expect(texts['docs/redirects.txt']).toBe('"older" "x/c"\n"other" "b"\n"a" "x/c"\n');
    expect([violations, findings]).toEqual([[], []]);
    const context = toolContext(files);
    await call(context, 'delete_page', { path: 'docs/b.md' });
    const left = (await context.workspace.changes()).get('docs/redirects.txt');
    expect(String(left)).toBe('"older" "a"\n');
    context.workspace.write('docs/redirects.txt', '"a" "https://elsewhere.example"\n');
    expect(
      (await policyViolations(context.workspace, context.project)).map(one => one.rule),
    ).toEqual(['navigation']);
  });

  it('roles and directives of Sphinx, in Markdown and reStructuredText', async () => {
    const page = (to: { use: string; files: string }) => `# Install

(lab)=
## Start

{doc}\`${to.use}\` {doc}\`Use <${to.use}>\` {ref}\`lab\` {download}\`${to.files}code.py\`

\`\`\`{include} ../part.txt
\`\`\`

\`\`\`{literalinclude} ${to.files}code.py
:lines: 1-2
\`\`\`

\`\`\`{figure} ${to.files}p.png
\`\`\`

\`\`\`{toctree}
${to.files}sub
\`\`\`
`;
    const { texts, violations, findings } = await moved(
      {
        'docs/conf.py':
          "project = 'x'\nextensions = ['myst_parser', 'sphinx.ext.autosectionlabel']\n" +
          'autosectionlabel_prefix_document = True\n',
        'docs/index.md':
          '# Home\n\n```{toctree}\nguide/install\nguide/use\nmore\n```\n\n' +
          '{doc}`The guide </guide/install>` {ref}`lab` {ref}`guide/install:Start` ' +
          '<project:guide/install.md#lab>\n',
        'docs/guide/install.md': page({ use: 'use', files: '' }),
        'docs/guide/sub.md': '# Sub\n',
        'docs/guide/use.md': '# Use\n',
        'docs/more.rst': 'More\n====\n\n:doc:`guide/install`\n',
        'docs/guide/p.png': 'x',
        'docs/guide/code.py': 'x',
        'docs/part.txt': 'x',
      },
      'docs/guide/install.md',
      'docs/start/setup.md',
    );
    expect(texts).toEqual({
      'docs/index.md':
        '# Home\n\n```{toctree}\nstart/setup\nguide/use\nmore\n```\n\n' +
        '{doc}`The guide </start/setup>` {ref}`lab` {ref}`start/setup:Start` ' +
        '<project:start/setup.md#lab>\n',
      'docs/start/setup.md': page({ use: '../guide/use', files: '../guide/' }),
      'docs/more.rst': 'More\n====\n\n:doc:`start/setup`\n',
    });
    expect(violations).toEqual([]);
    expect(findings).toEqual([]);
  });

  it('inclusions of mdBook, in code too', async () => {
    const page = (up: string) =>
      `# A\n\n{{#include ${up}b/part.txt}}\n\n\`\`\`rust\n{{#include ${up}b/code.rs:3:5}}\n` +
      `{{#rustdoc_include ${up}../x.rs:main}}\n\\{{#include b/code.rs}}\n\`\`\`\n[b](${up}b/b.md)\n`;
    const { texts, violations } = await moved(
      {
        'book.toml': '[book]\n',
        'src/SUMMARY.md': '# Summary\n\n- [A](a.md)\n  - [B](b/b.md)\n',
        'src/a.md': page(''),
        'src/b/b.md': '# B\n',
        'src/b/part.txt': 'x',
        'src/b/code.rs': 'x',
        'x.rs': 'x',
      },
      'src/a.md',
      'src/c/d/a.md',
    );
    expect(texts).toEqual({
      'src/SUMMARY.md': '# Summary\n\n- [A](c/d/a.md)\n  - [B](b/b.md)\n',
      'src/c/d/a.md': page('../../'),
    });
    // An inclusion is known by its file.
    expect(violations).toEqual([]);
  });

  it('imports, includes, and images of VitePress', async () => {
    const page = (at: string, lib: string, matter: string) => `---
image: ${matter}p.png
---
# A

<script setup>
import X from "${at}X.vue"
import { y } from '${lib}lib/y'
import Z from "@/lib/z.vue"
</script>

![p](${at}p.png) <img src="${at}p.png">

<<< ${at}code.js{1}
<!--@include: ${at}part.md{1,2}-->

\`\`\`js
import q from "./nowhere"
\`\`\`
`;
    const { texts, violations } = await moved(
      {
        'docs/.vitepress/config.ts': 'export default {}',
        'docs/index.md': '# Home\n\n[a](./guide/a)\n',
        'docs/guide/a.md': page('./', '../', './'),
        'docs/guide/p.png': '',
        'docs/guide/X.vue': '',
        'docs/lib/y.ts': '',
        'docs/lib/z.vue': '',
        'docs/guide/code.js': '',
        'docs/guide/part.md': '# P\n',
      },
      'docs/guide/a.md',
      'docs/x/y/a.md',
    );
    expect(texts).toEqual({
      'docs/index.md': '# Home\n\n[a](./x/y/a)\n',
      'docs/x/y/a.md': page('../../guide/', '../../', '../../guide/'),
    });
    expect(violations).toEqual([]);
  });
});

/** A page that is compiled as MDX. */
const mdx = (at: string, lib: string) => `---
title: A
hero:
  image:
    file: ${at}p.png
---

import X from "${at}X.astro"
import { a } from '${lib}lib/a'
import "${at}style.css"
import Raw from "!!raw-loader!${at}code.js"

<img src={require("${at}p.png").default} />

![p](${at}p.png) <img src="${at}p.png" />

\`\`\`js
import q from "./nowhere"
\`\`\`
`;
const beside = (folder: string) =>
  Object.fromEntries(
    ['guide/p.png', 'guide/X.astro', 'lib/a.ts', 'guide/style.css', 'guide/code.js'].map(file => [
      `${folder}/${file}`,
      '',
    ]),
  );

describe('a page that is a program takes its modules along', () => {
  it('in Docusaurus, whatever the ending of its file', async () => {
    const { texts } = await moved(
      {
        'docusaurus.config.js':
          "module.exports = { url: 'https://x.example', baseUrl: '/', presets: [['classic', { docs: {} }]] }",
        'docs/index.md':
          "# Home\n\nimport P from './guide/a.md'\nimport Q from '@site/docs/guide/a.md'\n\n<P />\n",
        'docs/guide/a.md': mdx('./', '../'),
        ...beside('docs'),
      },
      'docs/guide/a.md',
      'docs/x/y/a.md',
      { allowMdxCode: true },
    );
    expect(texts['docs/x/y/a.md']).toBe(mdx('../../guide/', '../../'));
    expect(texts['docs/index.md']).toBe(
      "# Home\n\nimport P from './x/y/a.md'\nimport Q from '@site/docs/x/y/a.md'\n\n<P />\n",
    );
  });

  it('in Starlight', async () => {
    const { texts } = await moved(
      {
        'astro.config.mjs':
          "import starlight from '@astrojs/starlight'; export default { integrations: [starlight({ title: 'X' })] }",
        'src/content/docs/index.mdx': '---\ntitle: H\n---\n\nimport P from "./guide/a.mdx"\n',
        'src/content/docs/guide/a.mdx': mdx('./', '../'),
        ...beside('src/content/docs'),
      },
      'src/content/docs/guide/a.mdx',
      'src/content/docs/x/y/a.mdx',
      { allowMdxCode: true },
    );
    expect(texts['src/content/docs/x/y/a.mdx']).toBe(mdx('../../guide/', '../../'));
    expect(texts['src/content/docs/index.mdx']).toContain('"./x/y/a.mdx"');
  });
});

it('names the references of Sphinx that lead nowhere once a page is gone', async () => {
  const context = toolContext({
    'docs/conf.py': "project = 'x'\nextensions = ['myst_parser']\n",
    'docs/index.md': '# Home\n\n```{toctree}\na\nb\n```\n',
    'docs/a.md': '# A\n\n{ref}`there` {doc}`b`\n',
    'docs/b.md': '# B\n\n(there)=\n## There\n',
  });
  const { content } = await call(context, 'delete_page', { path: 'docs/b.md' });
  expect(content).toContain('docs/a.md:3 links to it (there)');
  expect(content).toContain('docs/a.md:3 links to it (b)');
});
