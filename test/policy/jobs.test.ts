import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { docent, temporaryFolder } from '../support/docent.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import type { MessagesRequest, RequestBlock } from '../../offline-model/messages-protocol.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import {
  BASE,
  BINARIES,
  type Edits,
  IN_MARKDOWN,
  IN_MDX,
  MODES,
  PATHS,
  RANDOM,
  SECRETS,
} from './tricks.ts';

const EDITOR = 'str_replace_based_edit_tool';
/** A refused publication names ten reasons, and a trick may be refused for two. */
const AT_ONCE = 5;
/**
 * What comes to something harmless on its way: `/docs/a.md` is docs/a.md, and Postgres keeps no
 * NUL, so that U+FFFD stands there.
 */
const HARMLESS = ['an absolute path', 'an empty part', 'NUL in a page'];

interface Trick {
  name: string;
  edits: [path: string, text: string | null][];
}

/** Every trick that can be said in JSON, each on a path of its own. */
const tricks: Trick[] = [
  ...PATHS.map(([name, , edits]) => trick(name, edits)),
  ...BINARIES.map(([name, edits]) => trick(name, edits)),
  ...SECRETS.map(([name, secret], i) =>
    trick(name, { [`docs/secrets/s${i}.md`]: `# S\n\n${secret}\n` }),
  ),
  ...IN_MDX.map(([name, , code], i) =>
    trick(`in MDX: ${name}`, { [`docs/mdx/m${i}.mdx`]: `---\ntitle: T\n---\n\n# T\n\n${code}\n` }),
  ),
  ...IN_MARKDOWN.map(([name, , code], i) =>
    trick(`in Markdown: ${name}`, { [`docs/markdown/m${i}.md`]: `# T\n\n${code}\n` }),
  ),
].filter(({ name, edits }) => edits.length > 0 && !HARMLESS.includes(name));

function trick(name: string, edits: Edits): Trick {
  return {
    name,
    edits: Object.entries(edits).flatMap(([path, text]): Trick['edits'] =>
      Buffer.isBuffer(text) ? [] : [[path, text]],
    ),
  };
}

/** What a job is told to try: so many tricks from this one on. */
const batches = Array.from({ length: Math.ceil(tricks.length / AT_ONCE) }, (_, i) =>
  tricks.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
);
const callId = (batch: number, index: number, edit: number) => `toolu_${batch}_${index}_${edit}`;

const PLAIN: [string, string] = ['docs/plain.md', '# Plainer\n'];
const SUM: [string, string] = ['docs/sum.mdx', '---\ntitle: Sum\n---\n\n{1 + 1}\n'];

/** A model that tries a batch through the tools, and insists on finishing. */
function tempted({ messages }: MessagesRequest): ScriptedReply {
  const conversation = JSON.stringify(messages);
  const batch = Number(/Batch (\d+)/.exec(conversation)?.[1] ?? -1);
  if (messages.some(({ role }) => role === 'assistant'))
    return {
      toolUses: [
        {
          name: 'finish',
          input: { title: 'Improve the docs', body: 'As asked.', message: 'Done.' },
        },
      ],
    };
  return {
    toolUses: (batches[batch] ?? [{ edits: [conversation.includes('Sum') ? SUM : PLAIN] }]).flatMap(
      ({ edits }, index) =>
        edits.map(([path, text], edit) => ({
          id: callId(batch, index, edit),
          ...(text === null
            ? { name: 'delete_page', input: { path } }
            : { name: EDITOR, input: { command: 'create', path, file_text: text } }),
        })),
    ),
  };
}

