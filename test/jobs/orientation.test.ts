import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';
import { countTokens } from '../support/prompt-cache.ts';
import { filesOf, fixtureFolder } from '../generators/fixture-sites.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

const PAGE = join(import.meta.dirname, '../../docs/contributing/what-the-model-gets.md');
const TASK = 'Document the new rate-limit headers in the style of the other pages.';

const history = (input: Record<string, unknown>) => ({ name: 'read_history', input });

describe('what the model of a job is told', () => {
  let stack: JobStack;
  let script: ScriptedReply[] = [];
  beforeAll(async () => {
    stack = await startJobStack({
      files: {
        ...filesOf(fixtureFolder('mkdocs')),
        'AGENTS.md': 'Write in the present tense.\n',
        'CONTRIBUTING.md': '# Contributing\n',
      },
      script: () => script.shift() ?? { text: 'Nothing to do.' },
    });
  }, 120_000);
  afterAll(() => stack?.close());

  it('is the orientation beside the first instruction, once; docs show the request', async () => {
    script = [
      { toolUses: [{ name: 'list_files', input: {} }] },
      { text: 'I need the names of the headers.' },
      { text: 'Still nothing.' },
    ];
    const { id } = await stack.create(TASK);
    await stack.rest(id);
    const [first, second] = stack.model.requests.map(({ body }) => body);
    const [instruction, orientation, ...others] = textsOf(first!.messages[0]);
    expect(instruction).toBe(TASK);
    expect(orientation).toMatch(/^<orientation>\n## Date\n\d{4}-\d\d-\d\d\n[^]*\n<\/orientation>$/);
    expect(orientation).toMatch(/touched docs\/\n[0-9a-f]{10} \d{4}-\d\d-\d\d Docent: /);
    expect(orientation).toContain('CONTRIBUTING.md');
    expect(others).toEqual([]);
    expect(textsOf(second!.messages[0])).toEqual([instruction, orientation]);

    const printed = readFileSync(PAGE, 'utf8');
    const current = printed.replace(/(?<=## The request\n)[^]*$/, `\n${requestInDocs(first!)}`);
    if (process.env.UPDATE_DOCS) writeFileSync(PAGE, current);
    // Out of date? UPDATE_DOCS=1 npm run -s jest -- test/jobs/orientation
    else expect(printed).toBe(current);

    await stack.message(id, 'They are called X-Limit and X-Left.');
    await stack.rest(id);
    const last = JSON.stringify(stack.model.requests.at(-1)!.body.messages);
    expect(last.match(/<orientation>/g)).toHaveLength(1);
    expect(last).not.toContain('The date is');
    expect(stack.model.prefixBreaks()).toEqual([]);
  }, 60_000);

  it('tells a later turn the date once it has changed', async () => {
    script = [{ text: 'Which?' }, { text: 'Thanks.' }, { text: 'Thanks.' }];
    const { id } = await stack.create('Change a page.');
    await stack.rest(id);
    await stack.pool.query(
      `update transcript_entries set meta = meta || '{"date": "2020-01-01"}'
        where job_id = $1 and meta ? 'date'`,
      [id],
    );
    for (const expected of [1, 1]) {
      await stack.message(id, 'The first one.');
      await stack.rest(id);
      const sent = JSON.stringify(stack.model.requests.at(-1)!.body.messages);
      expect(sent.match(/<docent-note>The date is \d{4}-\d\d-\d\d now\./g)).toHaveLength(expected);
    }
  }, 60_000);

  it('has the history of the repository at hand, and is told what it cannot have', async () => {
    script = [
      {
        toolUses: [
          history({ action: 'log', path: 'docs/index.md' }),
          history({ action: 'blame', path: 'index.md', lines: [1, 1] }),
          history({ action: 'log', path: 'docs/never.md' }),
          history({ action: 'blame', path: 'docs/index.md', lines: [9000, 9001] }),
          history({ action: 'blame' }),
          history({ action: 'diff' }),
          history({ action: 'diff', commit: 'abcdef1' }),
          history({ action: 'diff', commit: '--output=/tmp/x' }),
          history({ action: 'log', path: '../..' }),
        ],
      },
      { text: 'Seen.' },
    ];
    const { id } = await stack.create('Who wrote the first page?');
    await stack.rest(id);
    const [log, blame, ...failures] = resultsOf(stack.model.requests.at(-1)!.body);
    expect(log).toMatch(/^[0-9a-f]{10} \d{4}-\d\d-\d\d Docent: \S.*$/);
    expect(blame).toMatch(/^\^?[0-9a-f]{8,10} \(Docent \d{4}-\d\d-\d\d 1\) /);
    expect(failures).toEqual([
      expect.stringContaining('No commit of docs/never.md is known'),
      expect.stringMatching(/docs\/index\.md has \d+ lines/),
      expect.stringContaining('path is missing'),
      expect.stringContaining('commit is missing'),
      expect.stringContaining('There is no commit abcdef1'),
      expect.stringContaining('There is no commit --output'),
      expect.stringContaining('".."'),
    ]);

    const commit = log!.slice(0, 10);
    script = [
      { toolUses: [history({ action: 'diff', commit, path: 'docs/index.md' })] },
      { text: 'Seen.' },
    ];
    await stack.message(id, 'And what did it change?');
    await stack.rest(id);
    const diff = resultsOf(stack.model.requests.at(-1)!.body).at(-1);
    expect(diff).toContain('+++ b/docs/index.md');
    expect(diff).not.toContain('mkdocs.yml');
  }, 60_000);
});

type Message = MessagesRequest['messages'][number];

function textsOf(message: Message | undefined): string[] {
  const content = message?.content ?? [];
  return typeof content === 'string'
    ? [content]
    : content.flatMap(({ text }) => text?.replace(/\n\n$/, '') ?? []);
}

function resultsOf({ messages }: MessagesRequest): string[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap(block => (typeof block.content === 'string' ? [block.content] : [])),
  );
}

/** The request as a part of a page; what differs from run to run is written as an example. */
function requestInDocs({ system, tools, messages }: MessagesRequest): string {
  const example = (text: string) =>
    text
      .replace(/(?<=## Date\n)\d{4}-\d\d-\d\d/, '2026-01-15')
      .replace(/(?<=Commit )[0-9a-f]{10}(?=;)/, '4f2a91c07d')
      .replace(/^[0-9a-f]{10} \d{4}-\d\d-\d\d (?=Docent:)/gm, '4f2a91c07d 2026-01-12 ');
  const [instruction = '', orientation = ''] = textsOf(messages[0]).map(example);
  const prompt =
    typeof system === 'string' ? system : textsOf({ role: 'user', content: system! })[0]!;
  const definitions = (tools ?? []).map(tool => JSON.stringify(tool)).join('\n');
  const parts: [string, string, string][] = [
    ['System prompt', 'markdown', prompt.trim()],
    ['Tools', 'json', definitions],
    ['Instruction', 'text', instruction],
    ['Orientation', 'text', orientation],
  ];
  const sizes = parts.map(([name, , text]) => `| ${name} | ${countTokens(text)} |`);
  return [
    ['| Part | Tokens |', '|---|---|', ...sizes].join('\n'),
    ...parts.map(
      ([name, language, text]) => `### ${name}\n\n\`\`\`\`${language}\n${text}\n\`\`\`\``,
    ),
  ]
    .join('\n\n')
    .concat('\n');
}
