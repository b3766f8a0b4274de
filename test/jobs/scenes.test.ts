import { Context } from '@temporalio/activity';
import type { StreamEvent } from '../../offline-model/protocol/messages-protocol.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, EDITOR, FINISH } from '../support/replies.ts';
import type { ScriptedFault, ScriptedReply } from '../support/scripted-model.ts';
import { SLOW } from '../support/slow.ts';

const GUIDE = '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n';
/** How a scene ends: published, nothing published, or failed with nothing published. */
type End = 'published' | 'answered' | 'failed';
type Scene = [name: string, end: End, calls: number, reads: RegExp, replies: ScriptedReply[]];

const DONE = /^Say second: done\.$/;
const INPUT = {
  command: 'str_replace',
  path: 'docs/guide.md',
  old_str: 'first',
  new_str: 'RUINED',
};
const JSON_INPUT = JSON.stringify(INPUT);
const raw = (rawInput: string): ScriptedReply => ({ toolUses: [{ name: EDITOR, rawInput }] });
/** Bends each event of an edit that must not happen, or of one that must. */
const bent = (
  reply: ScriptedReply,
  bend: (event: StreamEvent) => StreamEvent | undefined,
): ScriptedReply => ({
  ...reply,
  change: events => events.flatMap(event => bend(structuredClone(event)) ?? []),
});
const start = (members: object) => (event: StreamEvent) =>
  event.type === 'content_block_start' && 'input' in (event.content_block as object)
    ? { ...event, content_block: { ...(event.content_block as object), ...members } }
    : event;
const stopping = (stop_reason: unknown) => (event: StreamEvent) =>
  event.type === 'message_delta' ? { ...event, delta: { stop_reason } } : event;
const without = (member: string) => (event: StreamEvent) =>
  JSON.parse(
    JSON.stringify(event, (name, value: unknown) => (name === member ? undefined : value)),
  ) as StreamEvent;
const overloaded: ScriptedFault = {
  status: 529,
  errorType: 'overloaded_error',
  message: 'Overloaded',
  headers: { 'retry-after-ms': '20' },
};

/** A call that must not run, told to the model as an error; then the job goes on. */
const malformed: Scene[] = Object.entries({
  'half an object': raw(JSON_INPUT.slice(0, -4)),
  'no closing brace': raw(JSON_INPUT.slice(0, -1)),
  'two objects': raw(JSON_INPUT + JSON_INPUT),
  'single quotes': raw(JSON_INPUT.replaceAll('"', "'")),
  'a comma too many': raw(JSON_INPUT.replace('}', ',}')),
  'a line end in a text': raw(JSON_INPUT.replace('RUINED', 'RUI\nNED')),
  'a fence around it': raw(`\`\`\`json\n${JSON_INPUT}\n\`\`\``),
  'words before it': raw(`Here it is: ${JSON_INPUT}`),
  'a comment in it': raw(JSON_INPUT.replace('{', '{ // edit\n')),
  'Python’s None': raw(JSON_INPUT.replace('"RUINED"', 'None')),
  NaN: raw(JSON_INPUT.replace('"RUINED"', 'NaN')),
  'a list': raw(`[${JSON_INPUT}]`),
  'a text that is JSON': raw(JSON.stringify(JSON_INPUT)),
  null: raw('null'),
  'a number': raw('7'),
  nothing: raw(''),
  'members in another object': raw(`{"arguments": ${JSON_INPUT}}`),
  'no new_str': raw(JSON_INPUT.replace(',"new_str":"RUINED"', '')),
  'a number as text': raw(JSON_INPUT.replace('"RUINED"', '7')),
  'an unknown command': raw(JSON_INPUT.replace('str_replace', 'replace_text')),
  'a tool that is none': { toolUses: [{ name: 'bash', input: { command: 'rm -rf docs' } }] },
  'no name': bent({ toolUses: [{ name: EDITOR, input: INPUT }] }, start({ name: undefined })),
}).map(([name, reply]): Scene => [name, 'published', 3, DONE, [reply, EDIT, FINISH]]);

const stops: Scene[] = ['length', 'content_filter', 'compaction', 'stop', 7, {}].map(
  (reason): Scene => [
    `stop reason ${JSON.stringify(reason)}`,
    'published',
    3,
    DONE,
    [bent({ toolUses: [{ name: EDITOR, input: INPUT }] }, stopping(reason)), EDIT, FINISH],
  ],
);

/** Everything is said, and the server leaves something out. */
const lacking: Scene[] = Object.entries({
  'no usage': without('usage'),
  'no usage at the end': (event: StreamEvent) =>
    event.type === 'message_delta' ? without('usage')(event) : event,
  'usage of nulls': (event: StreamEvent) =>
    event.type === 'message_delta' ? { ...event, usage: { output_tokens: null } } : event,
  'no id of the call': start({ id: undefined }),
  'one id for every call': start({ id: 'call_0' }),
  'no message_stop': (event: StreamEvent) => (event.type === 'message_stop' ? undefined : event),
  'an event of its own': (event: StreamEvent) =>
    event.type === 'message_start' ? event : { ...event, extension: { x: 1 } },
}).map(([name, bend]): Scene => [
  name,
  'published',
  2,
  DONE,
  [bent(EDIT, bend), bent(FINISH, bend)],
]);

