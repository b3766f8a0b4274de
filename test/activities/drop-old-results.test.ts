import {
  dropOldResults,
  estimatedTokens,
  type Message,
} from '../../agent/model/drop-old-results.ts';

const LONG = 'x'.repeat(3_000);

/** An instruction, then calls with their results, each result of some 1,000 tokens. */
function conversation(calls: number, input: unknown = { path: 'docs/a.md' }): Message[] {
  return [
    { role: 'user', content: [{ type: 'text', text: 'Do it.' }] },
    ...Array.from({ length: calls }, (_, n): Message[] => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `t${n}`, name: 'view', input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: LONG }] },
    ]).flat(),
  ];
}

const size = (messages: Message[]): number =>
  messages.flatMap(({ content }) => content.map(estimatedTokens)).reduce((sum, n) => sum + n, 0);
const kept = (messages: Message[]): number => JSON.stringify(messages).split(LONG).length - 1;

describe('old results of tools', () => {
  it('stay while there is room', () => {
    const messages = conversation(5);
    expect(dropOldResults(messages, 10_000)).toBe(messages);
  });

  it.each([2, 5, 13, 21, 40, 80])('leave within the room, after %d calls', calls => {
    const shown = dropOldResults(conversation(calls), 12_000);
    expect(size(shown)).toBeLessThanOrEqual(12_000);
    expect(kept(shown)).toBeGreaterThan(0);
    // Every call keeps its answer, in its place.
    expect(shown.map(({ role, content }) => [role, content.length])).toEqual(
      conversation(calls).map(({ role, content }) => [role, content.length]),
    );
  });

  it('are dropped at few places: in between, a request only adds to the one before it', () => {
    let breaks = 0;
    for (let calls = 1; calls < 80; calls += 1) {
      const before = dropOldResults(conversation(calls), 12_000);
      const after = dropOldResults(conversation(calls + 1), 12_000);
      if (JSON.stringify(after.slice(0, before.length)) !== JSON.stringify(before)) breaks += 1;
    }
    expect(breaks).toBeGreaterThan(5);
    expect(breaks).toBeLessThan(20);
  });

  it('stay where the model has not seen them yet, however many there are', () => {
    const calls = Array.from({ length: 15 }, (_, n) => `new${n}`);
    const shown = dropOldResults(
      [
        ...conversation(3),
        {
          role: 'assistant',
          content: calls.map(id => ({ type: 'tool_use', id, name: 'view', input: {} })),
        },
        {
          role: 'user',
          content: calls.map(id => ({ type: 'tool_result', tool_use_id: id, content: LONG })),
        },
      ],
      12_000,
    );
    expect(kept(shown)).toBe(calls.length);
    expect(JSON.stringify(shown.at(-1))).not.toContain('Dropped');
  });

  it('go with the long inputs of their calls where results alone are not enough', () => {
    const shown = dropOldResults(conversation(8, { path: 'docs/a.md', file_text: LONG }), 9_000);
    expect(size(shown)).toBeLessThanOrEqual(9_000);
    expect(JSON.stringify(shown[1])).toContain('docs/a.md');
    expect(JSON.stringify(shown[1])).toContain('Dropped: 3000 characters');
  });
});
