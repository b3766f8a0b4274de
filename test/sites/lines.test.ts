import { type SiteFiles, testSite } from '../support/site-files.ts';

const PAGE = { 'docs/a.md': '# A' };

/** `file:line` of every redirect and problem. */
function places(files: SiteFiles): string[] {
  const { site } = testSite(files);
  return [...site.redirects, ...site.problems, ...site.unread].map(
    ({ file, line }) => `${file}:${line ?? '-'}`,
  );
}

describe('the line of what is wrong, or leads elsewhere', () => {
  it.each<[string, SiteFiles, string[]]>([
    [
      'MkDocs: nav and redirects',
      {
        ...PAGE,
        'mkdocs.yml':
          'site_name: a.md\n# gone.md\nplugins:\n  - redirects:\n      redirect_maps:\n        old.md: a.md\n        older.md: gone.md\nnav:\n  - a.md\n  # gone.md\n  - Gone: gone.md\n',
      },
      ['mkdocs.yml:6', 'mkdocs.yml:7', 'mkdocs.yml:11', 'mkdocs.yml:7'],
    ],
    [
      'MkDocs: a nav that is inherited',
      { ...PAGE, 'mkdocs.yml': 'INHERIT: base.yml\n', 'base.yml': '\nnav:\n  - gone.md\n' },
      ['base.yml:3'],
    ],
    [
      'docs.json',
      {
        'docs.json':
          '{\n  "navigation": {\n    "pages": [\n      "a",\n      "gone"\n    ]\n  },\n  "redirects": [\n    { "source": "/x", "destination": "/a" }\n  ]\n}\n',
        'a.mdx': '',
      },
      ['docs.json:9', 'docs.json:5'],
    ],
    [
      'mdBook',
      {
        'book.toml': '[output.html.redirect]\n# "/x.html"\n"/x.html" = "a.html"\n',
        'src/SUMMARY.md': '- [A](a.md)\n',
        'src/a.md': '',
      },
      ['book.toml:3'],
    ],
    [
      'Sphinx',
      {
        'conf.py':
          'project = "X"\nextensions = ["myst_parser"]\nexclude_patterns = make()\nrediraffe_redirects = {\n    "old.md": "index.md",\n}\nredirects = {"older": "index.html"}\n',
        'index.md': '# X\n',
      },
      ['conf.py:5', 'conf.py:7', 'conf.py:3'],
    ],
    [
      'arrays that code changes after they are written',
      {
        'docusaurus.config.js':
          'module.exports = { presets: [["classic", { docs: { sidebarPath: "./sidebars.js" } }]] };',
        'sidebars.js':
          "const docs = ['a'];\nfor (const name of names) docs.push(name);\nmodule.exports = { docs };\n",
        ...PAGE,
      },
      ['sidebars.js:2'],
    ],
  ])('%s', (_, files, expected) => {
    expect(places(files)).toEqual(expected);
  });

  it('names a list that Object.assign or an assignment changes', () => {
    const config = (change: string) => ({
      '.vitepress/config.ts': `const theme = { sidebar: [{ text: 'A', link: '/a' }] };\n${change}\nexport default { themeConfig: theme };`,
      'a.md': '',
    });
    for (const change of ['theme.sidebar = make();', 'theme.sidebar[0].items.push(x);'])
      expect(testSite(config(change)).unread).toEqual([
        '.vitepress/config.ts:2 The configuration is changed by code.',
      ]);
    expect(testSite(config('')).unread).toEqual([]);
  });
});
