import { type StopReason, wholeReply } from '../../../agent/model/whole-reply.ts';
import { tools } from '../../../agent/tools/registry.ts';
import {
  type AnswerBlock,
  encodeEvents,
  type StreamEvent,
} from '../../../offline-model/protocol/messages-protocol.ts';
import { GrowingMessage } from '../../../shared/models/growing-message.ts';

type Events = (events: StreamEvent[]) => StreamEvent[];
type RawEvent = Parameters<GrowingMessage['take']>[0];

const USAGE = { input: 10, cacheWrite: 0, cacheRead: 0, output: 10 };
const say = (text: string): AnswerBlock => ({ type: 'text', text });
const call = (name: string, input: unknown, more: object = {}): AnswerBlock => ({
  type: 'tool_use',
  id: 'toolu_1',
  name,
  input,
  ...more,
});
const raw = (rawInput: string) => call('create', {}, { rawInput });

function reply(content: AnswerBlock[], change: Events = events => events, takenIds: string[] = []) {
  const message = new GrowingMessage();
  const hasCalls = content.some(({ type }) => type === 'tool_use');
  const answer = { model: 'm', content, usage: USAGE } as const;
  const events = encodeEvents({ ...answer, stopReason: hasCalls ? 'tool_use' : 'end_turn' });
  for (const event of change(structuredClone(events))) message.take(event as RawEvent);
  return wholeReply(message, takenIds);
}

/** Sends on what `edit` returns of each event. */
const each =
  (edit: (event: StreamEvent) => StreamEvent | undefined): Events =>
  events =>
    events.flatMap(event => edit(event) ?? []);
const same: Events = events => events;
/** In message_start too, where it is a member of the message. */
const withoutUsage = (event: StreamEvent) =>
  JSON.parse(
    JSON.stringify(event, (name, value: unknown) => (name === 'usage' ? undefined : value)),
  ) as StreamEvent;
const without = (...types: string[]) =>
  each(event => (types.includes(event.type) ? undefined : event));
const stopping = (reason: unknown) =>
  each(event =>
    event.type === 'message_delta' ? { ...event, delta: { stop_reason: reason } } : event,
  );
const starting = (members: object) =>
  each(event =>
    event.type === 'content_block_start'
      ? { ...event, content_block: { ...(event.content_block as object), ...members } }
      : event,
  );

describe('an answer that was cut', () => {
  const CUTS: [string, Events, StopReason][] = [
    ['at the output limit', stopping('max_tokens'), 'max_tokens'],
    ['with the window', stopping('model_context_window_exceeded'), 'model_context_window_exceeded'],
    ['by the connection', events => events.slice(0, -3), 'cut'],
    ['for a reason of another API', stopping('length'), 'unknown'],
  ];
  /** One call of each tool that is as long as its schema lets it be, at each of its characters. */
  const inputs: [string, Record<string, unknown>][] = tools.map(({ name, input }) => [
    name,
    Object.fromEntries(
      Object.entries(input.properties as Record<string, { type?: string }>).map(
        ([member, { type }]) => [member, type === 'integer' ? 1 : type === 'array' ? ['a'] : 'abc'],
      ),
    ),
  ]);

  it.each(inputs)('does not run %s, wherever it was cut', (name, input) => {
    const json = JSON.stringify(input);
    for (const [, change, stopReason] of CUTS)
      for (let end = 0; end <= json.length; end += 1) {
        const whole = reply(
          [say('I edit.'), call(name, {}, { rawInput: json.slice(0, end) })],
          change,
        );
        expect(whole.stopReason).toBe(stopReason);
        expect(whole.notRun).toEqual({
          toolu_1: expect.stringMatching(
            /^Not run: your answer was cut off .* Make the call again/,
          ),
        });
        expect(whole.content).toHaveLength(2);
      }
  });

  it.each(CUTS)('%s: runs the calls before, and says which one it was not', (_, change) => {
    const first = call('view', { path: 'a.md' });
    const whole = reply([first, call('create', { path: 'b.md' }, { id: 'toolu_2' })], change);
    expect(whole.notRun).toEqual({ toolu_2: expect.stringContaining('create was its last call') });
  });

  it('keeps no part of a thought: it is signed as a whole', () => {
    const thinking = { type: 'thinking', thinking: 'I look at', signature: '' };
    const whole = reply([say('I edit.')], events =>
      stopping('max_tokens')([
        ...events.slice(0, -2),
        { type: 'content_block_start', index: 1, content_block: thinking },
        ...events.slice(-2),
      ]),
    );
    expect(whole.content).toEqual([{ type: 'text', text: 'I edit.' }]);
  });

  it('names the reason that a server gave', () => {
    expect(reply([say('Hm')], stopping('content_filter'))).toMatchObject({
      stopReason: 'unknown',
      stoppedBy: 'content_filter',
    });
  });
});

