import { InnerText } from '../../shared/text/inner-text.ts';

type Holds = ConstructorParameters<typeof InnerText>[0];

function shown(text: string, length: number, holds: Holds): string {
  const inner = new InnerText(holds);
  let all = '';
  for (let at = 0; at < text.length; at += length) all += inner.read(text.slice(at, at + length));
  return all + inner.end();
}

describe('what a model says to itself', () => {
  it.each<[what: string, text: string, shown: string]>([
    ['plain text', 'Use <b>it</b>, a < b, [x].', 'Use <b>it</b>, a < b, [x].'],
    ['thoughts', '<think>The user asks [1].</think>\n\nUse it [1].', 'Use it [1].'],
    ['thoughts in other words', '<Thinking>\nHm `\n</Thinking>Use `it`.', 'Use `it`.'],
    ['thoughts later', 'Use it.\n<reasoning>no</reasoning> Or not.', 'Use it.\n Or not.'],
    ['thoughts without an end', 'Use it.<think>and then', 'Use it.'],
    ['nothing but thoughts', '<think>and then', ''],
    [
      'channels',
      '<|channel|>analysis<|message|>The user asks.<|end|><|start|>assistant<|channel|>final<|message|>Use it.<|return|>',
      'Use it.',
    ],
    ['a channel that is cut', '<|channel|>analysis<|message|>The user asks.', ''],
    ['control tokens', 'Use it.<|im_end|>', 'Use it.'],
    ['tool calls', 'Use it.\n<tool_call>\n{"name":"search"}\n</tool_call>', 'Use it.\n'],
    ['tool calls without an end', 'Use it. [TOOL_CALLS][{"name":"search"}]', 'Use it. '],
    [
      'tags in code',
      'Write `<think>` or\n```\n<think>\n```\nso.',
      'Write `<think>` or\n```\n<think>\n```\nso.',
    ],
  ])('%s', (_what, text, expected) => {
    for (const holds of ['nothing', 'beginning', 'all'] as const)
      for (const length of [1, 2, 3, 7, text.length])
        expect([holds, length, shown(text, length, holds)]).toEqual([holds, length, expected]);
  });

  it('an end without a beginning takes all before it away, as far as that has waited', () => {
    const text = 'The user asks for `a`.</think> Use it.';
    for (const length of [1, 2, 3, 7, text.length]) {
      expect(shown(text, length, 'beginning')).toBe('Use it.');
      expect(shown(text, length, 'all')).toBe('Use it.');
    }
    const long = 'Hm. '.repeat(1_000);
    expect(shown(`${long}</think> Use it.`, 9, 'all')).toBe('Use it.');
    expect(shown(`${long}</think> Use it.`, 9, 'beginning')).toContain('Hm.');
  });

  it('waits for a thousand characters at most, or not at all', () => {
    const inner = new InnerText('beginning');
    expect(inner.read('a'.repeat(999))).toBe('');
    expect(inner.read('aa')).toHaveLength(1_001);
    expect(new InnerText('nothing').read('a')).toBe('a');
  });
});

it('one line of 200,000 characters, one by one, takes no time', () => {
  const began = performance.now();
  expect(shown('字'.repeat(200_000), 1, 'nothing')).toHaveLength(200_000);
  expect(performance.now() - began).toBeLessThan(4_000);
});
