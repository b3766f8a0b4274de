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
    }, 600_000);
    afterAll(async () => {
      await browser.close();
      site.close();
    });

    const siteUrl = () => `http://localhost:${(site.address() as AddressInfo).port}/`;

    async function bundled(code: string, major: string): Promise<string> {
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
      return bundle.outputFiles[0]!.text;
    }

    async function open(code: string, major: string): Promise<Page> {
      script = await bundled(code, major);
      const page = await browser.newPage();
      await page.goto(siteUrl());
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

    it.each([
      ['v4', 'v4'],
      ['v7', 'v7'],
      ['unmapped', 'v6'],
    ])(
      'snippet %s in SDK %s: a refusal is one sentence',
      async (name, major) => {
        const page = await open(filled(name).replace(assistant.key, `${assistant.key}x`), major);
        await page.getByLabel('Question').fill(QUESTION);
        await page.getByRole('button', { name: 'Ask' }).click();
        expect(await page.getByRole('alert').innerText()).toMatch(/^The API key is [^{}"]+\.$/);
        await page.close();
      },
      60_000,
    );

    it.each(['v5', 'v6', 'v7'])(
      'snippet resume in SDK %s: a page that is loaded again reads the answer on',
      async major => {
        const page = await open(filled('resume'), major);
        await page.getByLabel('Question').fill(QUESTION);
        const first = page.waitForResponse(
          response => response.request().method() === 'POST' && /message/.test(response.url()),
        );
        await page.getByRole('button', { name: 'Ask' }).click();
        await (await first).finished();
        const shown = () => page.locator('article').allInnerTexts();
        const before = await shown();
        expect(before).toHaveLength(2);
        // As if the answer were still being made: what is stored of it is all of it but its end.
        const { pool } = assistant;
        const { rows } = await pool.query<{ id: string; thread: string; text: string }>(
          `delete from thread_messages where seq = (select max(seq) from thread_messages)
           returning message_id as id, thread_id as thread, text`,
        );
        const { id, thread, text } = rows[0]!;
        await pool.query('delete from running_answers');
        await pool.query(
          'insert into running_answers (message_id, thread_id, api_key_id) values ($1, $2, $3)',
          [id, thread, assistant.keyId],
        );
        const part = (n: number, ...events: object[]) =>
          pool.query('insert into answer_parts values ($1, $2, $3)', [
            ...[id, n, JSON.stringify(events)],
          ]);
        await part(
          1,
          { type: 'start', messageId: id, threadId: thread },
          { type: 'text-start', id: 't', messageId: id },
          { type: 'text', id: 't', text: text.slice(0, 20) },
        );
        const resumed = page.waitForResponse(response => response.url().endsWith('/stream'));
        await page.reload();
        expect((await resumed).status()).toBe(200);
        await page.getByText(text.slice(0, 20)).waitFor();
        await part(
          2,
          { type: 'text', id: 't', text: text.slice(20) },
          ...[
            { type: 'text-end', id: 't' },
            { type: 'step-end', sources: [], last: true },
          ],
          { type: 'finish', threadId: thread, sources: [], usage: {}, reason: 'stop' },
        );
        await pool.query('update running_answers set is_ended = true');
        await (await resumed).finished();
        expect((await shown()).map(one => one.trim())).toEqual(before.map(one => one.trim()));
        await page.close();
      },
      60_000,
    );

    it.each([
      ['v7', 'v5'],
      ['v7', 'v7'],
      ['unmapped', 'v6'],
    ])(
      'snippet %s in SDK %s: with `resume`, it finds nothing to resume',
      async (name, major) => {
        const asked = (page: Page) =>
          page.waitForResponse(
            response => response.request().method() === 'GET' && /discovery/.test(response.url()),
          );
        const code = filled(name).replace('    transport,', '    transport, resume: true,');
        expect(code).toContain('resume: true');
        script = await bundled(code, major);
        const page = await browser.newPage();
        const [response] = await Promise.all([asked(page), page.goto(siteUrl())]);
        expect(response.status()).toBe(204);
        await page.getByLabel('Question').fill(QUESTION);
        expect(await page.getByRole('alert').count()).toBe(0);
        await page.close();
      },
      60_000,
    );
  },
);
