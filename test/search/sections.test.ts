import { parseIndexPage } from '../../search/indexing/parse-page.ts';

const read = (source: string, file = 'docs/a/page.mdx') => parseIndexPage(file, '/a/page', source);

describe('sections', () => {
  it('are what stands under each heading, with anchors and the headings above', () => {
    const { title, sections } = read(
      '---\ntitle: Install\n---\n\nIntro.\n\n## Linux\n\nUse a package.\n\n' +
        '### Debian `apt`\n\n```sh\napt install x\n```\n\n## Linux\n\nAgain.\n',
    );
    expect(title).toBe('Install');
    expect(
      sections.map(({ anchor, heading, crumbs, text }) => ({ anchor, heading, crumbs, text })),
    ).toEqual([
      { anchor: null, heading: 'Install', crumbs: [], text: 'Intro.' },
      { anchor: 'linux', heading: 'Linux', crumbs: [], text: 'Use a package.' },
      {
        anchor: 'debian-apt',
        heading: 'Debian apt',
        crumbs: ['Linux'],
        text: '```sh\napt install x\n```',
      },
      { anchor: 'linux-1', heading: 'Linux', crumbs: [], text: 'Again.' },
    ]);
    expect(sections[2]).toMatchObject({ prose: '', code: 'apt install x\n' });
  });

  it('hold what components say, in attributes and inside', () => {
    const { sections } = read(
      [
        '---',
        'title: API',
        '---',
        'import { Card } from "x"',
        '',
        '<Tabs>',
        '<Tab title="Node">',
        '',
        '### Set up',
        '',
        'Run **npm**.',
        '',
        '</Tab>',
        '</Tabs>',
        '',
        '<ParamField body="retries" type="number">How often.</ParamField>',
        '',
        '{/* hidden remark */}',
        '',
        '<Card title="Next" href="/next" className="wide" />',
        '',
      ].join('\n'),
    );
    expect(sections.map(section => [section.anchor, section.text])).toEqual([
      [null, 'Node'],
      ['set-up', 'Run npm.\n\nretries number How often.\n\nNext'],
    ]);
  });

  it('of Markdown keep lists, tables and the text of HTML, and a custom anchor', () => {
    const { title, sections } = read(
      '# Limits\n\n- one\n- two\n\n  more\n\n1. first\n\n| a | b |\n|---|---|\n' +
        '| 1 | 2 |\n\n<details><summary>Why?</summary></details>\n\n' +
        '## Rate {#rate-limits}\n\nTen.\n',
      'docs/a/page.md',
    );
    expect(title).toBe('Limits');
    expect(sections[0]?.text).toBe(
      '- one\n\n- two\n\nmore\n\n1. first\n\n| a | b |\n| 1 | 2 |\n\nWhy?',
    );
    expect(sections[0]?.anchor).toBeNull();
    expect(sections[1]).toMatchObject({ anchor: 'rate-limits', heading: 'Rate', text: 'Ten.' });
  });

  it('of MDX that does not parse are read as Markdown', () => {
    expect(
      read('# A\n\nText <b.\n\n## B {oops\n\nMore.\n').sections.map(section => section.text),
    ).toEqual(['Text <b.', 'More.']);
  });

  it('that are long go on under the same heading, and lose nothing', () => {
    const lines = Array.from({ length: 2_000 }, (_, i) => `line number ${i}`);
    const { sections } = read(`## Log\n\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`);
    expect(sections.length).toBeGreaterThan(4);
    expect(new Set(sections.map(section => section.anchor))).toEqual(new Set(['log']));
    expect(Math.max(...sections.map(section => section.text.length))).toBeLessThanOrEqual(6_100);
    expect(
      sections.flatMap(section => section.code.split('\n')).filter(line => line !== ''),
    ).toEqual(lines);
  });

  it('of a page without text are its description', () => {
    expect(
      read('---\ntitle: List users\ndescription: Every user, page by page\n---\n').sections,
    ).toMatchObject([{ text: 'Every user, page by page' }]);
  });
});

describe('a page', () => {
  it('reads what frontmatter says of it, and the navigation only where that is silent', () => {
    const page = parseIndexPage(
      'a.mdx',
      '/a',
      '---\ntitle: A\nversion: 2\ngroups: [staff, beta]\nboost: 99\nkeywords: x, y\n---\nText',
      { version: 'v1', language: 'fr', boost: 2 },
    );
    expect(page).toMatchObject({
      version: '2',
      language: 'fr',
      groups: ['staff', 'beta'],
      boost: 10,
      keywords: ['x', 'y'],
      searchable: true,
      content: 'Text',
    });
    expect(parseIndexPage('a.mdx', '/a', 'Text', { boost: 2 }).boost).toBe(2);
  });

  it.each([
    ['searchable: false', false],
    ['hidden: true', false],
    ['noindex: true', false],
    ['hidden: true\nsearchable: true', true],
    ['title: A', true],
  ])('with "%s" is searchable: %s', (matter, searchable) => {
    expect(read(`---\n${matter}\n---\nText`).searchable).toBe(searchable);
  });

  it('has a title whatever it lacks', () => {
    expect(parseIndexPage('a.md', '/guides/first-steps', 'Text').title).toBe('First steps');
    expect(parseIndexPage('a.md', '/', '```sh\n# not a heading\n```').title).toBe('Home');
    expect(read('---\ntitle: [broken\n---\n# Real\n').title).toBe('Real');
  });
});
