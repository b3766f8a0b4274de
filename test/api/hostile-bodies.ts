const MIB = 1024 * 1024;

/** As many of an item as a body can have, in so many characters. */
const filled = (item: string, size = 4 * MIB - 200) =>
  Array.from({ length: Math.floor(size / (item.length + 1)) }, () => item).join(',');
const of = (parts: string) =>
  `{"fp":"","messages":[{"role":"user","parts":[${parts}]}],"threadId":7}`;
const text = (character: string, size: number) =>
  of(`{"type":"text","text":"${character.repeat(size)}"}`);
const names = Array.from({ length: 19_000 }, (_, i) => `"${i}${'k'.repeat(190)}":1`).join(',');

/**
 * Bodies for the assistant's messages that are dear to read, each close to the limit of size, of
 * members or of depth, and each refused: name, body.
 */
export const HOSTILE_BODIES: readonly [name: string, body: string][] = [
  ['one text', text('y', 4 * MIB - 200)],
  ['emoji', text('😀', MIB - 100)],
  ['escapes', text('\\u0000', (4 * MIB) / 6 - 100)],
  ['escaped signs', text('\\u20ac', (4 * MIB) / 6 - 100)],
  ['quotes', text('\\"', 2 * MIB - 100)],
  ['quotes and signs', text('\\"€', (4 * MIB) / 5 - 100)],
  ['many parts', of(filled(`{"type":"text","text":"${'y'.repeat(140)}"}`))],
  ['as many parts as it may have', of(filled('{"type":"text","text":1}', 240_000))],
  ['wrong parts', of(filled(`{"type":1,"text":"${'y'.repeat(140)}"}`))],
  ['tiny items', of(filled('[]'))],
  ['objects', of(filled('{"a":{}}'))],
  ['prototypes', of(filled('{"__proto__":{}}'))],
  ['as many prototypes as it may have', of(filled('{"__proto__":{}}', 160_000))],
  ['parts of texts', of(filled(`["${'y'.repeat(80)}"]`))],
  ['prototypes in texts', of(filled(`{"__proto__":{},"x":"${'y'.repeat(140)}"}`))],
  ['many messages', `{"messages":[${filled('{"role":"x"}')}]}`],
  ['as many messages as it may have', `{"messages":[${filled('{"role":"x"}', 120_000)}]}`],
  ['numbers', `{"trigger":[${filled('1')}]}`],
  ['one number', `{"trigger":${'1'.repeat(4 * MIB - 200)}}`],
  ['members', `{${filled('"abcdef":1')}}`],
  ['long names', `{"trigger":{${names}}}`],
  [
    'texts',
    `{"context":[${filled(`{"type":"code","value":"${'😀'.repeat(20)}","path":3}`, 2 * MIB)}]}`,
  ],
  ['no JSON', `{"fp": ${' '.repeat(4 * MIB - 200)}`],
];
