/**
 * Pages of the forms that public sites have, each with what its site has already: name, a page of
 * the site, and a new page or a new text that a job writes there.
 */

export interface HarmlessPage {
  name: string;
  path: string;
  /** Other pages of the site, and its configuration. */
  site: Record<string, string>;
  text: string;
}

const page = (
  name: string,
  path: string,
  text: string,
  site: Record<string, string> = {},
): HarmlessPage => ({ name, path, text, site });

const MATTER =
  '---\ntitle: Install\ndescription: "How to install it: with <code> or without"\n---\n';

export const HARMLESS_PAGES: HarmlessPage[] = [
  page('plain Markdown', 'docs/a.md', '# A\n\nText with *marks*, [a link](./b.md) & more.\n'),
  page('front matter', 'docs/a.md', `${MATTER}\n# A\n`),
  page(
    'a table with code',
    'docs/a.md',
    '| Flag | Type |\n|---|---|\n| `--x` | `string \\| null` |\n',
  ),
  page('code that is shown', 'docs/a.md', '```html\n<script>alert(1)</script>\n{{ x }}\n```\n'),
  page('a fence with a title', 'docs/a.md', '```js title="a.js" {1,3-4}\nimport a from "b"\n```\n'),
  page('tildes', 'docs/a.md', '~~~yaml\na: {b: c}\n~~~\n'),
  page('code in a list', 'docs/a.md', '1. Run:\n\n   ```sh\n   a <b> $(c)\n   ```\n\n2. Done.\n'),
  page('code in a quote', 'docs/a.md', '> Run:\n>\n> ```sh\n> a <b>\n> ```\n'),
  page('generics in code', 'docs/a.md', 'A `Map<string, Array<T>>` of `{ a: b() }`.\n'),
  page('less than', 'docs/a.md', 'If a < b, or 1 <2, or x <- y, use `<=`.\n'),
  page('an autolink', 'docs/a.md', 'See <https://a.example/b?c=d&e=f> or <me@a.example>.\n'),
  page('a path with a name', 'docs/a.md', 'Call `/users/{id}`, or /users/{id}.\n'),
  page(
    'HTML that formats',
    'docs/a.md',
    'Press <kbd>Ctrl</kbd>+<kbd>C</kbd>.<br>\n<img src="/a.png" alt="x" width="200" align="right">\n',
  ),
  page(
    'details',
    'docs/a.md',
    '<details>\n<summary>More</summary>\n\n```js\na({ b })\n```\n\n</details>\n',
  ),
  page('a comment', 'docs/a.md', '<!-- a note for writers -->\n\nText\n'),
  page('footnotes', 'docs/a.md', 'Text[^1].\n\n[^1]: A note with a [link](https://a.example).\n'),
  page('definitions', 'docs/a.md', 'A [link][a].\n\n[a]: https://a.example/x "Title: more"\n'),
  page('a heading with an id', 'docs/a.md', '## Install {#install}\n\nText {: .note }\n'),
  page('an admonition of Docusaurus', 'docs/a.md', ':::tip[Note]\n\nText\n\n:::\n'),
  page(
    'an admonition of MkDocs',
    'docs/a.md',
    '!!! note "Title with `code`, and `more`"\n    Text\n\n    ```py\n    a = {b}\n    ```\n',
    { 'mkdocs.yml': 'site_name: a\nmarkdown_extensions: [pymdownx.superfences]\n' },
  ),
  page('tabs of MkDocs', 'docs/a.md', '=== "A"\n\n    ```sh\n    a\n    ```\n', {
    'mkdocs.yml': 'site_name: a\nmarkdown_extensions: [pymdownx.superfences]\n',
  }),
  page(
    'cards',
    'docs/a.mdx',
    `${MATTER}\n<CardGroup cols={2}>\n  <Card title="A: b" icon="book" href="/b">\n    Text\n  </Card>\n</CardGroup>\n`,
  ),
  page(
    'steps with code',
    'docs/a.mdx',
    '<Steps>\n  <Step title="Run">\n    ```sh\n    a <b>\n    ```\n  </Step>\n</Steps>\n',
  ),
  page(
    'fields of an API',
    'docs/a.mdx',
    '<ParamField path="id" type="Array<string>" required>\n  The id.\n</ParamField>\n',
  ),
  page(
    'an import that the site has',
    'docs/a.mdx',
    'import Tabs from "@theme/Tabs";\n\n<Tabs groupId="os">x</Tabs>\n',
    { 'docs/b.mdx': 'import Tabs from "@theme/Tabs";\n\n<Tabs groupId="b">y</Tabs>\n' },
  ),
  page(
    'a shortcode that the site has',
    'docs/a.md',
    '{{< note title="New" >}}\nText\n{{< /note >}}\n',
    { 'docs/b.md': '{{< note title="Old" >}}\nOld\n{{< /note >}}\n' },
  ),
  page('a badge of Vue that the site has', 'docs/a.md', '# A <Badge type="tip" text="new" />\n', {
    'docs/b.md': '# B <Badge type="tip" text="beta" />\n',
  }),
  page('a directive of MyST', 'docs/a.md', '```{note}\nText with `code`.\n```\n\nSee {doc}`b`.\n'),
  page(
    'reStructuredText',
    'docs/a.rst',
    'A\n=\n\n.. note:: Text: more\n\n.. code-block:: python\n\n   a = {b}\n\nA `link <https://a.example>`_.\n',
    { 'docs/b.rst': 'B\n=\n' },
  ),
  page(
    'example keys',
    'docs/a.md',
    'Set `API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx` or AKIAIOSFODNN7EXAMPLE.\n',
  ),
  page(
    'a commit and a hash',
    'docs/a.md',
    'Commit `721f8d1b0c5a4e9f8d7c6b5a49382716f5e4d3c2`, sha256 `9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`.\n',
  ),
  page('prices', 'docs/a.md', 'It costs $5 to $10 with `{a}` or `<b>`.\n\nThen $7: `{c}`.\n'),
  page('mathematics', 'docs/a.md', 'The sum $\\sum_{i=1}^{n} x_i$ is\n\n$$\n\\frac{a}{b}\n$$\n'),
  page('prices around code', 'docs/a.md', 'From $5, with `<b>` and `{a}`, up to $10.\n'),
  page(
    'includes of other generators in code',
    'docs/a.md',
    'Use `{{#include a.rs}}` or `{!a.md!}`:\n\n```md\n{{#include a.rs}}\n{!a.md!}\n--8<-- "a.md"\n```\n',
    { 'docusaurus.config.js': 'export default {}' },
  ),
  page(
    'references of Hugo',
    'docs/a.md',
    'See [b]({{< ref "b.md" >}}) and [c]({{% relRef "c#d" %}}).\n',
    {
      'hugo.toml': '',
    },
  ),
  page(
    'words behind a language',
    'docs/a.mdx',
    '```sh npm (all platforms)\nnpm i\n```\n\n```js title="an open quote\na({ b })\n```\n',
  ),
  page('lines with numbers in VitePress', 'docs/a.md', '```ts:line-numbers=2 {1}\na<b>()\n```\n'),
  page('three ticks in a line', 'docs/a.md', '- A word in ```/```, and ```<b>```\n\nText `<i>`.\n'),
  page('a signature in words', 'docs/a.md', 'It is Map[key: string]: unknown, or Foo[T]: a b.\n'),
  page(
    'options of MyST in YAML',
    'docs/a.md',
    '```{toctree}\n---\nmaxdepth: 2\ncaption: More pages\n---\nb.md\n```\n\n```{math}\n\\frac{a}{b}\n```\n',
    { 'docs/conf.py': '' },
  ),
  page(
    'a comment and a target of reStructuredText',
    'docs/a.rst',
    'A\n=\n\n.. see https://a.example/a_b for `this`\n\n.. _b:\n   https://a.example/b\n\n.. c:function:: int a(int b)\n\n   Text.\n',
    { 'docs/b.rst': 'B\n=\n' },
  ),
  page('a block with code in its title', 'docs/a.md', '/// tab | `uv`\n\nText\n\n///\n', {
    'mkdocs.yml': 'site_name: a\n',
  }),
  page('another member of a package', 'docs/a.md', '::: kit.main\n', {
    'mkdocs.yml': 'site_name: a\n',
    'docs/b.md': '::: kit.other\n',
  }),
  page(
    'another snippet of the same folder',
    'docs/a.md',
    '<<< @/snippets/a/b.ts#region{2,3} [Title]\n',
    { 'docs/.vitepress/config.ts': 'export default {}', 'docs/b.md': '<<< @/snippets/a.ts\n' },
  ),
  page('a placeholder', 'docs/a.md', '- `--token` <token> - the token\n', {
    'mkdocs.yml': 'site_name: a\n',
  }),
  page(
    'a link of another host in a card that the site has',
    'docs/a.md',
    '{{< card link="https://b.example/x" title="B" >}}\n',
    { 'docs/b.md': '{{< card link="https://a.example" title="A" >}}\n', 'hugo.toml': '' },
  ),
  page(
    'a licence in a comment, and a place to link to',
    'docs/a.md',
    '<!--\n - Licensed to the Example Foundation under one or more\n -\n -   https://licences.example/2.0\n -->\n# A\n\n<a name="b"></a>\n### B\n```js\na<b>({ c })\n```\n',
  ),
  page('a comment of two paragraphs', 'docs/a.md', '<!--\nA note.\n\nAnother one.\n-->\n\nText\n'),
  page('a placeholder of two words', 'docs/a.md', 'Use https://<region_code>.api.example.\n', {
    'mkdocs.yml': 'site_name: a\n',
  }),
  page(
    'the address of the site in a link',
    'docs/a.md',
    'A [link]({{site.url}}{{site.baseurl}}/a/), and <a href="{{site.url}}/c">another</a>.\n',
    { 'docs/_config.yml': 'title: a\n', 'docs/b.md': '[b]({{site.url}}{{site.baseurl}}/b/)\n' },
  ),
  page('another snippet of MkDocs', 'docs/a.md', '--8<-- "docs/examples/b/c.py:part"\n', {
    'mkdocs.yml': 'site_name: a\n',
    'docs/b.md': '--8<-- "docs/examples/a.py"\n',
  }),
  page(
    'a shape of Mermaid',
    'docs/a.md',
    '```mermaid\nflowchart\n  A@{ shape: rect, label: "b" }\n```\n',
  ),
  page('a title with a link', 'docs/a.md', '!!! note "A & [b](b.md)"\n    Text\n', {
    'mkdocs.yml': 'site_name: a\n',
  }),
  page(
    'a page within another',
    'docs/a.mdx',
    'import Part from "./part.mdx";\n\n# A\n\n<Part />\n',
    { 'docusaurus.config.js': 'export default {}', 'docs/part.mdx': 'A part.\n' },
  ),
  page(
    'components of the generator',
    'docs/a.mdx',
    'import DocCardList from \'@theme/DocCardList\';\nimport { Steps, LinkCard } from \'@astrojs/starlight/components\';\n\n<DocCardList />\n\n<LinkCard title="A" href="/a" description="B" />\n',
    { 'docusaurus.config.js': 'export default {}' },
  ),
  page('a title in another language', 'docs/a.mdx', "```mdx Exemples d'échappement\n<b>\n```\n"),
  page('no-break spaces', 'docs/a.md', 'Une note\u00a0: `--x`\u00a0!\n'),
];
