import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../support/docent.ts';
import { question, startAssistant, type TestAssistant } from './harness.ts';

const PAGE = readFileSync(
  join(import.meta.dirname, '../../../docs/assistant/chat-hook.md'),
  'utf8',
);
/** The first releases that accept a top-level `threadId`, as the page says. */
const FIRST = [...PAGE.matchAll(/\b[5-9]\.0\.\d+\b/g)].map(([release]) => release);
const RELEASES = FIRST.flatMap(release => {
  const [major, minor, patch] = release.split('.').map(Number) as [number, number, number];
  return [
    [`${major}.${minor}.${patch - 1}`, 'refuses'],
    [release, 'reads'],
  ] as const;
});

/** Reads an answer with the SDK's own transport, and a body of its own. */
const CLIENT = `import { DefaultChatTransport } from 'ai';
const [api, key, messages] = process.argv.slice(2);
const transport = new DefaultChatTransport({
  api,
  headers: { Authorization: 'Bearer ' + key },
  prepareSendMessagesRequest: ({ messages }) => ({ body: { fp: 'anonymous', messages } }),
});
const stream = await transport.sendMessages({
  trigger: 'submit-message', chatId: 'c', messageId: undefined, messages: JSON.parse(messages),
});
try {
  for await (const _ of stream);
  console.log('reads');
} catch {
  console.log('refuses');
}
`;

let assistant: TestAssistant;
let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  assistant = await startAssistant(() => ({ text: 'ok' }));
});
afterAll(async () => {
  await assistant.close();
  rmSync(folder, { recursive: true });
});

it('the page names one release of each major version', () => {
  expect(FIRST.map(release => release.split('.')[0])).toEqual(['5', '6', '7']);
});

it.each(RELEASES)(
  'release %s of the chat SDK %s a finish event with threadId',
  async (release, expected) => {
    const at = join(folder, release);
    mkdirSync(at);
    writeFileSync(join(at, 'package.json'), '{"private": true, "type": "module"}');
    writeFileSync(join(at, 'client.mjs'), CLIENT);
    const run = promisify(execFile);
    await run('npm', ['install', '--no-audit', '--no-fund', `ai@${release}`, 'zod@3.25.76'], {
      cwd: at,
      env: { ...process.env, npm_config_engine_strict: 'false' },
    });
    const ask = async (query: string) =>
      (
        await run(
          process.execPath,
          [
            'client.mjs',
            `${assistant.url}/discovery/v2/assistant/acme/message${query}`,
            assistant.key,
            JSON.stringify([question('How do I install it?')]),
          ],
          { cwd: at },
        )
      ).stdout.trim();
    expect(await ask('')).toBe(expected);
    expect(await ask('?finish=metadata')).toBe('reads');
  },
  600_000,
);
