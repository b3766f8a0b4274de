import { type SiteFiles, testSite } from '../../support/site-files.ts';

const site = (config: string, files: SiteFiles) =>
  testSite({ 'docs/conf.py': `extensions = ["myst_parser"]\n${config}\n`, ...files });

const TREE = (...entries: string[]) => ['```{toctree}', ...entries, '```', ''].join('\n');

it('Sphinx: references, roles and anchors that a strict build refuses are dead', () => {
  const { errors } = testSite({
    'docs/conf.py': 'extensions=["myst_parser"]\nproject="A"\n',
    'docs/index.md':
      '# Home\n\n```{toctree}\na\nb\n```\n\n[1](nope.md) [2](b#head) [3](a.md#con)\n' +
      '{ref}`zzz` {doc}`T <nope>`\n[](project:#zzz) <project:nope2.md>\n\n' +
      '[ok](b.md#head) {ref}`here` {doc}`b` [](project:#here) <project:b.md> `` {ref}`no` ``\n',
    'docs/a.md': '# A <a name="con"></a>\n\n(here)=\n## H\n',
    'docs/b.md': '# B\n\n## Head\n',
  });
  expect(errors).toEqual([
    'docs/index.md:8 link nope.md',
    'docs/index.md:8 link b#head',
    'docs/index.md:8 anchor a.md#con',
    'docs/index.md:9 anchor project:#zzz',
    'docs/index.md:9 link project:nope',
    'docs/index.md:10 anchor project:#zzz',
    'docs/index.md:10 link project:nope2.md',
  ]);
});

describe('Sphinx: pages', () => {
  it('makes .html of every document; nothing is special about README', () => {
    const { urls, paths } = site('', {
      'docs/index.md': '',
      'docs/g/README.md': '',
      'docs/g/index.md': '',
    });
    expect(paths).toMatchObject({ 'docs/g/README.md': '/g/README', 'docs/g/index.md': '/g' });
    expect(urls).toEqual({
      'docs/index.md': '/index.html',
      'docs/g/README.md': '/g/README.html',
      'docs/g/index.md': '/g/index.html',
    });
  });

  it('makes folders with the builder dirhtml', () => {
    const { urls } = site('html_baseurl = "https://x.example/p/"', {
      '.readthedocs.yaml': 'sphinx:\n  builder: dirhtml\n',
      'docs/index.md': '',
      'docs/a.md': '',
    });
    expect(urls).toEqual({ 'docs/a.md': '/p/a/', 'docs/index.md': '/p/' });
  });

  it('reads source_suffix, exclude_patterns and what is appended to them', () => {
    const { paths } = site(
      'source_suffix = {".md": "markdown"}\nexclude_patterns = ["_build", "drafts/*"]\n' +
        'exclude_patterns += ["parts"]\nexclude_patterns.append("x.md")',
      {
        'docs/a.md': '',
        'docs/b.rst': '',
        'docs/drafts/c.md': '',
        'docs/parts/d.md': '',
        'docs/x.md': '',
      },
    );
    expect(Object.keys(paths)).toEqual(['docs/a.md']);
  });

  it('says how many pages are reStructuredText, and what of conf.py is computed', () => {
    const { unread } = site('exclude_patterns = find()', {
      'docs/a.md': '',
      'docs/b.rst': 'B\n=\n',
    });
    expect(unread).toEqual([
      expect.stringMatching(/^docs\/conf\.py:\S+ exclude_patterns is computed\.$/),
      expect.stringMatching(/^docs\/conf\.py:\S+ 1 pages? .*reStructuredText/),
    ]);
  });
});

describe('Sphinx: toctrees', () => {
  it('flattens nested toctrees with titles, relative and absolute names', () => {
    const { navigation, page: of } = site('', {
      'docs/index.md': TREE(':caption: Start', ':hidden:', '', 'g/index', 'The A <a>'),
      'docs/a.md': '# Own title',
      'docs/g/index.md': `# Guides\n\n${TREE('b', '/a', 'Out <https://x.example>')}`,
      'docs/g/b.md': '# B',
      'docs/orphan.md': '# O',
    });
    expect(navigation).toEqual([
      'Guides',
      'Guides > B',
      'Guides > Own title',
      'Guides > Out',
      'The A',
    ]);
    expect(of('docs/orphan.md').inNavigation).toBe(false);
    expect(of('docs/index.md').inNavigation).toBe(true);
  });

  it('reads glob and reversed', () => {
    const files = { 'docs/r/a.md': '# A', 'docs/r/b.md': '# B' };
    const read = (option: string) =>
      site('', { ...files, 'docs/index.md': TREE(':glob:', option, '', 'r/*') }).navigation;
    expect(read(':maxdepth: 1')).toEqual(['A', 'B']);
    expect(read(':reversed:')).toEqual(['B', 'A']);
  });

  it('ends where toctrees name each other', () => {
    const { navigation } = site('', {
      'docs/index.md': TREE('a'),
      'docs/a.md': `# A\n\n${TREE('b')}`,
      'docs/b.md': `# B\n\n${TREE('a', 'self')}`,
    });
    expect(navigation.slice(0, 2)).toEqual(['A', 'A > B']);
  });

  it('reports an entry without a document with its line', () => {
    const { errors } = site('', {
      'docs/index.md': `# X\n\n${TREE('a', 'gone')}`,
      'docs/a.md': '',
    });
    expect(errors).toEqual(['docs/index.md:5 navigation gone']);
  });
});

