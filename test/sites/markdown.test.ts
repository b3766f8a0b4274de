import { parsePage } from '../../sites/markdown.ts';
import { SLOW } from '../support/slow.ts';

describe('parsePage', () => {
  it('reads frontmatter and where the body begins', () => {
    const text = '---\ntitle: A\r\ntags: [x]\n---\r\n# A\n';
    const page = parsePage('a.md', text);
    expect(page.frontmatter).toEqual({ title: 'A', tags: ['x'] });
    expect(text.slice(page.bodyOffset)).toBe('# A\n');
    expect(page.error).toBeUndefined();
    expect(parsePage('a.md', 'no frontmatter\n').bodyOffset).toBe(0);
  });

  it.each<[string, string, string, number | null]>([
    ['a.mdx', '# A\n\n<Card>\n', 'mdx', 3],
    ['a.mdx', '# A\n\n{1 +}\n', 'mdx', 3],
    ['a.mdx', 'import from\n', 'mdx', 1],
    ['a.mdx', '<!-- comment -->\n', 'mdx', 1],
    ['a.md', '---\ntitle: "A\n---\n', 'frontmatter', 2],
    ['a.md', '---\na: 1\na: 2\n---\n', 'frontmatter', 3],
    ['a.md', '---\n- a\n---\n', 'frontmatter', 1],
  ])('%s %j', (path, text, rule, line) => {
    const { error, tree } = parsePage(path, text);
    expect(error).toMatchObject({ rule, message: expect.stringMatching(/./) });
    if (line !== null) expect(Math.abs((error?.line ?? 0) - line)).toBeLessThanOrEqual(1);
    expect(tree.children.length).toBeGreaterThan(0);
  });

  it('takes HTML and braces in Markdown', () => {
    expect(parsePage('a.md', '<!-- x --> <br> {a} <Card>\n').error).toBeUndefined();
  });
});

describe('texts that would keep the parser busy for minutes', () => {
  const texts: [string, string][] = [
    ['a.md', '!['.repeat(20_000) + '](x)'.repeat(20_000)],
    ['a.md', '*a_ '.repeat(20_000)],
    ['a.mdx', `a\n${'[a](b\n'.repeat(20_000)}`],
    ['a.md', '> '.repeat(5_000)],
    ['a.md', '- '.repeat(5_000)],
    ['a.md', 'a <?'.repeat(30_000)],
    ['a.md', 'a <!--'.repeat(10_000)],
    ['a.md', 'a <!x '.repeat(10_000)],
    ['a.md', Array.from({ length: 1_400 }, (_, length) => `${'`'.repeat(length)} `).join('')],
    ['a.md', `http://a.example/${'!'.repeat(20_000)}x`],
    ['a.md', `| a\n${'| <?\n'.repeat(4_000)}`],
    ['a.md', `> \`\`\`\n${'!['.repeat(20_000)}`],
    ['a.mdx', `text\nexport const a = [\n${'!['.repeat(20_000)}`],
    ['a.md', `${'a* '.repeat(1_500)}\n\n`.repeat(12)],
    ['a.md', 'five words in each line\n'.repeat(5_000)],
    ['a.md', Array.from({ length: 600 }, (_, level) => `${'  '.repeat(level)}- a\n`).join('')],
  ];
  it.each(SLOW ? texts : texts.filter((_, n) => n % 2 === 0))(
    '%s is refused at once',
    (path, text) => {
      expect(parsePage(path, text).error).toMatchObject({
        line: expect.any(Number),
        message: expect.stringMatching(/More than|Too many/),
      });
    },
  );

  it('what people write is not: long tables, lists, rules and code', () => {
    const long = [
      `| a | b |\n|---|---|\n${'| [x](/y) | **z** |\n'.repeat(700)}`,
      '- [x](/y) and *z*\n'.repeat(700),
      `\`\`\`json\n${'[["a_b"]],\n'.repeat(1_500)}\`\`\``,
      `1. step\n\n   \`\`\`json\n${'   [["a_b"]],\n'.repeat(1_200)}   \`\`\``,
      '-'.repeat(500),
      '> > > three',
      `<table>\n${'<tr><td>A_B_C</td><td>D_E_F</td><td>G_H_I</td></tr>\n'.repeat(1_000)}</table>`,
      Array.from(
        { length: 2_001 },
        (_, number) => `[a_${number}]: https://a.example/b_${number}`,
      ).join('\n'),
    ].join('\n\n');
    expect(parsePage('a.md', long).error).toBeUndefined();
  });

  it('data in a module of MDX is not either', () => {
    const { tree, error } = parsePage(
      'a.mdx',
      `export const codes = [\n${'["ERR_CODE_1", " meaning_ ", [1]],\n'.repeat(1_700)}];\n\n` +
        '# Codes\n',
    );
    expect(error).toBeUndefined();
    expect(tree.children.map(({ type }) => type)).toEqual(['mdxjsEsm', 'heading']);
  });

  it.each([
    ['an expression that is parsed again at each brace', `{[\n${'{},\n'.repeat(5_000)}`],
    [
      'a module that is parsed again at each empty line',
      `export const a = [\n${'1,\n\n'.repeat(5_000)}];\n`,
    ],
    [
      'data of more lines than anybody looks up',
      `export const a = [\n${'{ name: "a", value: "b" },\n'.repeat(6_000)}];\n`,
    ],
  ])('%s is too much code', (_, body) => {
    const { error, frontmatter } = parsePage('a.mdx', `---\ngroups: [staff]\n---\n\n${body}`);
    expect(error).toMatchObject({ rule: 'mdx', message: expect.stringContaining('Too much code') });
    expect(frontmatter).toEqual({ groups: ['staff'] });
  });

  it('code that people write in a page is not', () => {
    const { error } = parsePage(
      'a.mdx',
      `<Table rows={[\n${'  { name: "a", value: { of: "b" } },\n'.repeat(200)}]} />\n\n` +
        'Set {props.name} to <b>{1}</b>.\n\n'.repeat(500),
    );
    expect(error).toBeUndefined();
  });

  it('a module that cannot be parsed is text, and counts', () => {
    const { error } = parsePage(
      'a.mdx',
      `export const a = [\n${'!['.repeat(20_000)}${'](x)'.repeat(20_000)}`,
    );
    expect(error?.rule).toBe('mdx');
  });

  it.each<[string, string, string[]]>([
    [
      'a.md',
      `# A\n\n${'a <?'.repeat(20_000)}\n\n\`\`\`\ncode\n\`\`\`\n`,
      ['yaml', 'heading', 'paragraph', 'code'],
    ],
    [
      'a.mdx',
      `# A\n\n${'*a [ '.repeat(10_000)}\n\n<Card>b</Card>\n`,
      ['yaml', 'heading', 'paragraph', 'paragraph'],
    ],
    ['a.md', `# A\n\n${'> '.repeat(200)}deep\n`, ['yaml', 'heading', 'paragraph']],
    ['a.md', '!['.repeat(100_000), ['yaml', 'paragraph']],
  ])('of one that is refused, frontmatter and plain text are read: %s', (path, body, types) => {
    const page = parsePage(path, `---\ngroups: [staff]\n---\n${body}`);
    expect(page).toMatchObject({
      frontmatter: { groups: ['staff'] },
      bodyOffset: 24,
      error: { message: expect.any(String) },
    });
    expect(page.tree.children.map(({ type }) => type)).toEqual(types);
  });
});
