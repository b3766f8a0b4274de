import { parsePage } from '../../shared/site/markdown.ts';

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
  it.each<[string, string]>([
    ['a.md', '!['.repeat(20_000) + '](x)'.repeat(20_000)],
    ['a.md', '*a_ '.repeat(20_000)],
    ['a.mdx', `a\n${'[a](b\n'.repeat(20_000)}`],
    ['a.md', '> '.repeat(5_000)],
    ['a.md', '- '.repeat(5_000)],
    ['a.md', Array.from({ length: 600 }, (_, level) => `${'  '.repeat(level)}- a\n`).join('')],
  ])('%s is refused at once', (path, text) => {
    const started = process.cpuUsage();
    expect(parsePage(path, text).error).toMatchObject({ line: expect.any(Number), message: expect.stringMatching(/More than/) });
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5_000);
  });

  it('what people write is not: long tables, lists, rules and code', () => {
    const long = [
      `| a | b |\n|---|---|\n${'| [x](/y) | **z** |\n'.repeat(1_500)}`,
      '- [x](/y) and *z*\n'.repeat(1_500),
      `\`\`\`json\n${'[["a_b"]],\n'.repeat(3_000)}\`\`\``,
      `1. step\n\n   \`\`\`json\n${'   [["a_b"]],\n'.repeat(2_000)}   \`\`\``,
      '-'.repeat(500),
      '> > > three',
    ].join('\n\n');
    expect(parsePage('a.md', long).error).toBeUndefined();
  });
});
