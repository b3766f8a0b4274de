import Anthropic from '@anthropic-ai/sdk';
import { type Script, type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';

let model: ScriptedModel;
afterEach(() => model.close());

async function client(script: Script): Promise<Anthropic> {
  model = await startScriptedModel(script);
  return new Anthropic({
    apiKey: 'sk-ant-test',
    baseURL: model.url,
    maxRetries: 0,
    timeout: 5_000,
  });
}

const ask = {
  model: 'claude-test',
  max_tokens: 1000,
  messages: [{ role: 'user' as const, content: 'Hello' }],
};

describe('the scripted stand-in, through the real SDK', () => {
  it('streams text, tool uses and usage', async () => {
    const anthropic = await client([
      {
        text: 'Straße 🚀 and a rather long sentence that needs several deltas.',
        toolUses: [{ name: 'view', input: { path: 'ä/b.md' } }],
        usage: { output: 7 },
      },
    ]);
    const deltas: string[] = [];
    const stream = anthropic.messages.stream(ask).on('text', text => deltas.push(text));
    const message = await stream.finalMessage();
    expect(message.content).toMatchObject([
      { type: 'text', text: 'Straße 🚀 and a rather long sentence that needs several deltas.' },
      { type: 'tool_use', name: 'view', input: { path: 'ä/b.md' } },
    ]);
    expect(message.stop_reason).toBe('tool_use');
    expect(message.usage.output_tokens).toBe(7);
    expect(deltas.length).toBeGreaterThan(2);
    expect(stream.request_id).toMatch(/^req_/);
  });

  it('answers without a stream', async () => {
    const message = await (await client([{ text: 'Hi' }])).messages.create(ask);
    expect(message).toMatchObject({
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'Hi' }],
    });
  });

  it('streams citations of search results', async () => {
    const citation = {
      type: 'search_result_location' as const,
      cited_text: 'Run it.',
      search_result_index: 0,
      start_block_index: 0,
      end_block_index: 1,
      source: '/install',
      title: 'Install',
    };
    const message = await (
      await client([{ text: 'Run it.', citations: [citation] }])
    ).messages
      .stream(ask)
      .finalMessage();
    expect(message.content).toEqual([{ type: 'text', text: 'Run it.', citations: [citation] }]);
  });

  it('plays refusals with their headers', async () => {
    const anthropic = await client([
      { status: 429, errorType: 'rate_limit_error', headers: { 'retry-after': '5' } },
      { status: 529, errorType: 'overloaded_error' },
      { status: 0 },
    ]);
    await expect(anthropic.messages.stream(ask).finalMessage()).rejects.toMatchObject({
      status: 429,
      type: 'rate_limit_error',
    });
    await expect(anthropic.messages.stream(ask).finalMessage()).rejects.toMatchObject({
      status: 529,
      type: 'overloaded_error',
    });
    await expect(anthropic.messages.stream(ask).finalMessage()).rejects.toThrow(
      Anthropic.APIConnectionError,
    );
    expect(model.requests).toHaveLength(3);
  });

  it('fails in the middle of a stream: error event, cut, broken tool input', async () => {
    const anthropic = await client([
      {
        text: 'A long enough text to be cut.',
        errorEventMidStream: { afterEvents: 4, type: 'overloaded_error' },
      },
      { text: 'A long enough text to be cut.', cutAfterEvents: 4 },
      { toolUses: [{ name: 'view', rawInput: '{"path": "docs/' }] },
      { toolUses: [{ name: 'view', rawInput: '{"path": nope' }] },
      {},
    ]);
    await expect(anthropic.messages.stream(ask).finalMessage()).rejects.toMatchObject({
      type: 'overloaded_error',
    });
    await expect(anthropic.messages.stream(ask).finalMessage()).rejects.toThrow();
    // The SDK mends JSON that is cut, dropping the unfinished member, and throws on JSON that is
    // wrong.
    expect(await anthropic.messages.stream(ask).finalMessage()).toMatchObject({
      content: [{ name: 'view', input: {} }],
    });
    await expect(anthropic.messages.stream(ask).finalMessage()).rejects.toThrow(
      'is not valid JSON',
    );
    expect(await anthropic.messages.stream(ask).finalMessage()).toMatchObject({
      content: [],
      stop_reason: 'end_turn',
    });
  });

  it('sees when the client hangs up during a silence', async () => {
    const anthropic = await client([{ text: 'Never heard', silentMs: 60_000 }]);
    const controller = new AbortController();
    const stream = anthropic.messages.stream(ask, { signal: controller.signal });
    await new Promise<void>(resolve => stream.on('streamEvent', () => resolve()));
    controller.abort();
    await expect(stream.finalMessage()).rejects.toThrow(Anthropic.APIUserAbortError);
    await until('the stand-in sees it', () => typeof model.requests[0]?.hungUpAt === 'number');
    expect(model.requests[0]?.answeredAt).toBeNull();
  });

  it('refuses what the API would refuse, and a script at its end', async () => {
    const anthropic = await client([]);
    await expect(
      anthropic.messages.create({
        ...ask,
        messages: [
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }],
          },
        ],
      }),
    ).rejects.toMatchObject({ status: 400 });
    await expect(
      anthropic.messages.create({
        ...ask,
        messages: [
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'toolu_1', name: 'view', input: {} }],
          },
          { role: 'user', content: 'go on' },
        ],
      }),
    ).rejects.toThrow('tool_use');
    await expect(anthropic.messages.create(ask)).rejects.toThrow('The script has 0 replies');
  });
});

describe('what the stand-in counts', () => {
  const system = (text: string) => [
    {
      type: 'text' as const,
      text: text.repeat(2_000),
      cache_control: { type: 'ephemeral' as const },
    },
  ];
  const turn = (n: number) =>
    Array.from({ length: n }, (_, i) => ({
      role: i % 2 ? ('assistant' as const) : ('user' as const),
      content: [
        {
          type: 'text' as const,
          text: `Message ${i} `.repeat(200),
          ...(i === n - 1 ? { cache_control: { type: 'ephemeral' as const } } : {}),
        },
      ],
    }));

  it('reads from the cache what an earlier request marked, and only that', async () => {
    const anthropic = await client(() => ({ text: 'ok' }));
    for (const n of [1, 3, 5])
      await anthropic.messages.create({ ...ask, system: system('Rule. '), messages: turn(n) });
    const usages = model.requests.map(request => request.usage);
    expect(usages[0]).toMatchObject({ input: 0, cacheRead: 0 });
    expect(usages[1]?.cacheRead).toBe(usages[0]?.cacheWrite);
    expect(usages[2]?.cacheRead).toBe((usages[1]?.cacheRead ?? 0) + (usages[1]?.cacheWrite ?? 0));
    expect(model.prefixBreaks()).toEqual([]);
    expect(model.cachedShare()).toBeGreaterThan(0.5);
  });

  it('names the place where a prefix changed', async () => {
    const anthropic = await client(() => ({ text: 'ok' }));
    await anthropic.messages.create({ ...ask, system: system('Rule. '), messages: turn(1) });
    await anthropic.messages.create({ ...ask, system: system('Role. '), messages: turn(3) });
    expect(model.requests[1]?.usage?.cacheRead).toBe(0);
    expect(model.prefixBreaks()).toEqual([
      expect.stringContaining('request 2 differs from request 1 at part 1'),
    ]);
  });
});
