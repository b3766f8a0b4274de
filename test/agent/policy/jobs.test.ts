import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { docent, temporaryFolder } from '../../support/docent.ts';
import { type JobStack, startJobStack } from '../../support/job-stack.ts';
import { ATTACKS, ODD_FILES, PIECES, WHOLE_PAGES } from './attacks.ts';
import { HARMLESS_PAGES } from './harmless-pages.ts';
import { DRAWINGS, FILES, FRONT_MATTER, INSTRUCTIONS, LIVE, NAVIGATION } from './more-tricks.ts';
import { SECRET_FORMATS } from './secret-formats.ts';
import { listJobOverviews } from '../../../db/jobs/job-overviews.ts';
import type {
  MessagesRequest,
  RequestBlock,
} from '../../../offline-model/protocol/messages-protocol.ts';
import { textOf } from '../../security/canaries.ts';
import type { ScriptedReply } from '../../support/scripted-model.ts';
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
import { SLOW } from '../../support/slow.ts';

const EDITOR = 'str_replace_based_edit_tool';
const AT_ONCE = 40;
const REFUSED =
  /^Nothing was changed: the policy refused the edits\. \S+ \([a-z-]+\)(?:, .*)?\.\n\nDone\.$/;
/**
 * What comes to something harmless on its way: `/docs/a.md` is docs/a.md, and Postgres keeps no
 * NUL, so that U+FFFD stands there.
 */
const HARMLESS = ['an absolute path', 'an empty part', 'NUL in a page'];

interface Trick {
  name: string;
  /** The rule that refuses it, where the policy does; the tools refuse some paths themselves. */
  rule: string;
  edits: [path: string, text: string | null][];
}

/** One page for each row: name, rule, text. */
const pages = (
  folder: string,
  rows: readonly (readonly [name: string, rule: string, text: string])[],
  ending = 'md',
): Trick[] =>
  rows.map(([name, rule, text], i) =>
    trick(`${folder}: ${name}`, rule, { [`docs/${folder}/t${i}.${ending}`]: text }),
  );
const below = (rows: readonly (readonly [string, string, string])[], head = '') =>
  rows.map(([name, rule, text]) => [name, rule, `${head}# T\n\n${text}\n`] as const);
const secrets = (rows: readonly (readonly [string, string])[]) =>
  rows.map(([name, text]) => [name, 'secret', `# S\n\n${text}\n`] as const);

/** Every trick that can be said in JSON, each on a path of its own. */
const all: Trick[] = [
  ...[...PATHS, ...FILES, ...INSTRUCTIONS].map(([name, rule, edits]) => trick(name, rule, edits)),
  // Their pages by themselves are harmless.
  ...ODD_FILES.map(([name, rule, edits]) =>
    trick(
      name,
      rule,
      Object.fromEntries(Object.entries(edits).filter(([path]) => path !== 'docs/plain.md')),
    ),
  ),
  ...BINARIES.map(([name, edits]) => trick(name, 'binary', edits)),
  ...pages('mdx', below(IN_MDX, '---\ntitle: T\n---\n\n'), 'mdx'),
  ...pages('markdown', below(IN_MARKDOWN)),
  ...pages('live', below(LIVE)),
  ...pages('attacks', below(ATTACKS)),
  ...pages('whole', WHOLE_PAGES),
  ...pages(
    'whole-mdx',
    WHOLE_PAGES.filter(([, rule]) => rule === 'mdx-code'),
    'mdx',
  ),
  ...pages('front', FRONT_MATTER),
  ...pages('secrets', secrets(SECRETS)),
  ...pages('formats', secrets(SECRET_FORMATS.map(([name, text]) => [name, `Use \`${text}\`.`]))),
  ...pages('pieces', secrets(PIECES.map(([name, text]) => [name, `Use ${text} here.`]))),
  ...DRAWINGS.map(([name, text], i) =>
    trick(`drawing: ${name}`, 'script', { [`docs/d${i}.svg`]: text }),
  ),
  ...NAVIGATION.map(([name, value]) =>
    trick(`navigation: ${name}`, 'navigation', { 'docs/docs.json': JSON.stringify(value) }),
  ),
].filter(({ name, edits }) => edits.length > 0 && !HARMLESS.includes(name));

