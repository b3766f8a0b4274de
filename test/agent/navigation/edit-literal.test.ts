import { insertPart, removePart } from '../../../agent/navigation/code-navigation/edit-literal.ts';
import { ModuleReader } from '../../../sites/code/read-module.ts';
import {
  quoted,
  styleOf,
  writeShape,
} from '../../../agent/navigation/code-navigation/write-literal.ts';

const START = 'export default ';

function literalOf(written: string) {
  const text = `${START}${written};\n`;
  const value = new ModuleReader(() => text).defaultExport('x.ts');
  if (value?.kind !== 'array' && value?.kind !== 'object') throw new Error('no literal');
  return { text, literal: value.literal };
}
const bare = (text: string) => text.slice(START.length, -2);
const inserted = (written: string, index: number, part = "'new'") => {
  const { text, literal } = literalOf(written);
  return bare(insertPart(text, literal, index, part));
};
const removed = (written: string, index: number) => {
  const { text, literal } = literalOf(written);
  return bare(removePart(text, literal, index));
};

const ON_LINES = `[
  'a', // first
  // about b
  'b',
  /* c */ 'c',
]`;

describe('an element put into an array', () => {
  it.each([
    ["['a', 'b']", 0, "['new', 'a', 'b']"],
    ["['a', 'b']", 1, "['a', 'new', 'b']"],
    ["['a', 'b']", 2, "['a', 'b', 'new']"],
    ["['a', 'b',]", 2, "['a', 'b', 'new',]"],
    ["[ 'a' ]", 1, "[ 'a', 'new' ]"],
    ['[]', 0, "['new']"],
    ["['a', ...more]", 1, "['a', 'new', ...more]"],
    ["[('a'), 'b']", 1, "[('a'), 'new', 'b']"],
    ["[['a', { x: [1, 2] }], 'b']", 1, "[['a', { x: [1, 2] }], 'new', 'b']"],
  ])('on one line: %s at %d', (before, index, after) => {
    expect(inserted(before, index)).toBe(after);
  });

  it.each([
    [0, ON_LINES.replace("  'a',", "  'new',\n  'a',")],
    [1, ON_LINES.replace('// first\n', "// first\n  'new',\n")],
    [2, ON_LINES.replace("  'b',\n", "  'b',\n  'new',\n")],
    [3, ON_LINES.replace("'c',\n", "'c',\n  'new',\n")],
  ])('on lines, with comments between, at %d', (index, after) => {
    expect(inserted(ON_LINES, index)).toBe(after);
  });

  it('behind a last element without a comma', () => {
    expect(inserted("[\n  'a',\n  'b' // last\n]", 2)).toBe(
      "[\n  'a',\n  'b', // last\n  'new'\n]",
    );
  });

  it('where several elements share a line', () => {
    expect(inserted("[\n  'a', 'b',\n  'c',\n]", 1)).toBe("[\n  'a', 'new', 'b',\n  'c',\n]");
    expect(inserted("[\n  'a', 'b',\n  'c',\n]", 2)).toBe("[\n  'a', 'b',\n  'new',\n  'c',\n]");
  });

  it('into nothing but a comment', () => {
    expect(inserted('[\n  // none yet\n]', 0)).toBe("[\n  // none yet\n  'new',\n]");
  });

  it('keeps tabs and Windows line ends, and indents further lines', () => {
    expect(inserted("[\r\n\t'a',\r\n]", 1, '{\n\tx: 1,\n}')).toBe(
      "[\r\n\t'a',\r\n\t{\r\n\t\tx: 1,\r\n\t},\r\n]",
    );
  });
});

describe('an element taken out of an array', () => {
  it.each([
    ["['a', 'b', 'c']", 0, "['b', 'c']"],
    ["['a', 'b', 'c']", 1, "['a', 'c']"],
    ["['a', 'b', 'c']", 2, "['a', 'b']"],
    ["['a', 'b',]", 1, "['a',]"],
    ["['a']", 0, '[]'],
    ["[ 'a' ]", 0, '[]'],
    ["[\n  'a',\n  'b' // last\n]", 1, "[\n  'a'\n]"],
    ["[\n  'a'\n  , 'b'\n]", 1, "[\n  'a'\n]"],
    ["[\n  'a', 'b',\n  'c',\n]", 1, "[\n  'a',\n  'c',\n]"],
    ["[\n  'a', 'b',\n  'c',\n]", 0, "[\n  'b',\n  'c',\n]"],
    ['[{ x: 1 }, {\n  y: 2,\n}]', 1, '[{ x: 1 }]'],
    ['{ a: 1, b: 2 }', 0, '{ b: 2 }'],
  ])('%j at %d', (before, index, after) => {
    expect(removed(before, index)).toBe(after);
  });

  it('takes the comment behind it on its line, and keeps those above', () => {
    expect(removed(ON_LINES, 0)).toBe(ON_LINES.replace("  'a', // first\n", ''));
    expect(removed(ON_LINES, 1)).toBe(ON_LINES.replace("  'b',\n", ''));
    expect(removed(ON_LINES, 2)).toContain('/* c */');
  });

  it('gives back what was there before an element was put in', () => {
    for (const written of [ON_LINES, "['a', 'b']", "[\n  'a',\n  'b'\n]", "['a', 'b',]"])
      for (const index of [0, 1, 2]) expect(removed(inserted(written, index), index)).toBe(written);
  });
});

describe('a value in the style of its file', () => {
  const style = (text: string, file = 'x.ts') =>
    styleOf(file, text, new ModuleReader(() => text).defaultExport(file));
  const entry = { text: 'A', link: '/a' };

  it.each([
    ["export default { link: '/', text: 'x' };", "{ link: '/a', text: 'A' }"],
    ['export default {link: "/", text: "x"};', '{link: "/a", text: "A"}'],
    ["export default { 'text': 'x' };", "{ 'text': 'A', 'link': '/a' }"],
    ["export default {\n  text: 'x',\n};", "{\n  text: 'A',\n  link: '/a',\n}"],
    ["export default {\n\ttext: 'x'\n};", "{\n\ttext: 'A',\n\tlink: '/a'\n}"],
  ])('like %j', (model, written) => {
    expect(writeShape(entry, style(model))).toBe(written);
  });

  it('as JSON in a JSON file', () => {
    expect(writeShape(entry, style('{"text": "x"}', 'x.json'))).toBe('{"text": "A", "link": "/a"}');
  });

  it('puts the lists of a group on lines of their own', () => {
    const group = { label: 'G', items: [entry] };
    expect(writeShape(group, style("export default { label: 'x' };"))).toBe(
      "{\n  label: 'G',\n  items: [\n    { text: 'A', link: '/a' },\n  ],\n}",
    );
  });

  it('escapes what a text holds', () => {
    for (const text of ["It's", '"x"', `'"\\`, '\\"', 'a\nb', '</script>']) {
      for (const quote of ["'", '"'] as const) {
        const code = `export default ${quoted(text, quote)};`;
        expect(new ModuleReader(() => code).defaultExport('x.ts')).toMatchObject({ value: text });
      }
    }
  });
});
