import { page, testSite } from '../support/site-files.ts';

const LINKS = ['/api/classes/Foo', '/playground', './api/README', '/Old/x', '/bad/', '/real-bad'];
const text = LINKS.map(link => `[x](${link})`).join('\n');
const errorsOf = (files: Record<string, string>) =>
  testSite(files).errors.map(error => error.replace(/^.* /, ''));

describe('links that the configuration takes from what is checked', () => {
  const vitepress = (value: string) =>
    errorsOf({
      '.vitepress/config.ts': `export default { ignoreDeadLinks: ${value} };`,
      'index.md': text,
    });

  it.each([
    ['false', LINKS],
    ['true', []],
    ["'localhostLinks'", LINKS],
    [String.raw`[/^\/api\//, '/playground', /README$/, /^\/old/i]`, ['/bad/', '/real-bad']],
    ["['./api/README', '/bad/index']", LINKS.filter(link => !/README|bad\/$/.test(link))],
    ["['/playground', link => link.includes('x')]", []],
  ])('are no errors: ignoreDeadLinks: %s of VitePress', (value, left) => {
    expect(vitepress(value)).toEqual(left);
  });

  it('are no errors: exclude of the plugin of Starlight', () => {
    const starlight = (options: string) =>
      errorsOf({
        'astro.config.mjs': `import starlight from '@astrojs/starlight';
          import starlightLinksValidator from 'starlight-links-validator';
          export default { integrations: [
            starlight({ title: 'X', plugins: [starlightLinksValidator(${options})] }) ] };`,
        'src/content/docs/index.md': page({ title: 'A' }, '[x](/api/a/b#c) [x](/gone) [x](/#no)'),
      });
    expect(starlight('')).toEqual(['/api/a/b#c', '/gone', '/#no']);
    expect(starlight("{ exclude: ['/api/**'] }")).toEqual(['/gone', '/#no']);
    expect(starlight("{ exclude: ['/gone'], errorOnInvalidHashes: false }")).toEqual([
      '/api/a/b#c',
    ]);
  });

  it('are no errors: suppress_warnings of Sphinx', () => {
    const sphinx = (names: string) =>
      errorsOf({
        'docs/conf.py': `project = 'X'\nextensions = ['myst_parser']\nsuppress_warnings = ${names}\n`,
        'docs/index.md': '# A\n\n[x](gone.md)\n\n![x](gone.png)\n',
      });
    expect(sphinx('[]')).toEqual(['gone.md', 'gone.png']);
    expect(sphinx("['myst.xref_missing', 'image.not_readable']")).toEqual([]);
    expect(sphinx("['image']")).toEqual(['gone.md']);
  });

  it('are no errors: exclude of the checker of mdBook', () => {
    const book = (toml: string) =>
      errorsOf({
        'book.toml': `[book]\ntitle = "X"\n${toml}`,
        'src/SUMMARY.md': '- [A](a.md)\n',
        'src/a.md': '[x](api/gone.md) [x](gone.md)\n',
      });
    expect(book('')).toEqual(['api/gone.md', 'gone.md']);
    expect(book("[output.linkcheck]\nexclude = ['^api/']\n")).toEqual(['gone.md']);
  });
});
