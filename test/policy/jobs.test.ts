import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { docent, temporaryFolder } from '../support/docent.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { DRAWINGS, FILES, FRONT_MATTER, INSTRUCTIONS, LIVE, NAVIGATION } from './more-tricks.ts';
import { SECRET_FORMATS } from './secret-formats.ts';
import { listJobOverviews } from '../../shared/db/jobs/job-overviews.ts';
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
const AT_ONCE = 40;
const REFUSED =
  /^Nothing was changed: the policy refused the edits\. \S+ \([a-z-]+\), .* more\.\n\nDone\.$/;
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
  ...[...FILES, ...INSTRUCTIONS].map(([name, , edits]) => trick(name, edits)),
  ...LIVE.map(([name, , text], i) =>
    trick(`live: ${name}`, { [`docs/live/l${i}.md`]: `# T\n\n${text}\n` }),
  ),
  ...FRONT_MATTER.map(([name, , text], i) =>
    trick(`front matter: ${name}`, { [`docs/front/f${i}.md`]: text }),
  ),
  ...DRAWINGS.map(([name, text], i) => trick(`drawing: ${name}`, { [`docs/d${i}.svg`]: text })),
  ...NAVIGATION.map(([name, value]) =>
    trick(`navigation: ${name}`, { 'docs/docs.json': JSON.stringify(value) }),
  ),
  ...SECRET_FORMATS.map(([name, secret], i) =>
    trick(`secret: ${name}`, { [`docs/formats/s${i}.md`]: `# S\n\nUse \`${secret}\`.\n` }),
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
const DRAWING: [string, string] = [
  'docs/alone.svg',
  '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
];
/** A secret in two edits of one page. */
const PIECES = { first: 'Use ghp_q7Zp2Lx9Vb.\n', second: 'q7Zp2Lx9Vb4Nc8Wd1Kf6Tg3Hj5Rm0SyAuEoI' };
const PIECE_CALLS = [
  { name: EDITOR, input: { command: 'create', path: 'docs/pieces.md', file_text: PIECES.first } },
  {
    name: EDITOR,
    input: {
      command: 'str_replace',
      path: 'docs/pieces.md',
      old_str: 'q7Zp2Lx9Vb',
      new_str: PIECES.second,
    },
  },
];
const SUM: [string, string] = ['docs/sum.mdx', '---\ntitle: Sum\n---\n\n{1 + 1}\n'];

function single(conversation: string): [string, string] {
  if (conversation.includes('Drawing')) return DRAWING;
  return conversation.includes('Sum') ? SUM : PLAIN;
}

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
  if (conversation.includes('Pieces')) return { toolUses: PIECE_CALLS };
  return {
    toolUses: (batches[batch] ?? [{ edits: [single(conversation)] }]).flatMap(({ edits }, index) =>
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
    expect(tricks.length).toBeGreaterThan(120);
    const jobs = await Promise.all(
      batches.map(async (_, batch) =>
        stack.rest((await stack.create(`Batch ${batch}`)).id, 200_000),
      ),
    );
    const told = results();
    // The tool says why: by the rule's name, or before it writes anything at all.
    const isRefused = (id: string) =>
      told.get(id)?.is_error === true &&
      /\((?:[a-z]+-)*[a-z]+\): |may not be changed|secret removed|\.git|control, invisible|\.\./.test(
        JSON.stringify(told.get(id)?.content),
      );
    const passed = batches.flatMap((batch, b) =>
      batch.flatMap(({ name, edits }, index) =>
        edits.some((_, edit) => isRefused(callId(b, index, edit))) ? [] : [name],
      ),
    );
    expect(passed).toEqual([]);
    const branches = stack.git('for-each-ref', '--format=%(refname)').trim().split('\n');
    // The harmless one of two pages whose names collide.
    expect(
      branches
        .flatMap(branch => stack.git('diff', '--name-only', 'main', branch).split('\n'))
        .filter(Boolean),
    ).toEqual(['docs/office.md']);
    expect(jobs.map(({ status }) => status)).toEqual(jobs.map(() => 'completed'));
    // One of them has published the harmless page.
    const texts = await outcomes(jobs.map(({ id }) => id));
    expect(texts.filter(one => REFUSED.test(one))).toHaveLength(jobs.length - 1);
    const overviews = await listJobOverviews(stack.pool, stack.project.id, { limit: 100 });
    expect(overviews.map(({ outcome }) => outcome).toSorted()).toEqual([
      'open',
      ...jobs.slice(1).map(() => 'refused'),
    ]);
  }, 300_000);

  /** The message of each job's last turn. */
  async function outcomes(ids: string[]): Promise<string[]> {
    const { rows } = await stack.pool.query<{ message: string }>(
      'select message_to_user as message from jobs where id = any($1)',
      [ids],
    );
    return rows.map(({ message }) => message);
  }

  it('no secret that was refused is kept: in no table, no history, no later request', async () => {
    const values = SECRET_FORMATS.map(([, secret]) => secret.split('\n').at(-1) ?? '');
    const parts = [
      RANDOM.slice(0, 16),
      ...values.filter(value => value.length > 24 && !/^-/.test(value)),
    ];
    const kept = (await everything(stack)).concat(
      stack.model.requests.map(({ body }) => JSON.stringify(body)),
    );
    expect(parts.filter(part => kept.some(text => text.includes(part)))).toEqual([]);
    expect(kept.some(text => text.includes('secret removed'))).toBe(true);
  }, 60_000);

  it('a refusal is final: it outlasts the repair rounds of a model that insists', async () => {
    const job = await stack.rest((await stack.create('Drawing alone')).id);
    expect(job).toMatchObject({ status: 'failed', prLink: null });
    const { rows } = await stack.pool.query<{ message: string }>(
      'select message_to_user as message from jobs where id = $1',
      [job.id],
    );
    expect(rows[0]?.message).toBe(
      `Not published: ${DRAWING[0]}: No page uses this file. Delete it, or show it.`,
    );
  });

  it('a secret in pieces never becomes whole, and only the harmless piece is published', async () => {
    const job = await stack.rest((await stack.create('Pieces of a key')).id);
    expect(stack.git('show', `${job.source.ref}:docs/pieces.md`)).toBe(PIECES.first);
    const kept = await everything(stack);
    expect(kept.filter(text => text.includes(`ghp_${PIECES.second}`))).toEqual([]);
  });

  it('and what is harmless is published', async () => {
    const job = await stack.rest((await stack.create('Nothing wrong')).id);
    expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(stack.git('show', `${job.source.ref}:docs/plain.md`)).toBe(PLAIN[1]);
  });

  it('code in pages is published where the project allows it, and as long as it does', async () => {
    const folder = await temporaryFolder();
    for (const allowed of ['yes', 'no']) {
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
      const job = await stack.rest((await stack.create(`Sum, allowed: ${allowed}`)).id);
      expect([job.status, job.prLink !== null]).toEqual(['completed', allowed === 'yes']);
    }
    rmSync(folder, { recursive: true });
  });
});

/** Every row of every table, as text; bytes too. */
async function everything({ pool }: JobStack): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<Record<string, unknown>>(`select * from "${name}"`);
    for (const row of rows)
      texts.push(
        JSON.stringify(row, (_, value: unknown) =>
          Buffer.isBuffer(value) ? value.toString('latin1') : value,
        ),
      );
  }
  return texts;
}
