import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forkWorker, type WorkerProcess } from '../support/fork-worker.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { SLOW } from '../support/slow.ts';

const FILES = {
  'docs/docs.json':
    '{\n  "name": "Docs",\n  "navigation": { "pages": ["index", "guide", "old"] }\n}\n',
  'docs/index.md': '---\ntitle: Welcome\n---\n\n# Welcome\n\nStart with the [guide](/guide).\n',
  'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n',
  'docs/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>\n',
  'docs/old.md': '---\ntitle: Old\n---\n\n# Old\n\nNobody reads this.\n',
};
const FOLLOW_UP = 'Change the line again, and stop without a word';
const EDITOR = 'str_replace_based_edit_tool';
const TODOS = [{ id: '1', content: 'Change the line', status: 'in_progress', priority: 'high' }];

/**
 * What the model says, call by call: a turn that uses every tool, one that ends without `finish`,
 * and one that ends with a question.
 */
const REPLIES: ScriptedReply[] = [
  {
    text: 'Looking.',
    toolUses: [
      { name: EDITOR, input: { command: 'view', path: 'docs/guide.md' } },
      { name: 'view_files', input: { files: [{ path: 'docs/guide.md' }] } },
      { name: 'list_files', input: {} },
      { name: 'search_text', input: { pattern: 'first' } },
      { name: 'search_docs', input: { query: 'first line' } },
      { name: 'read_history', input: { action: 'log', path: 'docs/guide.md' } },
      { name: 'read_openapi', input: { path: 'docs/docs.json' } },
      { name: 'read_web_page', input: { url: 'https://example.com/' } },
      { name: 'write_todos', input: { todos: TODOS } },
      { name: 'no_such_tool', input: {} },
    ],
  },
  {
    toolUses: [
      {
        name: EDITOR,
        input: {
          command: 'str_replace',
          path: 'docs/guide.md',
          old_str: 'The first line.',
          new_str: 'A line.',
        },
      },
      {
        name: EDITOR,
        input: {
          command: 'create',
          path: 'docs/new.md',
          file_text: '---\ntitle: New\n---\n\n# New\n',
        },
      },
      {
        name: EDITOR,
        input: {
          command: 'insert',
          path: 'docs/new.md',
          insert_line: 5,
          insert_text: '\nSee the [guide](/guide).\n\n![The seal](seal.svg)\n',
        },
      },
      { name: 'edit_navigation', input: { action: 'add_page', page: 'docs/new.md' } },
      { name: 'replace_all', input: { find: 'Start with', replace: 'Begin with' } },
      { name: 'add_image', input: { path: 'docs/seal.svg', from: 'docs/mark.svg' } },
      { name: 'move_page', input: { from: 'docs/guide.md', to: 'docs/handbook.md' } },
      { name: 'delete_page', input: { path: 'docs/old.md' } },
      { name: 'check', input: {} },
    ],
  },
  {
    toolUses: [
      { name: 'finish', input: { title: 'Change the line', body: 'As asked.', message: 'Done.' } },
    ],
  },
  {
    toolUses: [
      {
        name: EDITOR,
        input: {
          command: 'str_replace',
          path: 'docs/handbook.md',
          old_str: 'A line.',
          new_str: 'Another line.',
        },
      },
    ],
  },
  { text: 'Changed the line.' },
  { text: 'Changed the line.' }, // asked whether it has finished
  { toolUses: [{ name: 'ask', input: { question: 'Which colour?' } }] },
];

/** Every activity type of a job. */
const TYPES = [
  'readInstructions',
  'prepare',
  'callModel',
  'view',
  'view_files',
  'list_files',
  'search_text',
  'search_docs',
  'read_history',
  'read_openapi',
  'read_web_page',
  'write_todos',
  'invalid_call',
  'str_replace',
  'create',
  'insert',
  'replace_all',
  'add_image',
  'edit_navigation',
  'move_page',
  'delete_page',
  'check',
  'finish',
  'ask',
  'planPublish',
  'push',
  'openPullRequest',
  'reportTurn',
  'storeInstructions',
  'settleTurn',
  'archiveJob',
];
/** Of jobs that wait for a person: test/jobs/waiting-answers restarts everything under them. */
const OF_WAITING = ['passWait', 'propose_plan'];
const REMOTE = ['push', 'openPullRequest'];
/** Where a death differs: in a paid call, in a tool, between the host and our rows, between histories. */
const DEATHS = ['callModel:after', 'str_replace:after', 'push:effect', 'storeInstructions:after'];

