import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../support/docent.ts';
import { cite } from '../../support/replies.ts';
import { startAssistant, type TestAssistant } from './harness.ts';

/** The first releases of the public SDK of each era of the protocol over HTTP, and the last of them. */
const RELEASES = [
  ['1.10.2', '2025-03-26'],
  ['1.13.3', '2025-06-18'],
  ['1.32.2', '2025-11-25'],
] as const;
const AT_ONCE = 20;
const CALLS = 1_000;

/** Uses every tool once, then searches many times, several clients at once. */
const CLIENT = `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
const [url, key, atOnce, calls] = process.argv.slice(2);
const connect = async () => {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: 'Bearer ' + key } },
  });
  const client = new Client({ name: 'older', version: '1' });
  await client.connect(transport);
  return client;
};
const client = await connect();
const use = (name, args) => client.callTool({ name, arguments: args });
const { tools } = await client.listTools();
const found = await use('search_docs', { query: 'install with npm' });
const page = await use('get_page', { path: '/install' });
const answer = await use('ask', { question: 'How do I install it?' });
const vote = await use('submit_feedback', { path: '/install', comment: 'The port is missing.' });
const unknown = await use('no_such_tool', {}).then(
  ({ isError }) => (isError ? 'isError' : 'answered'), error => error.code);
const times = [];
let errors = 0;
await Promise.all(Array.from({ length: Number(atOnce) }, async () => {
  const own = await connect();
  for (let n = 0; n < Number(calls) / Number(atOnce); n++) {
    const began = performance.now();
    const { isError } = await own.callTool({ name: 'search_docs', arguments: { query: 'pause a schedule' } });
    if (isError) errors += 1;
    times.push(performance.now() - began);
  }
  await own.close();
}));
times.sort((a, b) => a - b);
const at = share => Math.round(times[Math.floor(times.length * share)]);
console.log(JSON.stringify({
  tools: tools.map(({ name }) => name), unknown,
  texts: [found, page, answer].map(({ content: [first] }) => first.text),
  isVoted: !vote.isError, errors, calls: times.length, p50: at(0.5), p99: at(0.99),
}));
await client.close();
`;

let assistant: TestAssistant;
let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  assistant = await startAssistant(request => ({ text: 'Run npm.', citations: [cite(request)] }));
});
afterAll(async () => {
  await assistant.close();
  rmSync(folder, { recursive: true });
});

it.each(RELEASES)(
  'SDK %s, of the protocol of %s, uses every tool and gets 1,000 answers, 20 at once',
  async (release, version) => {
    const at = join(folder, release);
    mkdirSync(at);
    writeFileSync(join(at, 'package.json'), '{"private": true, "type": "module"}');
    writeFileSync(join(at, 'client.mjs'), CLIENT);
    const run = promisify(execFile);
    const sdk = `@modelcontextprotocol/sdk@${release}`;
    await run('npm', ['install', '--no-audit', '--no-fund', sdk, 'zod@3.25.76'], { cwd: at });
    const spoken = new Set<string>();
    const listen = ({ headers }: IncomingMessage) => {
      const said = headers['mcp-protocol-version'];
      if (typeof said === 'string') spoken.add(said);
    };
    assistant.app.server.on('request', listen);
    const url = `${assistant.url}/discovery/v1/mcp/acme`;
    const args = ['client.mjs', url, assistant.key, String(AT_ONCE), String(CALLS)];
    const { stdout } = await run(process.execPath, args, { cwd: at });
    const said = JSON.parse(stdout) as Record<string, unknown> & { p50: number; p99: number };
    console.log(`${release}: p50 ${said.p50} ms, p99 ${said.p99} ms`);
    expect(said).toMatchObject({
      tools: ['search_docs', 'get_page', 'ask', 'submit_feedback'],
      texts: [
        expect.stringContaining('npm install acme'),
        expect.stringContaining('acme/pump'),
        expect.stringContaining('Run npm.'),
      ],
      ...{ unknown: expect.anything(), isVoted: true, errors: 0, calls: CALLS },
    });
    expect(said['unknown']).not.toBe('answered');
    // The first era sends no header.
    expect([...spoken]).toEqual(version === '2025-03-26' ? [] : [version]);
    assistant.app.server.off('request', listen);
  },
  600_000,
);
