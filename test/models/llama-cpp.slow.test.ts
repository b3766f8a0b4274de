import { checkModel } from '../../cli/doctor/model.ts';
import { readConfig } from '../../shared/config.ts';
import { SITE, startAssistant, type TestAssistant } from '../api/assistant/harness.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { until } from '../support/until.ts';
import { installLlama, LlamaServer } from './llama-server.ts';

/**
 * A real server with a model of 135 million parameters, which understands nothing: what is seen is
 * the wire, the waiting and the ends. Only with MODELS=1 (`npm run test:models`): it builds
 * llama.cpp, with cmake and a C++ compiler.
 */
const withModels = process.env['MODELS'] === '1' ? describe : describe.skip;
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

withModels('llama.cpp with a small model', () => {
  let server: LlamaServer;
  let env: Record<string, string>;
  beforeAll(async () => {
    server = await LlamaServer.open(installLlama());
    env = {
      ANTHROPIC_BASE_URL: server.url,
      MODEL_SONNET: 'smollm2',
      MODEL_ASSISTANT: 'smollm2',
      MODEL_FEATURES: 'none',
      MODEL_CONTEXT_TOKENS: '32000',
      MODEL_MAX_OUTPUT_TOKENS: '300',
      ASSISTANT_MAX_OUTPUT_TOKENS: '200',
      MODEL_PRICES: '{"smollm2": {"input": 0, "output": 0}}',
    };
  }, 60 * MINUTES);
  afterAll(() => server.kill());

  it(
    'doctor says in one sentence what can work with it',
    async () => {
      const findings = await checkModel(readConfig(env));
      console.log(findings.map(({ name, state, says }) => `${state} ${name}: ${says}`).join('\n'));
      expect(findings.at(-1)).toMatchObject({ name: 'model for', state: 'note' });
      expect(findings.at(-1)?.says).toMatch(/assistant/);
    },
    10 * MINUTES,
  );

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
          const errors = chunks.filter(({ type }) => type === 'error');
          rows.push({
            asked,
            ms: Date.now() - began,
            text: text.slice(0, 60),
            errors: errors.length,
          });
          expect(chunks.at(-1)?.type).toBe('finish');
          expect(text).not.toMatch(/<\|?think|<\|/);
          for (const { url } of sources) expect(url).toMatch(/^https:\/\/docs\.acme\.test\//);
        }
        console.table(rows);
        expect(Object.keys(SITE).length).toBeGreaterThan(0);
      },
      20 * MINUTES,
    );
  });

  describe('jobs', () => {
    let stack: JobStack;
    beforeAll(async () => {
      stack = await startJobStack({
        files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
        script: [],
        env: { ...env, JOB_MAX_STEPS: '4' },
      });
    });
    afterAll(() => stack.close());
    const row = async (id: string) => {
      const { rows } = await stack.pool.query<{ state: string; message: string; calls: number }>(
        `select state, message_to_user as message,
                (select count(*)::int from model_calls where job_id = jobs.id) as calls
           from jobs where id = $1`,
        [id],
      );
      return rows[0]!;
    };

    it(
      'end with a sentence, and each call is on the books',
      async () => {
        for (const prompt of ['Say second', 'Fix the typo in the guide', 'What is this?']) {
          const { id } = await stack.create(prompt);
          await stack.rest(id, 10 * MINUTES);
          const { state, message, calls } = await row(id);
          console.log({ prompt, state, calls, message: message.slice(0, 100) });
          expect(['completed', 'failed']).toContain(state);
          expect(message).not.toBe('');
          expect(calls).toBeGreaterThan(0);
          expect(calls).toBeLessThanOrEqual(6);
        }
      },
      30 * MINUTES,
    );

    it(
      'wait for a server that was killed, and say so',
      async () => {
        const { id } = await stack.create('Say second');
        await until('it asks', async () => (await row(id)).calls > 0);
        server.kill();
        const retried = async () => {
          const { rows } = await stack.pool.query<{ reason: string }>(
            `select data->>'reason' as reason from job_events where job_id = $1 and type = 'retry'`,
            [id],
          );
          return rows.map(({ reason }) => reason);
        };
        await until('it says why it waits', async () => (await retried()).length > 0, MINUTES);
        expect((await retried()).join()).toContain(`127.0.0.1:${server.port}`);
        await server.start();
        await stack.rest(id, 10 * MINUTES);
        expect(['completed', 'failed']).toContain((await row(id)).state);
      },
      20 * MINUTES,
    );
  });
});
