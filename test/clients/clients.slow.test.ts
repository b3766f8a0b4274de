import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Value } from '@sinclair/typebox/value';
import { AnswerEventSchema } from '../../api/assistant/wire/event-schemas.ts';
import { installPackages } from '../generators/install.ts';
import type { JobStack } from '../support/job-stack.ts';
import { type ClientNames, startClientStack } from './client-stack.ts';
import type { Generator } from '../generators/packages.ts';

const MINUTES = 60_000;
const PROGRAMS = join(import.meta.dirname, 'programs');
const FILES = {
  'docs/index.md': '---\ntitle: Overview\n---\nAcme waters your plants.\n',
  'docs/install.md': '---\ntitle: Installation\n---\nRun `npm install acme` to install it.\n',
  'docs/guides/setup.md': '---\ntitle: Setup\n---\nPut the pump into the water.\n',
};

const MODULES = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom'];
/** What the code of other generators does not keep. */
const STRICTER = ['--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
const STRICT = ['--strict', ...MODULES];

/** Java runs openapi-generator: `apt-get install default-jre-headless`. */
function hasJava(): boolean {
  const isThere = spawnSync('java', ['-version']).status === 0;
  if (!isThere) console.log('Java is not installed: the client of openapi-generator is not made.');
  return isThere;
}

let stack: JobStack;
let folder: string;
let document: string;
let names: ClientNames;
beforeAll(async () => {
  ({ stack, names } = await startClientStack({ files: FILES }));
  folder = mkdtempSync(join(tmpdir(), 'docent-clients-'));
  document = join(folder, 'openapi.json');
  writeFileSync(document, await (await fetch(`${stack.baseUrl}/openapi.json`)).text());
}, MINUTES);
afterAll(async () => {
  await stack?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

it(
  'has nothing to complain of for the recommended rules of Redocly and Spectral',
  async () => {
    const bin = join(await installPackages('api-lint', TOOLS.lint), 'node_modules/.bin');
    const config = (name: string) => join(import.meta.dirname, name);
    const redocly = ['lint', document, '--config', config('redocly.yaml'), '--format', 'json'];
    const { totals } = JSON.parse(await run(join(bin, 'redocly'), redocly)) as { totals: object };
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
    const spectral = ['lint', document, '--ruleset', config('spectral.yaml'), '--format', 'json'];
    const found = await run(join(bin, 'spectral'), [...spectral, '--quiet', '-F', 'hint']);
    expect(JSON.parse(found || '[]')).toEqual([]);
  },
  20 * MINUTES,
);

it(
  'makes a client of openapi-typescript, which is used in strict TypeScript',
  async () => {
    const tools = await installPackages('api-typescript', TOOLS.typescript);
    const at = place('typescript', 'main.ts.txt', 'main.ts');
    symlinkSync(join(tools, 'node_modules'), join(at, 'node_modules'));
    writeFileSync(join(at, 'package.json'), '{"type":"module"}');
    const bin = join(tools, 'node_modules/.bin');
    await run(join(bin, 'openapi-typescript'), [document, '-o', join(at, 'docent.d.ts')]);
    await run(join(bin, 'tsc'), [...STRICT, ...STRICTER, 'main.ts'], at);
    expect(await used('typescript', process.execPath, ['main.js'], at)).toEqual(uses());
  },
  20 * MINUTES,
);

(hasJava() ? it : it.skip)(
  'makes a client of openapi-generator, which is used in strict TypeScript (needs Java)',
  async () => {
    const tools = await installPackages('api-typescript', TOOLS.typescript);
    const generator = await installPackages('api-generator', TOOLS.generator);
    const at = place('fetch', 'fetch.ts.txt', 'main.ts');
    writeFileSync(join(at, 'package.json'), '{"type":"module"}');
    const options = [
      '-g',
      'typescript-fetch',
      '--additional-properties',
      'importFileExtension=.js',
    ];
    const generate = ['generate', '-i', document, '-o', 'docent', ...options];
    await run(join(generator, 'venv/bin/openapi-generator-cli'), generate, at);
    await run(join(tools, 'node_modules/.bin/tsc'), [...STRICT, 'main.ts'], at);
    expect(await used('fetch', process.execPath, ['main.js'], at)).toEqual(uses());
  },
  20 * MINUTES,
);

it(
  'makes a client of oapi-codegen, which is used in Go',
  async () => {
    const at = place('go', 'main.go', 'main.go');
    mkdirSync(join(at, 'docent'));
    writeFileSync(join(at, 'go.mod'), 'module example\n\ngo 1.24\n');
    const out = ['-package', 'docent', '-generate', 'types,client', '-o', 'docent/client.go'];
    await run('go', ['run', OAPI_CODEGEN, ...out, document], at);
    await run('go', ['mod', 'tidy'], at);
    await run('go', ['vet', './...'], at);
    expect(await used('go', 'go', ['run', '.'], at)).toEqual(uses());
  },
  20 * MINUTES,
);

it(
  'makes a client of openapi-python-client, which is used in Python with strict types',
  async () => {
    const tools = await installPackages('api-python', TOOLS.python);
    const bin = join(tools, 'venv/bin');
    const at = place('python', 'main.py', 'main.py');
    const options = ['generate', '--path', document, '--meta', 'none', '--fail-on-warning'];
    const output = ['--output-path', join(at, 'docent_client')];
    await run(join(bin, 'openapi-python-client'), [...options, ...output], at);
    // What it generates is not strict itself.
    await run(join(bin, 'mypy'), ['--strict', '--follow-imports=silent', 'main.py'], at);
    expect(await used('python', join(bin, 'python'), ['main.py'], at)).toEqual(uses());
  },
  20 * MINUTES,
);

const isNewNode = Number(process.versions.node.split('.')[0]) >= 24;
/** `SLOW=1 npm run test:node24 -- test/clients` */
(isNewNode ? it : it.skip)(
  'is used over MCP by the command line of the inspector: docs and jobs (needs Node 24)',
  async () => {
    const tools = await installPackages('mcp-inspector', TOOLS.inspector);
    const inspector = join(tools, 'node_modules/.bin/mcp-inspector');
    const inspect = async (path: string, key: string, ...rest: string[]) => {
      const target = ['--cli', `${stack.baseUrl}${path}`, '--transport', 'http'];
      const header = ['--header', `Authorization: Bearer ${key}`];
      return JSON.parse(await run(inspector, [...target, '--method', ...rest, ...header])) as {
        tools: { name: string }[];
        structuredContent: Record<string, unknown>;
      };
    };
    const docs = [`/discovery/v1/mcp/${names.DOMAIN}`, names.ASSISTANT_KEY] as const;
    const jobs = [`/v2/agent/${names.PROJECT_ID}/mcp`, names.ADMIN_KEY] as const;
    expect((await inspect(...docs, 'tools/list')).tools.map(({ name }) => name)).toEqual([
      ...['search_docs', 'get_page', 'ask', 'submit_feedback'],
    ]);
    const call = ['tools/call', '--tool-name'];
    const found = await inspect(...docs, ...call, 'search_docs', '--tool-arg', 'query=install');
    expect(found.structuredContent['results']).toMatchObject([{ path: '/install' }]);
    const prompt = 'prompt=Add a page docs/mcp.md titled "MCP" with the text "Hello."';
    const made = await inspect(...jobs, ...call, 'create_job', '--tool-arg', prompt);
    const { id } = made.structuredContent as { id: string };
    const read = ['get_job', '--tool-arg', `id=${id}`, 'waitSeconds=60'];
    expect(await inspect(...jobs, ...call, ...read)).toMatchObject({
      structuredContent: { status: 'completed', outcome: 'published' },
    });
  },
  20 * MINUTES,
);

/** A folder with the program that uses the client. */
function place(name: string, program: string, as: string): string {
  const at = join(folder, name);
  mkdirSync(at);
  copyFileSync(join(PROGRAMS, program), join(at, as));
  return at;
}

/** A job up to its pull request, a question, a search, a page, and a refusal. */
/** What the program did with its client; it has checked the stream. */
async function used(name: string, command: string, args: string[], cwd: string): Promise<object> {
  const prompt = `Add a page docs/${name}.md titled "${name}" with the text "Made by a client."`;
  const did = JSON.parse(await run(command, args, cwd, { PROMPT: prompt })) as { answer: string };
  const data = did.answer.split('\n').flatMap(line => line.split(/^data: /)[1] ?? []);
  expect(data.pop()).toBe('[DONE]');
  const undocumented = data.filter(one => !Value.Check(AnswerEventSchema, JSON.parse(one)));
  expect([data.length > 5, undocumented]).toEqual([true, []]);
  return did;
}

const uses = () => ({
  status: 'completed',
  prLink: expect.stringContaining(stack.baseUrl) as string,
  answer: expect.stringContaining('npm install acme') as string,
  paths: expect.arrayContaining(['/install']) as string[],
  page: expect.stringContaining('Put the pump into the water.') as string,
  problem: 'urn:docent:problem:forbidden',
});

const execute = promisify(execFile);

async function run(
  command: string,
  args: string[],
  cwd = folder,
  env: Record<string, string> = {},
): Promise<string> {
  // Beside a command are those that it starts itself.
  const PATH = `${dirname(command)}:${process.env['PATH']}`;
  const options = { cwd, env: { ...process.env, ...names, ...env, PATH }, maxBuffer: 50_000_000 };
  try {
    return (await execute(command, args, options)).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command}: ${stderr}\n${stdout}`, { cause: error });
  }
}

/** What makes clients of the API document, or judges it. Exact versions, for Node 20. */
const TOOLS = {
  lint: {
    from: 'npm',
    packages: { '@redocly/cli': '2.77.0', '@stoplight/spectral-cli': '6.16.3' },
  },
  typescript: {
    from: 'npm',
    packages: { 'openapi-typescript': '7.13.0', 'openapi-fetch': '0.17.0', typescript: '5.9.3' },
  },
  inspector: { from: 'npm', packages: { '@modelcontextprotocol/inspector': '2.12.0' } },
  /** Brings its program for Java. */
  generator: {
    from: 'pip',
    packages: { 'openapi-generator-cli': '7.26.0' },
  },
  python: {
    from: 'pip',
    packages: { 'openapi-python-client': '0.29.1', mypy: '2.4.1' },
  },
} as const satisfies Record<string, Generator>;

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
