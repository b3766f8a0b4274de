import type Anthropic from '@anthropic-ai/sdk';
import { OFFLINE_MODEL } from '../../shared/agent-text.ts';
import { useOfflineModel } from './use-offline-model.ts';

const offline = useOfflineModel();

const tools: Anthropic.Tool[] = ['finish', 'search_text'].map(name => ({
  name,
  input_schema: { type: 'object' },
}));
const prompt = { model: 'whatever', max_tokens: 1000, tools };
const said = (text: string): Anthropic.MessageParam => ({ role: 'user', content: text });

describe('the offline model as a server', () => {
  it('gives the same step streamed and not, and says what it is', async () => {
    const request = { ...prompt, messages: [said('Replace "a.b" with "c.d"')] };
    const [streamed, whole] = await Promise.all([
      offline.client.messages.stream(request).finalMessage(),
      offline.client.messages.create(request),
    ]);
    const shown = ({ model: id, stop_reason, content }: Anthropic.Message) => ({
      id,
      stop_reason,
      calls: content.map(block => block.type === 'tool_use' && [block.name, block.input]),
    });
    expect(shown(streamed)).toEqual({
      id: OFFLINE_MODEL,
      stop_reason: 'tool_use',
      calls: [['check', {}]],
    });
    expect(shown(whole)).toEqual(shown(streamed));
  });

  it('streams text in small pieces that add up', async () => {
    const pieces: string[] = [];
    const message = await offline.client.messages
      .stream({ ...prompt, messages: [said('Sing a song')] })
      .on('text', text => pieces.push(text))
      .finalMessage();
    expect(pieces.length).toBeGreaterThan(10);
    expect(message.content).toMatchObject([{ type: 'text', text: pieces.join('') }]);
  });

  it('carries out nothing of a turn that was cut, and takes the new instruction', async () => {
    const use = {
      type: 'tool_use' as const,
      id: 'toolu_1',
      name: 'search_text',
      input: { pattern: 'x' },
    };
    const message = await offline.client.messages.create({
      ...prompt,
      messages: [
        said('Replace "a.b" with "c.d"'),
        { role: 'assistant', content: [use] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              is_error: true,
              content: 'Not run: the turn was ended first.',
            },
            { type: 'text', text: '<docent-note>Nothing was published.</docent-note>' },
            { type: 'text', text: 'Sing a song' },
          ],
        },
      ],
    });
    expect(message.content).toMatchObject([
      { type: 'text', text: expect.stringContaining('I did not understand “Sing a song”') },
    ]);
  });

  it('counts tokens, four bytes each', async () => {
    const { usage } = await offline.client.messages.create({
      ...prompt,
      messages: [said('Sing '.repeat(4_000))],
    });
    expect(usage.input_tokens).toBeGreaterThan(5_000);
    expect(usage.input_tokens).toBeLessThan(5_200);
    expect(usage.output_tokens).toBeGreaterThan(100);
  });

  it('answers wrong requests as the API does', async () => {
    const post = (path: string, body: string) =>
      fetch(offline.url + path, { method: 'POST', body });
    expect((await post('/v1/messages', '{')).status).toBe(400);
    expect((await post('/v1/complete', '{}')).status).toBe(404);
    expect(
      await (await post('/v1/messages', '{"model": "m", "max_tokens": 0, "messages": []}')).json(),
    ).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  });
});
