import { FORMS, readInstruction } from '../../offline-model/forms.ts';

/** What an instruction asks for, in short; null where it is declined. */
function meaning(text: string): (string | undefined)[][] | null {
  return readInstruction(text)?.map(({ kind, values }) => [kind, ...values]) ?? null;
}

describe('reading instructions', () => {
  it.each<[string, (string | undefined)[]]>([
    ['Replace "a b" with "c." in docs/en', ['replace', 'a b', 'c.', 'docs/en']],
    ['please rename “a” to `b`.', ['rename', 'a', 'b', undefined]],
    ['Rename "a" to "" in "my guides/a.md"', ['rename', 'a', '', 'my guides/a.md']],
    ['fix broken links in guides/', ['links', 'guides/']],
    ['Set the sidebarTitle of a.md to "x: y"', ['frontmatter', 'sidebarTitle', 'a.md', 'x: y']],
    ['Append the line "- x" to docs/log.md', ['append', '- x', 'docs/log.md']],
    ['Append the text "x\n\ny." to log.md', ['append', 'x\n\ny.', 'log.md']],
    ['Add a page faq.md titled "FAQ"', ['add-page', 'faq.md', 'FAQ', undefined]],
    ['Add a section "S" to a.md with the text "t"', ['add-section', 'S', 'a.md', 't']],
  ])('%s', (text, expected) => {
    expect(meaning(text)).toEqual([expected]);
  });

  it.each([
    'Rename "a" to "b". Fix broken links.',
    '- Rename "a" to "b"\n- Fix broken links',
    'Rename "a" to "b" and then fix broken links',
    '1. Please rename "a" to "b";\n2. then fix broken links.\n',
  ])('reads several in order: %j', text => {
    expect(meaning(text)?.map(([kind]) => kind)).toEqual(['rename', 'links']);
  });

  it.each([
    'Rename a to b',
    'Append the line "x" to a.md under the section "Done"',
    'Rename "a" to "b" everywhere',
    'Rename "a" to "b" in code blocks',
    'Rename "a" to "b" except in c.md',
    'Rename "a" to "b" in c.md, d.md',
    'Rename "a" to "b". Do not touch c.md.',
    'Rename "a" to "b", but only the first time',
    'Dry run: rename "a" to "b"',
    'Do not rename "a" to "b"',
    'In c.md, rename "a" to "b"',
    'Replace "a" with "b" and "c" with "d"',
    'Append the line "say "hi"" to a.md',
    'Fix typos',
    'Move the page a.md to b.md',
    'Delete the page a.md',
    'Write a tutorial about webhooks',
    '',
  ])('declines as a whole what is not a form to its last word: %s', text => {
    expect(meaning(text)).toBeNull();
  });

  it('reads long texts in linear time', () => {
    const started = performance.now();
    expect(meaning(`Replace "${'a" with '.repeat(20_000)}`)).toBeNull();
    expect(meaning(`${'Fix broken links. '.repeat(100)}x`)).toBeNull();
    expect(meaning(`Append the text "${'x\n'.repeat(50_000)}" to a.md`)).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('has one pattern for each form, without two that read the same', () => {
    expect(new Set(FORMS.map(({ form }) => form)).size).toBe(FORMS.length);
  });
});