function trick(name: string, rule: string, edits: Edits): Trick {
  return {
    name,
    rule,
    edits: Object.entries(edits).flatMap(([path, text]): Trick['edits'] =>
      Buffer.isBuffer(text) ? [] : [[path, text]],
    ),
  };
}

/** The harmless one of two pages whose names collide. */
const HARMLESS_PAGE = 'docs/office.md';

/**
 * The other tests of this folder judge all of them; an eighth goes through jobs, in the slow lane all.
 */
const tricks = all.filter(
  ({ edits }, i) => SLOW || i % 8 === 0 || edits.some(([path]) => path === HARMLESS_PAGE),
);

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
const HALVES = { first: 'Use ghp_q7Zp2Lx9Vb.\n', second: 'q7Zp2Lx9Vb4Nc8Wd1Kf6Tg3Hj5Rm0SyAuEoI' };
const PIECE_CALLS = [
  { name: EDITOR, input: { command: 'create', path: 'docs/pieces.md', file_text: HALVES.first } },
  {
    name: EDITOR,
    input: {
      command: 'str_replace',
      path: 'docs/pieces.md',
      old_str: 'q7Zp2Lx9Vb',
      new_str: HALVES.second,
    },
  },
];
const SUM: [string, string] = ['docs/sum.mdx', '---\ntitle: Sum\n---\n\n{1 + 1}\n'];

/** Each on a path of its own, so that its links may lead nowhere: that is no matter of the policy. */
const HARMLESS_TEXTS = HARMLESS_PAGES.flatMap(({ path, site, text }, i): [string, string][] =>
  Object.keys(site).length === 0 ? [[path.replace('docs/', `docs/harmless-${i}/`), text]] : [],
);

const DATA: [string, string] = ['docs/data/a.json', '{ "a": 1 }\n'];

