import type { ScriptedReply } from '../../support/scripted-model.ts';
import { startAssistant, type TestAssistant } from './harness.ts';

describe('what readers get of a model’s answer', () => {
  let assistant: TestAssistant;
  let script: ScriptedReply[] = [];
  beforeAll(async () => {
    assistant = await startAssistant(() => script.shift() ?? { text: 'Nothing.' }, {
      MODEL_FEATURES: 'none',
    });
  });
  afterAll(() => assistant.close());
  const answer = (...replies: ScriptedReply[]) => {
    script = replies;
    return assistant.ask();
  };

  it('is without thoughts, and what they cite is no source', async () => {
    const tagged = await answer({ text: '<think>The user asks … [1].</think>Use it [2].' });
    expect(tagged.text.split('\n\n')[0]).toBe('Use it.');
    const untagged = await answer({
      text: `${'The user asks [1]. '.repeat(200)}</think> Use it [2].`,
    });
    expect(untagged.text.split('\n\n')[0]).toBe('Use it.');
    for (const { sources } of [tagged, untagged]) expect(sources).toHaveLength(1);
  });

  it('links only to pages of the index and to what the passages name', async () => {
    const path = '/install';
    const { text } = await answer({
      text:
        `See [Nope](/agent/does-not-exist), [staff](/billing), [this](${path}#x), [here](https://docs.acme.test${path}), ` +
        '[there](https://docs.acme.test/fake), https://docs.example.com/fake, ' +
        '![a cat](https://cats.test/1.png) and [run](javascript:alert(1)) [1-2].',
    });
    expect(text.split('\n\n')[0]).toBe(
      `See Nope, staff, [this](${path}#x), [here](https://docs.acme.test${path}), there, ` +
        '`https://docs.example.com/fake`, a cat and run.',
    );
  });

  it('says when it was cut off, and does not carry out a call that was cut', async () => {
    const { text, chunks } = await answer({
      text: 'First, install',
      stopReason: 'max_tokens',
      toolUses: [{ name: 'search', rawInput: '{"query":"ins' }],
    });
    expect(text).toContain('First, install');
    expect(text).toContain('cut off');
    expect(chunks.at(-1)).toMatchObject({
      type: 'finish',
      messageMetadata: { threadId: expect.any(String), finishReason: 'length' },
    });
    expect(chunks.filter(({ type }) => type === 'tool-input-available')).toHaveLength(1);
  });
});
