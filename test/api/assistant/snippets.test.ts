import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { type OfflineModel, startOfflineModel } from '../../../offline-model/server.ts';
import { launchBrowser } from '../../support/browser.ts';
import { haveChatSdk, installedChatSdk } from './chat-sdk.ts';
import { startAssistant, type TestAssistant } from './harness.ts';
import { sampleDocs } from './sample-docs.ts';

const PAGES = join(import.meta.dirname, '../../../docs/assistant');
const QUESTION = 'How do I archive a job?';

/** The docs' named code blocks: ```` ```tsx v7 ````. */
const snippets = new Map(
  readdirSync(PAGES).flatMap(file =>
    [
      ...readFileSync(join(PAGES, file), 'utf8').matchAll(
        /^```(?:\w+) ([\w-]+)\n([\s\S]*?)^```$/gm,
      ),
    ].map(([, name, code]) => [name!, code!] as const),
  ),
);

let model: OfflineModel;
let assistant: TestAssistant;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docent-snippets-'));
  model = await startOfflineModel();
  assistant = await startAssistant(
    [],
    { ANTHROPIC_BASE_URL: model.url, MODEL_PROVIDER: 'offline' },
    sampleDocs(),
  );
});
afterAll(async () => {
  await assistant.close();
  await model.close();
  rmSync(folder, { recursive: true });
});

/** A snippet with the three constants that readers replace. */
function filled(name: string): string {
  const code = snippets.get(name);
  if (!code) throw new Error(`docs/assistant has no snippet ${name}`);
  const values: Record<string, string> = {
    BASE_URL: assistant.url,
    DOMAIN: assistant.project.domain,
    ASSISTANT_KEY: assistant.key,
  };
  return code.replace(/^const (\w+) = '.*';$/gm, (line, constant: string) =>
    values[constant] ? `const ${constant} = ${JSON.stringify(values[constant])};` : line,
  );
}

describe('the docs’ curl commands', () => {
  const run = async (name: string) =>
    (
      await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', snippets.get(name)!], {
        env: {
          ...process.env,
          BASE_URL: assistant.url,
          DOMAIN: assistant.project.domain,
          ASSISTANT_KEY: assistant.key,
        },
      })
    ).stdout;

  it('show the events', async () => {
    const text = await run('curl');
    expect(text).toMatch(/^data: \{"type":"start"/);
    expect(text).toContain('"type":"text-delta"');
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
  });

  it('show the text', async () => {
    const text = await run('curl-text');
    expect(text.length).toBeGreaterThan(40);
    expect(text).not.toContain('data:');
  });

  it('search, and read a page', async () => {
    const [first] = JSON.parse(await run('search')) as { path: string }[];
    expect(first?.path).toBe('/agent/create-a-job');
    expect(JSON.parse(await run('page'))).toMatchObject({
      path: '/quickstart',
      content: expect.stringContaining('npm run demo') as string,
    });
  });
});

it('the docs’ fetch runs in Node.js, and carries a thread on', async () => {
  const file = join(folder, 'ask.mjs');
  writeFileSync(
    file,
    `${filled('fetch')}
    let text = '';
    const first = await ask(${JSON.stringify(QUESTION)}, { onText: piece => { text += piece; } });
    const second = await ask('And how do I cancel one?', { threadId: first.threadId });
    console.log(JSON.stringify({ text, first, second }));`,
  );
  const { stdout } = await promisify(execFile)('node', [file]);
  const { text, first, second } = JSON.parse(stdout) as {
    text: string;
    first: { threadId: string; sources: unknown[] };
    second: { threadId: string };
  };
  expect(text).toContain('archive');
  expect(first.sources.length).toBeGreaterThan(0);
  expect(second.threadId).toBe(first.threadId);
});

(haveChatSdk ? describe : describe.skip)(
  'the docs’ hooks in a browser, from another origin (../shared is not always there)',
  () => {
    let sdk: string;
    let browser: Browser;
    let site: Server;
    let script = '';
    beforeAll(async () => {
      sdk = await installedChatSdk();
      browser = await launchBrowser();
      site = createServer((request, response) => {
        if (request.url === '/page.js')
          response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
        else
          response
            .writeHead(200, { 'content-type': 'text/html' })
            .end(
              '<!doctype html><meta charset="utf-8"><title>Docs</title><div id="root"></div><script type="module" src="/page.js"></script>',
            );
      });
      await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve));
    }, 180_000);
    afterAll(async () => {
      await browser.close();
      site.close();
    });

    async function open(code: string, major: string): Promise<Page> {
      const contents = `${code}\nimport { createRoot } from 'react-dom/client';\ncreateRoot(document.getElementById('root')!).render(<Assistant />);`;
      const bundle = await build({
        stdin: { contents, loader: 'tsx', resolveDir: join(sdk, 'majors', major) },
        bundle: true,
        format: 'esm',
        write: false,
        jsx: 'automatic',
        define: { 'process.env.NODE_ENV': '"production"' },
        logLevel: 'silent',
      });
      script = bundle.outputFiles[0]!.text;
      const page = await browser.newPage();
      await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
      return page;
    }

    it.each([
      ['v4', 'v4'],
      ['v7', 'v5'],
      ['v7', 'v6'],
      ['v7', 'v7'],
      ['unmapped', 'v5'],
      ['unmapped', 'v7'],
    ])(
      'snippet %s in SDK %s: two turns in one thread, with text and links',
      async (name, major) => {
        const page = await open(filled(name), major);
        const bodies: { threadId?: string | null }[] = [];
        page.on('request', request => {
          if (request.method() === 'POST')
            bodies.push(request.postDataJSON() as { threadId?: string });
        });
        const answers = page.locator('article[data-role="assistant"]');
        for (const [i, question] of [QUESTION, 'And how do I cancel one?'].entries()) {
          await page.getByLabel('Question').fill(question);
          const asked = page.waitForRequest(request => request.method() === 'POST');
          await page.getByRole('button', { name: 'Ask' }).click();
          const answer = answers.nth(i);
          await answer.getByRole('link').first().waitFor({ timeout: 20_000 });
          expect((await answer.innerText()).length).toBeGreaterThan(30);
          expect(await answer.getByRole('link').first().getAttribute('href')).toMatch(
            /^https:\/\/docs\.acme\.test\//,
          );
          await (await (await asked).response())!.finished(); // the hook learns the thread from the end of the stream
        }
        expect(await page.getByRole('alert').count()).toBe(0);
        expect(bodies).toHaveLength(2);
        expect(bodies[0]!.threadId ?? null).toBeNull();
        expect(bodies[1]!.threadId).toMatch(/^thread_/);
        await page.close();
      },
      60_000,
    );
  },
);
