import { jsonText } from '../../db/json.ts';

it.each([
  ['plain text', 'a "quoted" \\ line\n', 'a "quoted" \\ line\n'],
  ['whole characters beyond the first plane', '🎉', '🎉'],
  ['U+0000', 'a\u0000b', 'a\uFFFDb'],
  ['the first half of a character', 'a\uD83C', 'a\uFFFD'],
  ['the second half', '\uDF89b', '\uFFFDb'],
  ['a text that spells an escape', '\\u0000 \\ud83c', '\\u0000 \\ud83c'],
  ['a backslash before U+0000', '\\\u0000', '\\\uFFFD'],
])('takes %s', (_name, text, kept) => {
  expect(JSON.parse(jsonText({ [text]: [text] }))).toEqual({ [kept]: [kept] });
});
