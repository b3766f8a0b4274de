import { type SiteFiles, testSite } from '../../support/site-files.ts';

const site = (summary: string, files: SiteFiles, toml = '') =>
  testSite({ 'book.toml': `[book]\ntitle = "X"\n${toml}`, 'src/SUMMARY.md': summary, ...files });

describe('mdBook', () => {
  it('takes only the chapters of SUMMARY.md for pages', () => {
    const { paths, site: read } = site('# Summary\n\n- [A](a.md)\n- [B](b/c.md)\n', {
      'src/a.md': '',
      'src/b/c.md': '',
      'src/other.md': '',
    });
    expect(paths).toEqual({ 'src/a.md': '/a', 'src/b/c.md': '/b/c' });
    expect(read.excluded).toContain('src/other.md');
  });

  it('makes README.md index.html and others .html, below site-url', () => {
    const { urls, paths } = site(
      '- [Home](README.md)\n- [G](g/README.md)\n- [A](a.md)\n',
      { 'src/README.md': '', 'src/g/README.md': '', 'src/a.md': '' },
      '[output.html]\nsite-url = "/book/"\n',
    );
    expect(paths).toEqual({ 'src/README.md': '/', 'src/g/README.md': '/g', 'src/a.md': '/a' });
    expect(urls).toEqual({
      'src/README.md': '/book/index.html',
      'src/g/README.md': '/book/g/index.html',
      'src/a.md': '/book/a.html',
    });
  });

  it('answers / with the first chapter', () => {
    expect(site('- [A](a.md)\n', { 'src/a.md': '' }).site.generated).toEqual(['/']);
  });

  it('reads parts, nested lists, prefix and suffix chapters, drafts and code in titles', () => {
    const { navigation } = site(
      [
        '# Summary',
        '[Preface](pre.md)',
        '# Part `one`',
        '- [A](a.md)',
        '    - [The `b` *page*](b.md)',
        '- [Draft]()',
        '---',
        '# Part two',
        '* [C](<c d.md>)',
        '<!-- - [Hidden](h.md) -->',
        '[After](after.md)',
      ].join('\n'),
      Object.fromEntries(
        ['pre', 'a', 'b', 'c d', 'h', 'after'].map(name => [`src/${name}.md`, '']),
      ),
    );
    expect(navigation).toEqual([
      'Preface',
      'Part one > A',
      'Part one > A > The b page',
      'Part one > Draft',
      'Part two > C',
      'Part two > After',
    ]);
  });

  it('reports a chapter without a file with its line, and reads book.src', () => {
    const { errors, site: read } = testSite({
      'guide/book.toml': '[book]\nsrc = "text"\n',
      'guide/text/SUMMARY.md': '# S\n\n- [A](a.md)\n- [Gone](gone.md)\n',
      'guide/text/a.md': '',
    });
    expect(read.docsFolder).toBe('guide/text');
    expect(errors).toEqual(['guide/text/SUMMARY.md:4 navigation gone.md']);
  });

  it('keeps letters of every language in ids and does not merge hyphens', () => {
    const { ids } = site('- [A](a.md)\n', {
      'src/a.md':
        '# A -- B\n\n## `code` & Größe!\n\n## snake_case\n\n## Twice\n\n## Twice\n\n## X {#own}\n',
    });
    expect(ids('src/a.md')).toEqual([
      'a----b',
      'code--größe',
      'snake_case',
      'twice',
      'twice-1',
      'own',
    ]);
  });

  it('takes any anchor of a page that includes a file', () => {
    const { site: read } = site('- [A](a.md)\n', { 'src/a.md': '{{#include b.md}}\n' });
    expect(read.anchors(read.outline('src/a.md'))).toBeNull();
  });

  it('resolves .md and .html links, and reads redirects', () => {
    const { errors, site: read } = site(
      '- [A](a.md)\n- [B](g/b.md)\n',
      {
        'src/a.md': '[1](g/b.md) [2](g/b.html) [3](old.html)\n[4](other.md)\n[5](x/y.md)\n',
        'src/g/b.md': '',
        'src/other.md': '',
      },
      '[output.html.redirect]\n"/old.html" = "g/b.html"\n"/dead.html" = "gone.html"\n',
    );
    expect(read.redirects.map(({ from, to }) => [from, to])).toEqual([
      ['/old', '/g/b'],
      ['/dead', '/gone'],
    ]);
    expect(errors).toContain('src/a.md:3 link x/y.md');
    expect(errors).toContain('book.toml:5 redirect /gone');
    expect(errors.filter(one => one.startsWith('src/a.md:1 '))).toEqual([]);
  });

  it('reports a book.toml that cannot be parsed and reads the rest', () => {
    const { errors, paths } = testSite({
      'book.toml': '[book\n',
      'src/SUMMARY.md': '- [A](a.md)\n',
      'src/a.md': '',
    });
    expect(errors).toEqual(['book.toml:- configuration null']);
    expect(Object.keys(paths)).toEqual(['src/a.md']);
  });
});