describe('a worker killed at any point', () => {
  const stacks: JobStack[] = [];
  const allWorkers: { stop(): void }[] = [];
  const expected = {
    status: 'completed',
    calls: REPLIES.length,
    paid: REPLIES.length,
    commits: 2,
    pullRequests: 1,
    types: [...TYPES, ...OF_WAITING].sort(),
  };
  afterAll(async () => {
    for (const workers of allWorkers) workers.stop();
    await Promise.all(stacks.map(stack => stack.close()));
  });

  if (SLOW) {
    let undisturbed: Run;
    beforeAll(async () => {
      undisturbed = await runJob(await start());
      expect(undisturbed).toMatchObject({ ...expected, reached: [] });
    }, 120_000);
    const points = [
      ...TYPES.flatMap(type => [`${type}:before`, `${type}:after`]),
      ...REMOTE.map(type => `${type}:effect`),
    ];
    it.each(points)(
      '%s: the same tree, one commit a turn, one pull request, no finished model call repeated',
      async point => {
        const run = await runJob(stacks[0]!, { KILL_AT: point });
        expect(run).toEqual({ ...undisturbed, reached: [point] });
      },
      120_000,
    );
  } else {
    it('in every part of a job, and any answer lost: the same tree, one commit a turn, one pull request, no finished model call repeated (the slow lane: every moment of each activity type, a job for each)', async () => {
      // A death is mostly waiting for time-outs: the jobs wait side by side. What one job meets,
      // another does not, so that equal trees are the right ones.
      const runs = [{ LOSE_AT: TYPES.join(',') }, { KILL_AT: DEATHS.join(',') }];
      const [lost, killed] = await Promise.all(
        runs.map(async faults => runJob(await start(), faults)),
      );
      expect(lost).toMatchObject({
        ...expected,
        reached: TYPES.map(type => `${type}:lost`).sort(),
      });
      expect(killed).toEqual({ ...lost, reached: DEATHS.toSorted() });
    }, 200_000);
  }

  async function start(): Promise<JobStack> {
    const script = ({ messages }: { messages: { role: string }[] }): ScriptedReply =>
      REPLIES[messages.filter(message => message.role === 'assistant').length] ?? { text: 'Done.' };
    // A new history after each turn: else no job would ever store what waits.
    const env = { ACTIVITY_HEARTBEAT_SECONDS: '1', JOB_CONTINUE_AS_NEW_AFTER_TURNS: '1' };
    const stack = await startJobStack({ files: FILES, script, noWorker: true, env });
    stacks.push(stack);
    return stack;
  }

  interface Run {
    status: string;
    tree: string;
    commits: number;
    pullRequests: number;
    /** Model calls that arrived. */
    calls: number;
    /** Model calls in the ledger that came to their end. */
    paid: number;
    /** The points at which a worker died, or an answer was lost. */
    reached: string[];
    /** The activities that a worker registers. */
    types: string[];
  }

  /**
   * Three turns and the archive; the first follow-up comes while the first turn's pull request opens,
   * too late to be read in it.
   */
  async function runJob(stack: JobStack, faults: Record<string, string> = {}): Promise<Run> {
    const marker = join(mkdtempSync(join(tmpdir(), 'docent-kill-')), 'killed');
    const before = stack.model.requests.length;
    let jobId = '';
    let followedUp = false;
    const workers = await startWorkers(stack, { ...faults, KILL_MARKER: marker }, async () => {
      if (!followedUp)
        await stack.temporal.workflow.getHandle(jobId).signal('message', { prompt: FOLLOW_UP });
      followedUp = true;
    });
    jobId = (await stack.create('Change the line')).id;
    // The row, not the API: a query would wait for the dead worker, too.
    await until(stack, "state <> 'active' and turns = 2", jobId);
    await stack.temporal.workflow.getHandle(jobId).signal('message', { prompt: 'Paint it' });
    await until(stack, "state <> 'active' and turns = 3", jobId);
    void stack
      .call('POST', `/v2/agent/${stack.project.id}/job/${jobId}/archive`)
      .catch(() => undefined);
    await until(stack, 'archived_at is not null', jobId);
    workers.stop();
    const {
      status,
      source: { ref },
    } = await stack.job(jobId);
    const {
      rows: [counted],
    } = await stack.pool.query<{ pullRequests: number; paid: number }>(
      `select (select count(*) from local_pull_requests where head = $2) as "pullRequests",
              (select count(*) from model_calls where job_id = $1 and outcome = 'ok') as paid`,
      [jobId, ref],
    );
    return {
      status,
      ...counted!,
      calls: stack.model.requests.length - before,
      types: workers.types,
      tree: stack.git('rev-parse', `${ref}^{tree}`).trim(),
      commits: Number(stack.git('rev-list', '--count', `main..${ref}`)),
      reached: existsSync(marker) ? readdirSync(marker).sort() : [],
    };
  }

  async function until(stack: JobStack, reached: string, jobId: string): Promise<void> {
    while (
      (await stack.pool.query(`select 1 from jobs where id = $1 and ${reached}`, [jobId])).rows
        .length === 0
    ) {
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }

  /** One worker works; while deaths are to come, one stands by that takes over. */
  async function startWorkers(
    stack: JobStack,
    env: Record<string, string>,
    publishing: () => Promise<void>,
  ) {
    const children: ChildProcess[] = [];
    const spawn = async (): Promise<WorkerProcess> => {
      const worker = await forkWorker(stack, { ...env, STANDBY: '1', ASK_AT: 'openPullRequest' });
      children.push(worker.child);
      if (stopped) worker.child.kill('SIGKILL');
      return worker;
    };
    let standby: ReturnType<typeof spawn>;
    let deaths = env['KILL_AT']?.split(',').length ?? 0;
    let stopped = false;
    const work = ({ child }: { child: ChildProcess }): void => {
      child.on(
        'message',
        () => void publishing().then(() => child.connected && child.send('go on')),
      );
      child.once('exit', () => void replace());
      child.send('work');
      if (deaths-- > 0) standby = spawn();
    };
    const replace = async (): Promise<void> => {
      const next = await standby;
      if (!stopped) work(next);
    };
    const first = await spawn();
    work(first);
    const workers = {
      types: first.types.sort(),
      stop() {
        stopped = true;
        for (const child of children) child.kill('SIGKILL');
      },
    };
    allWorkers.push(workers);
    return workers;
  }
});
