import { checkModel } from '../../../cli/doctor/model.ts';
import { currentVerdict } from '../../../db/models/current-verdict.ts';
import { migrate } from '../../../db/migrate.ts';
import { readConfig } from '../../../shared/config.ts';
import { EDITOR } from '../../support/replies.ts';
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../../support/scripted-model.ts';
import { type TestDatabase, testDatabase } from '../../support/services.ts';

const edit = (new_str: string): ScriptedReply => ({
  toolUses: [
    {
      name: EDITOR,
      input: { command: 'str_replace', path: 'docs/limits.md', old_str: '10 MB', new_str },
    },
  ],
  dripMs: 20,
});
const view: ScriptedReply = {
  toolUses: [{ name: EDITOR, input: { command: 'view', path: 'docs/limits.md' } }],
};
const ready: ScriptedReply = { text: 'Ready.' };

describe('docent doctor has the model edit a page', () => {
  let database: TestDatabase;
  let model: ScriptedModel;
  let answers: ScriptedReply[];
  beforeAll(async () => {
    database = await testDatabase();
    await migrate(database.pool);
    model = await startScriptedModel(() => answers.shift() ?? ready);
  });
  afterAll(async () => {
    await model.close();
    await database.close();
  });
  const config = (env: Record<string, string> = {}) =>
    readConfig({
      DATABASE_URL: database.url,
      ANTHROPIC_BASE_URL: model.url,
      MODEL_SONNET: 'tiny',
      MODEL_ASSISTANT: 'tiny',
      MODEL_CONTEXT_TOKENS: '32000',
      MODEL_FEATURES: 'none',
      MODEL_PRICES:
        '{"tiny": {"input": 0, "output": 0}, "claude-opus-5-5": {"input": 0, "output": 0}}',
      ...env,
    });
  const check = async (...replies: ScriptedReply[]) => {
    answers = [ready, ...replies];
    const findings = await checkModel(config());
    return findings.at(-1);
  };

  it('nobody has tried: it says so', async () => {
    expect(await currentVerdict(config(), database.pool)).toMatch(
      /^Nobody has tried .*: run docent doctor\.$/,
    );
  });

  it('an edit that is right: both can work, with speed and window', async () => {
    const finding = await check(edit('25 MB'), ready);
    expect(finding).toMatchObject({ name: 'model for', state: 'ok' });
    expect(finding?.says).toMatch(
      /^The agent and the assistant can work with tiny at http.*: \d+ tokens per second, so that a page takes about \d+ min, and a window of 32,000 tokens\.$/,
    );
    expect(await currentVerdict(config(), database.pool)).toBe(finding?.says);
    const [asked] = model.requests.slice(-2);
    expect(asked?.body.tools?.map(({ name }) => name)).toContain('finish');
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('tool_result');
  });

  it.each<[string, ScriptedReply[], RegExp]>([
    ['words', [ready], /it answers with text where it should call the editor/],
    ['another edit', [edit('250 MB')], /its edit leaves the page wrong/],
    ['another call', [view], /it calls view instead of the editor/],
    [
      'half a call',
      [{ toolUses: [{ name: EDITOR, rawInput: '{"command": "str_re' }] }],
      /a call did not come whole/,
    ],
    [
      'a call without new_str',
      [
        {
          toolUses: [
            { name: EDITOR, input: { command: 'str_replace', path: 'a', old_str: '10 MB' } },
          ],
        },
      ],
      /not valid \(str_replace: new_str is missing/,
    ],
    [
      'a refusal of tools',
      [{ status: 400, errorType: 'invalid_request_error', message: 'Unsupported tool type' }],
      /it refuses the agent’s tools with 400 .*Unsupported tool type/,
    ],
    [
      'a refusal of results',
      [edit('25 MB'), { status: 500, message: 'no template for tools' }],
      /it refuses a tool’s result with 500 .*no template for tools/,
    ],
  ])('%s: the assistant can work, the agent cannot', async (_, replies, why) => {
    const finding = await check(...replies);
    expect(finding).toMatchObject({ state: 'note' });
    expect(finding?.says).toMatch(/^The assistant can work with tiny at .*; the agent cannot: /);
    expect(finding?.says).toMatch(why);
    expect(await currentVerdict(config(), database.pool)).toBe(finding?.says);
  });

  it('no answer: neither', async () => {
    answers = [{ status: 0 }];
    const findings = await checkModel(config());
    expect(findings.map(({ state }) => state)).toEqual(['missing', 'missing']);
  });

  it.each([
    [{ ANTHROPIC_BASE_URL: '' }, /^The agent and the assistant can work here\.$/],
    [{ MODEL_PROVIDER: 'offline' }, /^Offline model: mechanical edits only/],
  ])('%j is known', async (env, sentence) => {
    expect(await currentVerdict(config(env), database.pool)).toMatch(sentence);
  });
});