describe('a call that is malformed', () => {
  it.each<[string, AnswerBlock, RegExp]>([
    ['a half', raw('{"path": "a.md", "file_text": "The'), /create is not valid JSON.*"The/s],
    ['two objects', raw('{}{}'), /not valid JSON/],
    ['a single quote', raw("{'path': 'a.md'}"), /not valid JSON/],
    ['a comma too many', raw('{"path": "a.md",}'), /not valid JSON/],
    ['a line end in a text', raw('{"path": "a\nb"}'), /not valid JSON/],
    ['a fence', raw('```json\n{"path": "a.md"}\n```'), /not valid JSON/],
    ['a word', raw('nothing'), /not valid JSON/],
    ['undefined', raw('undefined'), /not valid JSON/],
    ['a list', raw('[{"path": "a.md"}]'), /must be a JSON object, not \[/],
    ['a text', raw('"{}"'), /must be a JSON object, not "/],
    ['a number', raw('7'), /must be a JSON object, not 7/],
    ['null', raw('null'), /must be a JSON object, not null/],
    ['true', raw('true'), /must be a JSON object, not true/],
  ])('with %s as input: an error result', (_, block, problem) => {
    const whole = reply([block]);
    expect(whole.content).toMatchObject([{ type: 'tool_use', id: 'toolu_1', input: {} }]);
    expect(whole.notRun.toolu_1).toMatch(problem);
    expect(whole.stopReason).toBe('tool_use');
  });

  it('without input: an empty object, which the tool judges', () => {
    for (const empty of [raw(''), raw(' \n')]) {
      const whole = reply([empty]);
      expect(whole).toMatchObject({ content: [{ input: {} }], notRun: {} });
    }
  });

  it('with its input at the beginning: that', () => {
    const whole = reply([raw('')], starting({ input: { path: 'a.md' } }));
    expect(whole).toMatchObject({ content: [{ input: { path: 'a.md' } }], notRun: {} });
  });

  it.each<[string, unknown]>([
    ['no', undefined],
    ['an empty', ''],
    ['a number as', 7],
    ['a spaced', 'call 1'],
    ['a hostile', '__proto__'],
  ])('with %s id: one of its own', (_, id) => {
    const [block] = reply([call('check', {})], starting({ id })).content;
    expect(block).toMatchObject({ id: expect.stringMatching(/^call_[a-z0-9]+$/) });
  });

  it('with the id of another call, of this answer or before: one of its own', () => {
    const { content } = reply([call('view', { path: 'a.md' }), call('check', {})]);
    expect(new Set(content.map(block => 'id' in block && block.id)).size).toBe(2);
    const [block] = reply([call('check', {})], undefined, ['toolu_1']).content;
    expect(block).not.toMatchObject({ id: 'toolu_1' });
  });

  it.each([undefined, '', 'bad name', 3])('with the name %j: one that no tool has', name => {
    const whole = reply([call('check', {})], starting({ name }));
    expect(whole.content).toMatchObject([{ name: 'unnamed_tool' }]);
  });

  it.each(['finish', 'ask'])('after %s: does not run', end => {
    const whole = reply([call(end, {}), call('create', {}, { id: 'toolu_2' })]);
    expect(whole.notRun).toEqual({
      toolu_2: expect.stringContaining(`create comes after ${end} in the same answer`),
    });
  });
});

describe('an answer that says nothing', () => {
  const thought = { type: 'content_block_start', index: 0 } as const;
  it.each<[string, AnswerBlock[], Events]>([
    ['nothing', [], same],
    ['an empty text', [say('')], same],
    ['white space', [say(' \n\t')], same],
    [
      'thoughts only',
      [],
      ([start, ...rest]) => [
        start!,
        { ...thought, content_block: { type: 'thinking', thinking: 'Hm.', signature: 's' } },
        ...rest,
      ],
    ],
  ])('%s: is empty, with no content', (_, content, change) => {
    expect(reply(content, change)).toEqual({ content: [], stopReason: 'empty', notRun: {} });
  });
});

describe('an answer that is whole', () => {
  it.each<[string, Events, StopReason?]>([
    ['without usage', each(withoutUsage)],
    ['without message_stop', without('message_stop')],
    ['without the ends of blocks', without('content_block_stop')],
    ['without a stop reason', without('message_delta'), 'end_turn'],
    ['without message_start', without('message_start')],
    ['with pings', events => events.flatMap(event => [{ type: 'ping' }, event])],
    [
      'with blocks numbered from 1',
      each(event => ('index' in event ? { ...event, index: Number(event.index) + 1 } : event)),
    ],
  ])('%s: is read', (_, change, stopReason = 'tool_use') => {
    expect(reply([say('I look.'), call('view', { path: 'a.md' })], change)).toEqual({
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'toolu_1', name: 'view', input: { path: 'a.md' } },
      ],
      stopReason,
      notRun: {},
    });
  });
});
