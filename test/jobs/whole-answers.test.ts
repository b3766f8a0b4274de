import type { StreamEvent } from '../../offline-model/protocol/messages-protocol.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, edit, EDITOR, FINISH, finish } from '../support/replies.ts';
import type { ScriptedAnswer, ScriptedReply } from '../support/scripted-model.ts';

const GUIDE = '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n';
const CUT_REASONS = ['max_tokens', 'model_context_window_exceeded', 'length'];

/** The scenes of servers that cut answers or bend the protocol: what is published, and what is said. */
describe('an answer is whole or it does nothing', () => {
  let stack: JobStack;
  let script: ScriptedReply[] = [];
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': GUIDE },
      script: () => script.shift() ?? { text: 'Nothing more.' },
    });
  });
  afterAll(() => stack.close());

  const play = async (...replies: ScriptedReply[]) => {
    script = [...replies];
    const before = stack.model.requests.length;
    const { id } = await stack.rest((await stack.create('Say second')).id);
    const { rows } = await stack.pool.query<{ state: string; message: string; ref: string | null }>(
      'select state, message_to_user as message, ref from jobs where id = $1',
      [id],
    );
    const job = rows[0]!;
    const requests = stack.model.requests.slice(before).map(({ body }) => JSON.stringify(body));
    const page = job.ref ? stack.git('show', `${job.ref}:docs/guide.md`) : GUIDE;
    return { ...job, id, requests, page };
  };
  const pullRequest = async (id: string) => {
    const { rows } = await stack.pool.query<{ body: string; draft: boolean }>(
      'select body, draft from publications where job_id = $1',
      [id],
    );
    return rows;
  };

  const STR_REPLACE = JSON.stringify({
    command: 'str_replace',
    path: 'docs/guide.md',
    old_str: 'The first line.',
    new_str: 'The second line.',
  });
  const cutEdit = (rawInput: string, stop: string | null): ScriptedAnswer => ({
    text: 'I edit the guide.',
    toolUses: [{ name: EDITOR, rawInput }],
    change: events => (stop === null ? withoutEnd(events) : stoppedBy(stop)(events)),
  });

  it.each([...CUT_REASONS, null])(
    'an edit that is cut (%s) changes nothing, and the model is told what to do',
    async stop => {
      // Within new_str, whose open text the SDK would drop, and at the end of a whole object.
      for (const end of [STR_REPLACE.indexOf('The second') + 4, STR_REPLACE.length]) {
        const job = await play(cutEdit(STR_REPLACE.slice(0, end), stop), { text: 'I cannot.' });
        expect(job).toMatchObject({ state: 'completed', message: 'I cannot.', ref: null });
        expect(job.requests[1]).toMatch(
          /Not run: your answer was cut off [^"]* in several smaller/,
        );
      }
      const whole = await play(cutEdit(STR_REPLACE.slice(0, 90), stop), EDIT, FINISH);
      expect(whole).toMatchObject({ state: 'completed', message: 'Say second: done.' });
      expect(whole.page).toBe(GUIDE.replace('first', 'second'));
    },
    60_000,
  );

  it('three cuts in a row end the turn with a sentence, and publish nothing', async () => {
    const cut = cutEdit(STR_REPLACE.slice(0, 90), 'max_tokens');
    const job = await play(EDIT, cut, cut, cut, FINISH);
    expect(job).toMatchObject({ state: 'failed', ref: null });
    expect(job.message).toMatch(
      /^The model’s answer was cut off 3 times in a row, at the output limit\. Raise MODEL_MAX_OUTPUT_TOKENS.*The edits are kept/,
    );
    expect(job.requests).toHaveLength(4);
    const other = cutEdit(STR_REPLACE, 'content_filter');
    const named = await play(other, other, other);
    expect(named.message).toContain('not known (“content_filter”)');
  }, 30_000);

  it('a full window is made smaller, and the turn goes on', async () => {
    const long = {
      toolUses: [{ name: 'view_files', input: { files: [{ path: 'docs/guide.md' }] } }],
    };
    const job = await play(long, { text: 'I…', change: stoppedBy(CUT_REASONS[1]!) }, EDIT, FINISH);
    expect(job.page).toContain('second');
    expect(job.requests[2]).toContain(
      'because the context window is full. Old tool results were dropped',
    );
  }, 30_000);

  it('calls after finish are refused, so that nothing unchecked is published', async () => {
    const [edited] = EDIT.toolUses!;
    const [finished] = FINISH.toolUses!;
    const [late] = edit('Guide\n\n', 'Ruined\n\n').toolUses!;
    const job = await play({ toolUses: [edited!, finished!, late!] });
    expect(job.page).toBe(GUIDE.replace('first', 'second'));
  }, 30_000);

  it('two calls with one id each do what they say', async () => {
    const [first] = edit('first', 'second').toolUses!;
    const [second] = edit('# Guide', '# The guide').toolUses!;
    const same = (id: string) => [
      { ...first!, id },
      { ...second!, id },
    ];
    const job = await play(
      { toolUses: same('call_0') },
      { ...FINISH, toolUses: [{ ...FINISH.toolUses![0]!, id: 'call_0' }] },
    );
    expect(job.page).toBe(GUIDE.replace('first', 'second').replace('# Guide', '# The guide'));
  }, 30_000);

  it('malformed input is an error result, not a second call of the same', async () => {
    const job = await play(
      { toolUses: [{ name: EDITOR, rawInput: '{"command": "view", path}' }] },
      { toolUses: [{ name: EDITOR, rawInput: '["view"]' }] },
      { toolUses: [{ name: EDITOR, rawInput: '' }] },
      EDIT,
      FINISH,
    );
    expect(job.page).toContain('second');
    expect(job.requests).toHaveLength(5);
    expect(job.requests[1]).toContain('is not valid JSON');
    expect(job.requests[2]).toContain('must be a JSON object, not [');
    expect(job.requests[3]).toContain('are view, create, str_replace and insert, not nothing');
    const { rows } = await stack.pool.query(
      'select count(*)::int as calls from model_calls where job_id = $1',
      [job.id],
    );
    expect(rows).toEqual([{ calls: 5 }]);
  }, 30_000);

  it('without usage or message_stop, a turn goes on, each answer paid once', async () => {
    const bent: ScriptedAnswer['change'] = events =>
      events.map(withoutUsage).filter(({ type }) => type !== 'message_stop');
    const job = await play({ ...EDIT, change: bent }, { ...FINISH, change: bent });
    expect(job.page).toContain('second');
    expect(job.requests).toHaveLength(2);
  }, 30_000);

  it('ask ends the turn with the question; the edits are kept, and nothing is published', async () => {
    const question = { question: 'Which limit?', options: ['10 MB', '25 MB'] };
    const job = await play(EDIT, { toolUses: [{ name: 'ask', input: question }] });
    expect(job).toMatchObject({ state: 'completed', ref: null });
    expect(job.message).toBe('Which limit?\n\n- 10 MB\n- 25 MB');
    script = [FINISH];
    await stack.message(job.id, '25 MB');
    await stack.rest(job.id);
    const [{ draft } = { draft: null }] = await pullRequest(job.id);
    expect(draft).toBe(false);
  }, 30_000);

  it('edits without finish: asked once, then a draft that says so', async () => {
    const said = { text: 'What do you mean by second?' };
    const job = await play(EDIT, said, said);
    expect(job.requests).toHaveLength(3);
    expect(job.requests[2]).toContain('called neither finish nor ask');
    expect(await pullRequest(job.id)).toEqual([
      { draft: true, body: expect.stringMatching(/^\*\*Draft:\*\* the agent stopped without/) },
    ]);
    const finished = await play(EDIT, said, FINISH);
    expect(await pullRequest(finished.id)).toEqual([
      { draft: false, body: 'Say second, as asked.' },
    ]);
    const asked = await play(EDIT, said, {
      toolUses: [{ name: 'ask', input: { question: 'Which?' } }],
    });
    expect(asked).toMatchObject({ message: 'Which?', ref: null });
  }, 30_000);

  it('an answer to a follow-up is not asked about: its edits are published already', async () => {
    const { id } = await play(EDIT, FINISH);
    script = [{ text: 'It says second.' }, finish('Never')];
    await stack.message(id, 'What does it say?');
    await stack.rest(id);
    expect(script).toHaveLength(1);
  }, 30_000);
});

function stoppedBy(reason: string): (events: StreamEvent[]) => StreamEvent[] {
  return events =>
    events.map(event =>
      event.type === 'message_delta'
        ? { ...event, delta: { stop_reason: reason, stop_sequence: null } }
        : event,
    );
}

/** The stream ends in the last block. */
function withoutEnd(events: StreamEvent[]): StreamEvent[] {
  return events.slice(0, events.findIndex(({ type }) => type === 'message_delta') - 1);
}

function withoutUsage(event: StreamEvent): StreamEvent {
  const drop = (name: string, value: unknown) => (name === 'usage' ? undefined : value);
  return JSON.parse(JSON.stringify(event, drop)) as StreamEvent;
}
