import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checkSite } from '../../sites/check-site.ts';
import { pageLinks } from '../../sites/page-links.ts';
import { isPagePath, parsePage } from '../../sites/markdown.ts';
import { readSite } from '../../sites/kinds/registry.ts';
import { siteSource } from '../../sites/kinds/source.ts';
import { pageFile } from '../../sites/navigation.ts';
import { readNavigation } from '../../sites/read-navigation.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const paths = readdirSync(join(ROOT, 'docs'), { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => relative(ROOT, join(entry.parentPath, entry.name)));
const source = siteSource(paths, read);
const site = readSite(source)!;
/** What readers see; the rest of the folder is for contributors (`docs/.mintignore`). */
const pages = site.pages.map(({ file }) => file);
const parsed = new Map(
  paths.filter(isPagePath).map(path => [path, parsePage(path, read(path))] as const),
);

describe('the docs as a site', () => {
  it('parses, with a title and a description on every page', () => {
    const wrong = [...parsed].filter(
      ([, page]) => page.error || !page.frontmatter.title || !page.frontmatter.description,
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
    expect(parsed.size).toBeGreaterThan(30);
  });

  it('has 44 pages at most, beside those of the API; decisions and reports are not among them', () => {
    expect(pages.length).toBeGreaterThan(30);
    expect(pages.length).toBeLessThanOrEqual(44);
    expect(site.excluded).toEqual(
      expect.arrayContaining([
        'docs/contributing/performance.md',
        'docs/decisions/0013-native-git.md',
      ]),
    );
    expect(pages.filter(file => /decisions|contributing/.test(file))).toEqual([]);
  });

  it('has a navigation that names every page once, and no other', async () => {
    const navigation = await readNavigation(
      async path => (existsSync(join(ROOT, path)) ? read(path) : undefined),
      'docs',
    );
    expect(navigation.errors).toEqual([]);
    const has = (path: string) => paths.includes(path);
    const files = navigation.entries.map(
      entry => pageFile(has, 'docs', entry.page) ?? `missing: ${entry.page}`,
    );
    expect(files.toSorted()).toEqual(pages.toSorted());
  });

  it('links only to pages, files and headings that exist', () => {
    expect(site.apiPages?.length).toBeGreaterThan(20);
    const broken = checkSite(source, site, true).map(
      ({ file, line, link }) => `${file}:${line} ${link}`,
    );
    expect(broken).toEqual([]);
  });

  it('redirects every address that a page has left, to a page and a heading that exist', () => {
    const urls = new Map(site.pages.map(page => [page.url, page]));
    const wrong = site.redirects.filter(({ from, to }) => {
      const [url = '', anchor] = to.split('#');
      const page = urls.get(url);
      const ids = page && site.anchors(source.outline(page.file));
      return urls.has(from) || !page || (anchor !== undefined && !ids?.has(anchor));
    });
    expect(wrong).toEqual([]);
    expect(site.redirects.length).toBeGreaterThan(30);
  });
});

it.each(['README.md', 'AGENTS.md'])('%s names only files that exist', path => {
  const text = read(path);
  const linked = pageLinks(parsePage(path, text).tree, text)
    .map(({ url }) => url)
    .filter(url => !/^\w+:/.test(url));
  const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)].map(([, name = '']) => name);
  expect([...linked, ...named].filter(name => !existsSync(join(ROOT, name)))).toEqual([]);
});