function single(conversation: string): [string, string] {
  if (conversation.includes('Data file')) return DATA;
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
  const wanted = conversation.includes('Harmless') ? HARMLESS_TEXTS : [single(conversation)];
  return {
    toolUses: (batches[batch] ?? [{ edits: wanted }]).flatMap(({ edits }, index) =>
      edits.flatMap(([path, text], edit) => [
        // What is not read is not replaced.
        { name: EDITOR, input: { command: 'view', path } },
        {
          id: callId(batch, index, edit),
          ...(text === null
            ? { name: 'delete_page', input: { path } }
            : { name: EDITOR, input: { command: 'create', path, file_text: text } }),
        },
      ]),
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
    expect(all.length).toBeGreaterThan(370);
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
    const rules = await rulesOfRefusals();
    const otherwise = batches.flatMap((batch, b) =>
      batch.flatMap(({ name, rule, edits }, index) => {
        const given = edits.flatMap((_, edit) => rules.get(callId(b, index, edit)) ?? []);
        return given.length === 0 || given.includes(rule) ? [] : [[name, rule, given]];
      }),
    );
    expect(otherwise).toEqual([]);
    const branches = stack.git('for-each-ref', '--format=%(refname)').trim().split('\n');
    expect(
      branches
        .flatMap(branch => stack.git('diff', '--name-only', 'main', branch).split('\n'))
        .filter(Boolean),
    ).toEqual([HARMLESS_PAGE]);
    expect(jobs.map(({ status }) => status)).toEqual(jobs.map(() => 'completed'));
    // One of them has published the harmless page.
    const texts = await outcomes(jobs.map(({ id }) => id));
    expect(texts.filter(one => REFUSED.test(one))).toHaveLength(jobs.length - 1);
    const overviews = await listJobOverviews(
      stack.pool,
      { projectId: stack.project.id },
      { limit: 100 },
    );
    expect(overviews.map(({ outcome }) => outcome).toSorted()).toEqual([
      ...jobs.slice(1).map(() => 'declined'),
      'open',
    ]);
  }, 300_000);

  /** By which rules the policy refused a call, by its id, as the job's events tell. */
  async function rulesOfRefusals(): Promise<Map<string, string[]>> {
    const { rows } = await stack.pool.query<{ id: string; rules: string[] }>(
      `select data->>'toolCallId' as id, data->'refusedBy' as rules
         from job_events where type = 'tool_result' and data ? 'refusedBy'`,
    );
    return new Map(rows.map(({ id, rules }) => [id, rules]));
  }

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
      // The second half of each secret in pieces.
      RANDOM.slice(10, 36),
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
    expect(stack.git('show', `${job.source.ref}:docs/pieces.md`)).toBe(HALVES.first);
    const kept = await everything(stack);
    expect(kept.filter(text => text.includes(`ghp_${HALVES.second}`))).toEqual([]);
  });

  it(`${HARMLESS_TEXTS.length} harmless pages are published, and none is refused`, async () => {
    expect(HARMLESS_TEXTS.length).toBeGreaterThan(15);
    const job = await stack.rest((await stack.create('Harmless pages')).id, 120_000);
    const { rows } = await stack.pool.query(
      `select data from job_events where job_id = $1 and data ? 'refusedBy'`,
      [job.id],
    );
    expect(rows).toEqual([]);
    for (const [path, text] of HARMLESS_TEXTS)
      expect([path, stack.git('show', `${job.source.ref}:${path}`)]).toEqual([path, text]);
  }, 150_000);

  it('and what is harmless is published', async () => {
    const job = await stack.rest((await stack.create('Nothing wrong')).id);
    expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(stack.git('show', `${job.source.ref}:docs/plain.md`)).toBe(PLAIN[1]);
  });

  it('code in pages is published where the project allows it, and as long as it does', async () => {
    for (const allowed of ['yes', 'no']) {
      await set('--allow-mdx-code', allowed, { allowMdxCode: allowed === 'yes' });
      const job = await stack.rest((await stack.create(`Sum, allowed: ${allowed}`)).id);
      expect([job.status, job.prLink !== null]).toEqual(['completed', allowed === 'yes']);
    }
  }, 60_000);

  it('another file is published where the project names its path, and as long as it does', async () => {
    for (const globs of ['docs/data/*.json', 'docs/other/*.json', 'none']) {
      await set('--allow-paths', globs, { allowPaths: globs === 'none' ? [] : [globs] });
      const job = await stack.rest((await stack.create(`Data file, allowed: ${globs}`)).id);
      const isAllowed = globs.startsWith('docs/data');
      expect([globs, job.status, job.prLink !== null]).toEqual([globs, 'completed', isAllowed]);
    }
  }, 60_000);

  /** Changes the project on the command line, as an operator does. */
  async function set(flag: string, value: string, said: object): Promise<void> {
    const folder = await temporaryFolder();
    const { code, stdout, stderr } = await docent(
      folder,
      ['project', 'set', stack.project.domain, flag, value],
      { DATABASE_URL: stack.databaseUrl, TEMPORAL_ADDRESS: stack.config.TEMPORAL_ADDRESS ?? '' },
    );
    rmSync(folder, { recursive: true });
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout.replace(stack.project.id, ''))).toMatchObject(said);
  }
});

/** Every row of every table, and the history of every job, as text; bytes too. */
async function everything({ pool, temporal }: JobStack): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  const { rows: jobs } = await pool.query<{ id: string }>('select id from jobs');
  for (const { id } of jobs)
    texts.push(textOf(await temporal.workflow.getHandle(id).fetchHistory()));
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
