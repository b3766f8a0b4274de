import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type OfflineModel, startOfflineModel } from '../../../offline-model/server.ts';
import { haveChatSdk, installedChatSdk } from './chat-sdk.ts';
import { startAssistant, type TestAssistant } from './harness.ts';
import { sampleDocs } from './sample-docs.ts';

interface Report {
  ok: boolean;
  text: string;
  sources: { url: string }[];
  errors: string[];
  warnings: string[];
}

(haveChatSdk ? describe : describe.skip)(
  'the chat SDK’s own hook, answered by the offline model (../shared is not always there)',
  () => {
    let folder: string;
    let model: OfflineModel;
    let assistant: TestAssistant;
    beforeAll(async () => {
      folder = await installedChatSdk();
      model = await startOfflineModel();
      assistant = await startAssistant(
        [],
        { ANTHROPIC_BASE_URL: model.url, MODEL_PROVIDER: 'offline' },
        sampleDocs(),
      );
    }, 600_000);
    afterAll(async () => {
      await assistant.close();
      await model.close();
    });

    describe.each(['v4', 'v5', 'v6', 'v7'])('%s', major => {
      it.each([
        ['with a mapped body', {}],
        ['with the hook’s own body', { DEFAULT_BODY: '1' }],
        ['asking for metadata only', { QUERY: '?finish=metadata' }],
      ])(
        'holds two turns in one thread, strictly, %s',
        async (_name, env) => {
          const { stdout } = await promisify(execFile)(
            'node',
            [`${major}.mjs`, assistant.url, assistant.key, assistant.project.domain],
            {
              cwd: folder,
              env: {
                ...process.env,
                STRICT: '1',
                QUESTION: 'How do I archive a job?',
                QUESTION2: 'And how do I cancel one?',
                ...env,
              },
            },
          ).catch((error: { stdout?: string; message: string }) => ({
            stdout: error.stdout || JSON.stringify({ errors: [error.message] }),
          }));
          const report = JSON.parse(stdout) as Report;
          expect(report).toMatchObject({ ok: true, errors: [], warnings: [] });
          expect(report.text).not.toBe('');
          expect(report.sources.length).toBeGreaterThan(0);
        },
        60_000,
      );
    });
  },
);