describe('a job that tries what no job may', () => {
  let stack: JobStack;
  beforeAll(async () => {
    const files = Object.fromEntries(
      Object.entries(BASE).flatMap(([path, text]) =>
        typeof text === 'string' && !(path in MODES) ? [[path, text]] : [],
      ),
    );
    stack = await startJobStack({ files, script: tempted, env: { JOB_MAX_MEND_ROUNDS: '1' } });
    const index = `${stack.repository}/tricks`;
    const git = (input: string, ...args: string[]) =>
      execFileSync(
        'git',
        [
          '-C',
          stack.repository,
          '-c',
          'user.name=Dana',
          '-c',
          'user.email=dana@example.com',
          ...args,
        ],
        { input, encoding: 'utf8', env: { ...process.env, GIT_INDEX_FILE: index } },
      ).trim();
    git('', 'read-tree', 'main');
    git(
      '',
      'update-index',
      '--add',
      '--cacheinfo',
      `120000,${git(BASE['docs/link.md'], 'hash-object', '-w', '--stdin')},docs/link.md`,
      '--cacheinfo',
      `160000,${git('', 'rev-parse', 'main')},docs/module`,
    );
    git(
      '',
      'update-ref',
      'refs/heads/main',
      git('A link and a module', 'commit-tree', git('', 'write-tree'), '-p', 'main'),
    );
  });
  afterAll(() => stack.close());

  /** The tool results that the model was given, by the call's id. */
  function results(): Map<string, RequestBlock> {
    const blocks = stack.model.requests.flatMap(({ body }) =>
      body.messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content)),
    );
    return new Map(
      blocks.flatMap(block =>
        block.type === 'tool_result' && block.tool_use_id
          ? [[block.tool_use_id, block] as const]
          : [],
      ),
    );
  }

  it(`each of ${tricks.length} tricks is refused, and nothing of it leaves`, async () => {
    expect(tricks.length).toBeGreaterThan(100);
    const outcomes = await Promise.all(
      batches.map(async (_, batch) => {
        const { id } = await stack.create(`Batch ${batch}`);
        const job = await stack.rest(id, 120_000);
        const {
          rows: [row],
        } = await stack.pool.query<{ message: string }>(
          'select message_to_user as message from jobs where id = $1',
          [id],
        );
        return { job, message: row?.message ?? '' };
      }),
    );
    const told = results();
    const passed = batches.flatMap((batch, b) =>
      batch.flatMap(({ name, edits }, index) => {
        const refused = edits.some(
          ([path], edit) =>
            told.get(callId(b, index, edit))?.is_error ||
            outcomes[b]?.message.includes(`${path}: `),
        );
        return refused ? [] : [name];
      }),
    );
    expect(passed).toEqual([]);
    for (const { job, message } of outcomes) {
      expect(message).toMatch(job.status === 'failed' ? /^Not published: / : /^Done\.$/);
      expect(message).not.toContain(RANDOM.slice(0, 12));
    }
    const branches = stack.git('for-each-ref', '--format=%(refname)').trim().split('\n');
    // The harmless one of two pages whose names collide.
    expect(
      branches
        .flatMap(branch => stack.git('diff', '--name-only', 'main', branch).split('\n'))
        .filter(Boolean),
    ).toEqual(['docs/office.md']);
  }, 300_000);

  it('and what is harmless is published', async () => {
    const job = await stack.rest((await stack.create('Nothing wrong')).id);
    expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(stack.git('show', `${job.source.ref}:docs/plain.md`)).toBe(PLAIN[1]);
  });

  it('code in pages is published where the project allows it, and as long as it does', async () => {
    const folder = await temporaryFolder();
    for (const [allowed, status] of [
      ['yes', 'completed'],
      ['no', 'failed'],
    ] as const) {
      const { code, stdout, stderr } = await docent(
        folder,
        ['project', 'set', stack.project.domain, '--allow-mdx-code', allowed],
        { DATABASE_URL: stack.databaseUrl, TEMPORAL_ADDRESS: stack.config.TEMPORAL_ADDRESS ?? '' },
      );
      expect([code, stdout, stderr]).toEqual([
        0,
        `${stack.project.id}  {"allowMdxCode":${allowed === 'yes'}}\n`,
        '',
      ]);
      expect(await stack.rest((await stack.create(`Sum, allowed: ${allowed}`)).id)).toMatchObject({
        status,
      });
    }
    rmSync(folder, { recursive: true });
  });
});
