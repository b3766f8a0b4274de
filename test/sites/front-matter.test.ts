import { parse } from 'yaml';
import { readFrontMatter } from '../../sites/outline/front-matter.ts';

describe('Front matter', () => {
  it.each([
    'title: Some text',
    'title: "Some: text # here"',
    "title: 'It is'",
    'a: true\nb: false\nc: null\nd: True\ne: yes',
    'a: 1\nb: 2024-01-31\nc: v1.2\nd: ~',
    'a: text # a comment',
    'a: text: more',
    'a: &x b\nc: *x',
    'a: "\\u00e9"',
    "a: 'it''s'",
    'a:\n  b: c',
    'a: [b, c]',
    'a: text\n  that goes on',
    'a: Infinity\nb: .inf\nc: NULL\nd: false ',
  ])('%j is what YAML makes of it', yaml => {
    const { members } = readFrontMatter(`---\n${yaml}\n---\nText\n`);
    expect(members).toEqual(wellFormed(yaml));
  });

  it('has titles and versions as they are written, and other numbers', () => {
    expect(readFrontMatter('---\ntitle: 1.10\nversion: 2.0\nweight: 1.0\n---\n').members).toEqual({
      title: '1.10',
      version: '2.0',
      weight: 1,
    });
  });

  it('that names a member twice is an error', () => {
    expect(readFrontMatter('---\na: b\na: c\n---\n').error?.line).toBe(3);
  });
});

/** Nothing of what cannot be parsed. */
function wellFormed(yaml: string): unknown {
  try {
    return parse(yaml);
  } catch {
    return {};
  }
}