describe('Sphinx: anchors, links and redirects', () => {
  it('makes ids as docutils: ASCII, no leading digits, repeated ones id1', () => {
    const { ids } = site('', {
      'docs/a.md': '# 1. Über snake_case\n\n## Twice\n\n## Twice\n\n## 日本\n',
    });
    expect(ids('docs/a.md')).toEqual(['uber-snake-case', 'twice', 'id1', 'id2']);
  });

  it('gives the section the id of an explicit target; both work', () => {
    const { ids, errors } = site('', {
      'docs/a.md': '(My Target)=\n\n# Title\n\n[1](#title) [2](<#My Target>) [3](#none)\n',
    });
    expect(ids('docs/a.md')).toEqual(['my-target', 'title']);
    expect(errors).toEqual(['docs/a.md:5 anchor #none']);
  });

  it('adds the target of a module that reStructuredText describes further down', () => {
    const { ids } = testSite({
      'docs/conf.py': 'extensions = ["myst_parser"]\n',
      'docs/a.md':
        '# Title\n\nText.\n\n```{eval-rst}\n.. module:: kit.http\n```\n\n' +
        '```rst\n.. module:: kit.example\n```\n',
    });
    expect(ids('docs/a.md')).toEqual(['title', 'module-kit.http']);
  });

  it('gives ids in the order of the page: headings, targets, footnotes', () => {
    const { ids } = site('', {
      'docs/a.md': [
        '# Setup',
        '(setup)=',
        '## Setup',
        'Text[^1] and `[^2]`.',
        '## Setup',
        '## Straße Øre',
        '[^1]: Note.',
      ].join('\n\n'),
    });
    expect(ids('docs/a.md')).toEqual(['setup', 'id1', 'id2', 'id4', 'strasze-ore']);
  });

  it('gives the section the nearest of several targets, and makes none of headings in directives', () => {
    const { ids } = site('', {
      'docs/a.md': '(far)=\n(near)=\n# Title\n\n:::{demo}\n# Shown\n:::\n\n## Next\n',
    });
    expect(ids('docs/a.md')).toEqual(['near', 'title', 'far', 'next']);
  });

  it('adds slugs as MyST makes and counts them', () => {
    const { ids } = site('myst_heading_anchors = 2', {
      'docs/a.md': "## What's new\n\n## What's new\n\n## What's new\n\n### It's deep\n",
    });
    expect(ids('docs/a.md')).toEqual([
      ...['what-s-new', 'whats-new', 'id1', 'whats-new-1', 'id2', 'whats-new-1-2'],
      'it-s-deep',
    ]);
  });

  it('reads what else decides ids: docutils slugs and typographic quotes', () => {
    const { ids } = site(
      'myst_heading_anchors = 1\nmyst_heading_slug_func = "docutils.nodes.make_id"\n' +
        'myst_enable_extensions = ["smartquotes"]',
      { 'docs/a.md': "# What's new\n" },
    );
    expect(ids('docs/a.md')).toEqual(['whats-new', 'what-s-new']);
  });

  it('adds the section that a JSON schema makes', () => {
    const { ids } = site('', {
      'docs/a.md': '```{eval-rst}\n.. jsonschema:: ../schema.yaml\n```\n\n## Below\n',
      'schema.yaml': 'title: Server events\n',
    });
    expect(ids('docs/a.md')).toEqual(['server-events', 'below']);
  });

  it('adds the headings of an included file', () => {
    const { ids } = site('', {
      'docs/a.md': '# A\n\n```{include} part.txt\n```\n',
      'docs/part.txt': '## From part\n',
    });
    expect(ids('docs/a.md')).toEqual(['a', 'from-part']);
  });

  it('reads links in admonitions, and leaves references and objects alone', () => {
    const { errors } = site('', {
      'docs/a.md': [
        '(label)=',
        '# A',
        '```{note}',
        '[gone](x.md)',
        '```',
        '[ref](label) [object](Spawner.start) [any](#label) [project](project:b.md) [file](b.md)',
      ].join('\n'),
      'docs/b.md': '',
    });
    expect(errors).toEqual(['docs/a.md:4 link x.md']);
  });

  it('reads rediraffe as a dictionary or a file, and reports targets that do not exist', () => {
    const dictionary = site('rediraffe_redirects = {"old": "a", "older.md": "gone.md"}', {
      'docs/a.md': '',
    });
    const file = site('rediraffe_redirects = "redirects.txt"', {
      'docs/a.md': '',
      'docs/redirects.txt': '"old" "a"\nolder.md gone.md\n',
    });
    for (const { site: read } of [dictionary, file])
      expect(read.redirects.map(({ from, to }) => [from, to])).toEqual([
        ['/old', '/a'],
        ['/older', '/gone'],
      ]);
    expect(dictionary.errors).toEqual([expect.stringMatching(/^docs\/conf\.py:\S+ redirect /)]);
    expect(file.errors).toEqual([expect.stringMatching(/^docs\/redirects\.txt:\S+ redirect /)]);
  });
});
