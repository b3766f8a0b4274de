import { candidateFiles, cleanSitePath, sitePath } from '../../sites/page-path.ts';

describe('site paths', () => {
  it.each([
    ['docs', 'docs/install.mdx', '/install'],
    ['docs', 'docs/guides/index.md', '/guides'],
    ['docs', 'docs/guides/README.md', '/guides'],
    ['docs', 'docs/index.mdx', '/'],
    ['', 'guides/deep/page.md', '/guides/deep/page'],
    ['', 'README.md', '/'],
    ['site/docs', 'site/docs/v1.2.md', '/v1.2'],
  ])('in "%s", %s is %s', (folder, file, path) => {
    expect(sitePath(folder, file)).toBe(path);
    expect(candidateFiles(folder, path)).toContain(file);
  });

  it.each([
    ['docs', 'docs/logo.png'],
    ['docs', 'README.md'],
    ['docs', 'docs-old/a.md'],
    ['docs', 'docs/.md'],
  ])('in "%s", %s is no page', (folder, file) => {
    expect(sitePath(folder, file)).toBeUndefined();
  });

  it.each([
    ['guides/install', '/guides/install'],
    ['/guides/install/', '/guides/install'],
    ['/guides/install.mdx?x=1#step-2', '/guides/install'],
    ['/guides/index', '/guides'],
    ['//guides//./a%20b', '/guides/a b'],
    ['/broken%zz', '/broken%zz'],
    ['', '/'],
  ])('%s is cleaned to %s', (written, path) => {
    expect(cleanSitePath(written)).toBe(path);
  });

  it('prefers the file that sites prefer', () => {
    expect(candidateFiles('docs', '/guides').slice(0, 3)).toEqual([
      'docs/guides.mdx',
      'docs/guides.md',
      'docs/guides/index.mdx',
    ]);
  });
});
