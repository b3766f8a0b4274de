import { setTimeout as sleep } from 'node:timers/promises';
import type { ScriptedReply } from '../../support/scripted-model.ts';
import { lockTable, startAssistant, type TestAssistant } from './harness.ts';

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
    for (const times of [20, 200]) {
      const untagged = await answer({
        text: `${'The user asks [1]. '.repeat(times)}</think> Use it [2].`,
      });
      expect(untagged.text.split('\n\n')[0]).toBe('Use it.');
      expect(untagged.sources).toHaveLength(1);
    }
    const tagged = await answer({ text: '<think>The user asks … [1].</think>Use it [2].' });
    expect(tagged.text.split('\n\n')[0]).toBe('Use it.');
    expect(tagged.sources).toHaveLength(1);
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

  it('waits whole for a few answers only after a reader had an end of thoughts written', async () => {
    await answer({ text: 'Thoughts end with </think> here.' });
    const deltas = async () => {
      const text = 'Use it as it is. '.repeat(10);
      return (await answer({ text, dripMs: 20 })).chunks.filter(
        ({ type }) => type === 'text-delta',
      );
    };
    const counts: number[] = [];
    for (let i = 0; i < 4; i++) counts.push((await deltas()).length);
    expect(Math.max(...counts.slice(0, 3))).toBeLessThan(3);
    expect(counts[3]).toBeGreaterThan(5);
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

it('a link that is looked up while its model breaks off still comes before the error', async () => {
  const text = 'See [one](/never) and [two](/nowhere) of all that there is to be read here.';
  const assistant = await startAssistant([{ text, dripMs: 50, cutAfterEvents: 6 }], {
    MODEL_FEATURES: 'thinking',
  });
  try {
    const asked = assistant.ask();
    while (assistant.model.requests.length === 0) await sleep(1);
    const unlock = await lockTable(assistant.pool, 'search_pages');
    await sleep(1_000);
    await unlock();
    const { chunks, text: shown } = await asked;
    const types = chunks.map(({ type }) => type);
    expect(shown).toContain('See one');
    expect(types.indexOf('error')).toBeGreaterThan(types.lastIndexOf('text-delta'));
  } finally {
    await assistant.close();
  }
});
