import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import type { Moment } from '../support/worker-child.ts';

const FILES = {
  'docs/index.md': '---\ntitle: Welcome\n---\n\n# Welcome\n\nStart with the [guide](/guide).\n',
  'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n',
};
const UNFINISHED_PROMPT = 'Change the line, and stop without a word';
const EDITOR = 'str_replace_based_edit_tool';

/** The turn of each job, told by how far its own transcript is: jobs run one after another on one scripted model. */
const TURN: ScriptedReply[] = [
  { text: 'Looking.', toolUses: [{ name: EDITOR, input: { command: 'view', path: 'docs/guide.md' } }] },
  { toolUses: [{ name: EDITOR, input: { command: 'str_replace', path: 'docs/guide.md', old_str: 'The first line.', new_str: 'A line.' } }] },
  { toolUses: [{ name: 'finish', input: { title: 'Change the line', body: 'As asked.', message: 'Done.' } }] },
];

/** The same turn by a model that stops without `finish`. */
const UNFINISHED: ScriptedReply[] = [...TURN.slice(0, 2), { text: 'Changed the line.' }];

const TYPES = ['beginJob', 'readInstructions', 'prepare', 'callModel', 'view', 'str_replace', 'finish', 'settleTurn', 'planPublish', 'push', 'openPullRequest', 'reportTurn', 'archiveJob'];
const ALL: [string, Moment][] = [
  ...TYPES.flatMap((type): [string, Moment][] => [[type, 'before'], [type, 'after']]), ['push', 'effect'], ['openPullRequest', 'effect'],
];
// One pass of each type at its most dangerous moment; KILLS=all for every point.
const DANGEROUS: [string, Moment][] = TYPES.map(type => [type, type === 'push' || type === 'openPullRequest' ? 'effect' : 'after']);
const POINTS = process.env.KILLS === 'all' ? ALL : DANGEROUS;

describe('a worker killed at any point', () => {
  let stack: JobStack;
  let undisturbedTree: string;
  beforeAll(async () => {
    const script = ({ messages }: { messages: { role: string; content: unknown }[] }): ScriptedReply => {
      const turn = JSON.stringify(messages[0]).includes(UNFINISHED_PROMPT) ? UNFINISHED : TURN;
      return turn[messages.filter(message => message.role === 'assistant').length] ?? { text: 'Done.' };
    };
    stack = await startJobStack({ files: FILES, script, noWorker: true, env: { ACTIVITY_HEARTBEAT_SECONDS: '1' } });
    const { tree } = await runJob(null);
    undisturbedTree = tree;
  });
  afterAll(() => stack.close());

  it.each(POINTS)('%s, killed %s: the same commit, one pull request, no finished model call repeated', async (type, moment) => {
    const { tree, job, killed, calls } = await runJob(`${type}:${moment}`);
    expect(killed).toBe(true);
    expect(job).toMatchObject({ status: 'completed', prLink: expect.stringContaining('/pulls/') });
    expect(tree).toBe(undisturbedTree);
    const ref = job.source.ref ?? '';
    expect(stack.git('rev-list', '--count', `main..${ref}`).trim()).toBe('1');
    const { rows } = await stack.pool.query<{ count: number }>('select count(*) from local_pull_requests where head = $1', [ref]);
    expect(rows[0]?.count).toBe(1);
    expect(calls).toBe(TURN.length);
    const { rows: [ledger] } = await stack.pool.query<{ ok: number }>("select count(*) filter (where outcome = 'ok') as ok from model_calls where job_id = $1", [job.id]);
    expect(ledger?.ok).toBe(TURN.length);
  }, 60_000);

  async function runJob(killAt: string | null) {
    const marker = join(mkdtempSync(join(tmpdir(), 'docent-kill-')), 'killed');
    const before = stack.model.requests.length;
    const first = await spawn(killAt ?? '', marker);
    const created = await stack.create(killAt?.startsWith('settleTurn') ? UNFINISHED_PROMPT : 'Change the line');
    const archiving = killAt?.startsWith('archiveJob') ?? false;
    if (archiving) {
      await stack.rest(created.id);
      void stack.call('POST', `/v2/agent/${stack.project.id}/job/${created.id}/archive`).catch(() => undefined);
    }
    let second: ChildProcess | undefined;
    if (killAt) {
      await once(first, 'exit');
      second = await spawn('', marker);
    }
    let job = await stack.rest(created.id);
    if (archiving) job = await archived(created.id);
    for (const child of [first, second]) child?.kill('SIGKILL');
    const tree = stack.git('rev-parse', `${job.source.ref}^{tree}`).trim();
    return { job, tree, killed: existsSync(marker), calls: stack.model.requests.length - before };
  }

  async function archived(jobId: string): Promise<JobBody> {
    for (;;) {
      const job = await stack.job(jobId);
      if (job.archivedAt !== null) return job;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }

  async function spawn(killAt: string, marker: string): Promise<ChildProcess> {
    const { config } = stack;
    const settings = Object.fromEntries(Object.entries(config).map(([name, value]) => [name, String(value)]));
    const child = fork(join(import.meta.dirname, '../support/worker-child.ts'), [], {
      execArgv: ['--import', 'tsx'],
      env: { PATH: process.env.PATH ?? '', ...settings, KILL_AT: killAt, KILL_MARKER: marker, BUNDLE_PATH: stack.bundlePath },
    });
    await once(child, 'message');
    return child;
  }
});