/** A server’s own error event, before anything of the answer. */
const errorEvent = (name: string | undefined, data: object): ScriptedReply => ({
  toolUses: [{ name: EDITOR, input: INPUT }],
  change: events => [...events.slice(0, 1), { type: name, toJSON: () => data } as never],
});
const MISMATCH = 'The model produced output that does not match the expected format';
const errors = {
  'llama.cpp': errorEvent('error', { code: 500, message: MISMATCH, type: 'server_error' }),
  'a gateway': errorEvent(undefined, { error: { message: MISMATCH, type: null, code: '500' } }),
};

const printed = `I edit the page.\n<tool_call>\n{"name": "${EDITOR}", "arguments": ${JSON_INPUT}}\n</tool_call>`;
const others: Scene[] = [
  ['a call printed as text, then made', 'published', 3, DONE, [{ text: printed }, EDIT, FINISH]],
  [
    'a call printed as text, time and again',
    'answered',
    2,
    /^I edit the page\.\n\nThe model wrote its calls as text/,
    [{ text: printed }, { text: printed }],
  ],
  [
    'nothing but a call printed as text',
    'answered',
    2,
    /wrote its calls as text.*docent doctor/,
    [{ text: '[TOOL_CALLS][{"name": "view"}]' }, { text: '<tool_call>{}</tool_call>' }],
  ],
  ['thoughts in tags', 'answered', 1, /^It is 7\.$/, [{ text: '<think>6? 7.</think>It is 7.' }]],
  [
    'a token a second for twenty minutes (in fast motion)',
    'published',
    2,
    DONE,
    [{ ...EDIT, text: 'A word of a very slow one. '.repeat(200), dripMs: 11 }, FINISH],
  ],
];

describe('what servers and models do, and what becomes of it', () => {
  let stack: JobStack;
  let script: ScriptedReply[] = [];
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': GUIDE },
      script: () => script.shift() ?? overloaded,
      env: { MODEL_IDLE_TIMEOUT_SECONDS: '6', MODEL_TIMEOUT_SECONDS: '8' },
    });
  }, 120_000);
  afterAll(() => stack?.close());

  /** Plays it to its end. Nothing that was not written whole is published, in no scene. */
  const play = async ([scene, , , , replies]: Scene) => {
    script = [...replies];
    const before = stack.model.requests.length;
    const { id } = await stack.create('Say second');
    await stack.rest(id, 110_000);
    const { rows } = await stack.pool.query<{ state: string; read: string; ref: string | null }>(
      'select state, message_to_user as read, ref from jobs where id = $1',
      [id],
    );
    const { state, read, ref } = rows[0]!;
    const end = ref ? 'published' : state === 'failed' ? 'failed' : 'answered';
    const calls = stack.model.requests.length - before;
    const row = [scene, end, `${calls} calls`, read.slice(0, 90)].join(' | ');
    process.stdout.write(`${row.replaceAll('\n', ' ')}\n`);
    const page = ref ? stack.git('show', `${ref}:docs/guide.md`) : GUIDE;
    expect(page).toBe(ref ? GUIDE.replace('first', 'second') : GUIDE);
    return { id, end, calls, read };
  };

  const scenes = [...malformed, ...stops, ...lacking, ...others];
  it.each(SLOW ? scenes : scenes.filter((_, n) => n % 3 === 0))(
    '%s',
    async (...scene) => {
      const [, end, calls, reads] = scene;
      expect(await play(scene)).toMatchObject({ end, calls, read: expect.stringMatching(reads) });
    },
    120_000,
  );

  it.each(Object.entries(errors).slice(0, SLOW ? undefined : 2))(
    'an error event of %s says why it is asked again',
    async (server, error) => {
      const scene: Scene = [
        `an error event of ${server}`,
        'published',
        3,
        DONE,
        [error, EDIT, FINISH],
      ];
      const { id, end, calls } = await play(scene);
      expect({ end, calls }).toEqual({ end: 'published', calls: 3 });
      const { rows } = await stack.pool.query<{ reason: string }>(
        `select data->>'reason' as reason from job_events where job_id = $1 and type = 'retry'`,
        [id],
      );
      expect(rows.map(({ reason }) => reason).join()).toMatch(`answered 500: ${MISMATCH}`);
    },
    120_000,
  );

  it('529 for an hour (in fast motion): says why it waits, then gives up', async () => {
    const inTime = Context.current;
    const current = (): Context => {
      const { info } = inTime.call(Context);
      const { scheduledTimestampMs: began, currentAttemptScheduledTimestampMs: now } = info;
      const fast = { ...info, currentAttemptScheduledTimestampMs: began + (now - began) * 3_600 };
      return Object.create(inTime.call(Context), { info: { value: fast } }) as Context;
    };
    Context.current = current;
    try {
      const { id, end, calls, read } = await play(['529 for an hour', 'failed', 0, DONE, []]);
      expect(end).toBe('failed');
      expect(calls).toBeGreaterThan(2);
      const reason = `The model’s API is overloaded; try again later. (${new URL(stack.model.url).host} answered 529 overloaded_error: Overloaded)`;
      expect(read).toContain(reason);
      const { rows } = await stack.pool.query(
        `select data->>'reason' as reason from job_events where job_id = $1 and type = 'retry'`,
        [id],
      );
      expect(rows).toEqual([{ reason }]);
    } finally {
      Context.current = inTime;
    }
  }, 120_000);
});
