import { call, toolContext } from './context.ts';

const FILES = {
  'docs/a.mdx':
    '---\ntitle: Foo\n---\n\nimport { Foo } from "/snippets/foo.mdx"\n\nFoo and foobar, `Foo()` in [Foo](/foo/Foo) and <Card title="Foo" />.\n\n```js\nnew Foo();\n```\n\n![Foo](/img/Foo.png)\n',
  'docs/b.md': 'Foo\r\nFOO\r\n',
  'docs/docs.json': '{"name": "Foo"}\n',
  'docs/AGENTS.md': 'Foo\n',
  'README.md': 'Foo\n',
};

async function replaced(input: Record<string, unknown>) {
  const context = toolContext(FILES, { allowMdxCode: false });
  const result = await call(context, 'replace_all', { find: 'Foo', replace: 'Bar', ...input });
  return {
    result,
    changes: new Map(
      [...(await context.workspace.changes())].map(([path, content]) => [
        path,
        content?.toString(),
      ]),
    ),
  };
}

describe('replace_all', () => {
  it('replaces in the docs folder, counts per file, and leaves instructions alone', async () => {
    const { result, changes } = await replaced({});
    expect([...changes.keys()]).toEqual(['docs/a.mdx', 'docs/b.md', 'docs/docs.json']);
    expect(changes.get('docs/b.md')).toBe('Bar\r\nFOO\r\n');
    expect(result.content).toContain(
      'Replaced 12 occurrences in 3 files:\ndocs/a.mdx: 10 (lines 2, 5, 7, 10, 13)',
    );
    expect(result.content).toContain('Left alone:\ndocs/AGENTS.md may not be changed.');
    expect(result.summary).toBe('Foo -> Bar (12 in 3 files)');
  });

  it('prose leaves code, addresses and imports', async () => {
    const { changes } = await replaced({ scope: 'prose', glob: 'a.mdx' });
    expect(changes.get('docs/a.mdx')).toBe(
      '---\ntitle: Bar\n---\n\nimport { Foo } from "/snippets/foo.mdx"\n\nBar and foobar, `Foo()` in [Bar](/foo/Foo) and <Card title="Bar" />.\n\n```js\nnew Foo();\n```\n\n![Bar](/img/Foo.png)\n',
    );
  });

  it.each([
    [
      'a.md',
      '<a href="Foo">Foo</a> <Foo> [Foo][Foo] [Foo] ![Foo][Foo] Foo[^Foo]\n\n[Foo]: /x\n[^Foo]: <code>a Foo</code> Foo\n',
      '<a href="Foo">Bar</a> <Foo> [Bar][Foo] [Foo] ![Bar][Foo] Bar[^Foo]\n\n[Foo]: /x\n[^Foo]: <code>a Foo</code> Bar\n',
    ],
    [
      'a.md',
      '<p class="Foo">\nFoo <img alt="Foo" src=\'Foo.png\' title=\'My Foo\'> <!-- Foo -->\n<code>Foo</code>\n</p>\n',
      '<p class="Foo">\nBar <img alt="Bar" src=\'Foo.png\' title=\'My Bar\'> <!-- Foo -->\n<code>Foo</code>\n</p>\n',
    ],
    [
      'a.md',
      '---\ntitle: Foo\nslug: Foo\nFoo: Foo\ntags: [Foo]\n---\n\nFoo\n',
      '---\ntitle: Bar\nslug: Foo\nFoo: Foo\ntags: [Bar]\n---\n\nBar\n',
    ],
    ['a.md', '[![Foo](Foo.png)](Foo.md)\n', '[![Bar](Foo.png)](Foo.md)\n'],
    [
      'a.mdx',
      '<Foo href="/Foo" Foo="Foo" title="Foo">\n  Foo {Foo}\n</Foo>\n\n{Foo}\n\nFoo <Foo /> <code>Foo</code> <b>Foo</b> {/* Foo */}\n',
      '<Foo href="/Foo" Foo="Foo" title="Bar">\n  Bar {Foo}\n</Foo>\n\n{Foo}\n\nBar <Foo /> <code>Foo</code> <b>Bar</b> {/* Foo */}\n',
    ],
  ])('prose in %s is what people read (%#)', async (path, text, expected) => {
    const context = toolContext({ [`docs/${path}`]: text });
    await call(context, 'replace_all', { find: 'Foo', replace: 'Bar', scope: 'prose' });
    expect(await context.workspace.readText(`docs/${path}`)).toBe(expected);
  });

  it('code changes only code', async () => {
    const { changes } = await replaced({ scope: 'code' });
    expect(changes.get('docs/a.mdx')).toBe(
      FILES['docs/a.mdx'].replace('`Foo()`', '`Bar()`').replace('new Foo', 'new Bar'),
    );
    expect(changes.size).toBe(1);
  });

  it('takes whole words and other letter cases', async () => {
    const { changes } = await replaced({
      find: 'foo',
      replace: '$&',
      whole_word: true,
      case_sensitive: false,
      glob: '*.md',
    });
    expect(changes.get('docs/b.md')).toBe('$&\r\n$&\r\n');
    const words = await replaced({ find: 'foo', whole_word: true, glob: 'a.mdx' });
    expect(words.changes.get('docs/a.mdx')).toContain('foobar');
  });

  it('takes what looks like a pattern literally, and several lines', async () => {
    const context = toolContext({ 'docs/a.md': 'a.b (c) [d] $1 -x\r\nnext\r\n' });
    await call(context, 'replace_all', { find: 'a.b (c) [d] $1 -x\nnext', replace: 'one\ntwo' });
    expect(await context.workspace.readText('docs/a.md')).toBe('one\r\ntwo\r\n');
  });

  it('a dry run shows the lines and changes nothing', async () => {
    const { result, changes } = await replaced({ dry_run: true, glob: 'b.md' });
    expect(changes.size).toBe(0);
    expect(result.content).toBe(
      'Would replace 1 occurrence in 1 file:\ndocs/b.md: 1 (line 1)\nLines:\ndocs/b.md:1: Foo',
    );
  });

  it('says when nothing occurs', async () => {
    expect((await replaced({ find: 'nowhere' })).result.content).toContain(
      'Nothing replaced: "nowhere" does not occur',
    );
    expect((await replaced({ find: 'x', replace: 'x' })).result.isError).toBe(true);
  });
});
