import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registry } from '../../shared/metrics/metrics.ts';
import { docent, temporaryFolder } from '../support/docent.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, edit, FINISH, THINKING } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';

interface Listed {
  jobs: { id: string; outcome: string | null; failureCode: string | null }[];
}
interface Outcome {
  result: string;
  sentence: string;
  code?: string;
}

/** What the model answers, by what comes of it. */
const ANSWERS: Record<string, ScriptedReply[]> = {
  published: [EDIT, FINISH],
  unchanged: [FINISH],
  answered: [{ text: 'Which page do you mean?' }],
  declined: [edit('first', '<script>alert(1)</script>'), { text: 'It is refused.' }],
  failed: [{ status: 400, errorType: 'invalid_request_error' }],
  cancelled: [THINKING],
};
const MIGRATION = join(import.meta.dirname, '../../db/migrations/0004_turn_outcomes.sql');
const CODE = 'model_refused_request';

let stack: JobStack;
let dataDir: string;
let script: ScriptedReply[] = [];
const ids: Record<string, string> = {};
beforeAll(async () => {
  dataDir = await temporaryFolder();
  stack = await startJobStack({
    files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
    script: () => script.shift() ?? { text: 'Nothing more.' },
  });
  for (const [result, replies] of Object.entries(ANSWERS)) ids[result] = await job(replies);
}, 60_000);
afterAll(async () => {
  await stack?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function job(replies: ScriptedReply[]): Promise<string> {
  script = [...replies];
  const { id } = await stack.create('Say second');
  if (replies.includes(THINKING)) {
    await until('the model thinks', () => Promise.resolve(script.length === 0));
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${id}/cancel`);
  }
  await stack.rest(id);
  return id;
}

async function get<T>(path: string): Promise<T> {
  const response = await fetch(`${stack.baseUrl}/v2/agent/${stack.project.id}${path}`, {
    headers: { authorization: `Bearer ${stack.adminKey}` },
  });
  return (await response.json()) as T;
}

const outcomeOf = async (id: string) =>
  (await get<{ outcome: Outcome | null }>(`/job/${id}/messages`)).outcome;

/** What came of each turn, by the events of the job. */
async function ends(id: string): Promise<unknown[]> {
  const { rows } = await stack.pool.query<{ end: unknown[] }>(
    `select jsonb_build_array(data -> 'outcome', data -> 'code') as end from job_events
      where job_id = $1 and type = 'finish' order by seq`,
    [id],
  );
  return rows.map(row => row.end);
}

const run = (...args: string[]) =>
  docent(dataDir, ['job', ...args], {
    BASE_URL: stack.baseUrl,
    ADMIN_KEY: stack.adminKey,
    PROJECT_ID: stack.project.id,
  });

describe.each(Object.keys(ANSWERS))('a job that ends %s', result => {
  const code = result === 'failed' ? CODE : null;

  it('says so in its conversation, its events and lists, and not in the job itself', async () => {
    const id = ids[result]!;
    expect(await outcomeOf(id)).toEqual({
      result,
      sentence: expect.stringMatching(/\S/) as string,
      ...(code && { code }),
    });
    expect(await ends(id)).toEqual([[result, code]]);
    expect(Object.keys(await get<object>(`/job/${id}`))).not.toContain('outcome');
    const { jobs } = await get<Listed>(`/jobs?outcome=${result}`);
    expect(jobs.map(each => [each.id, each.outcome, each.failureCode])).toEqual([
      [id, result, code],
    ]);
  });

  it('on the command line, too, which exits by it', async () => {
    const id = ids[result]!;
    const { stdout, code: exit } = await run('get', id, '--wait');
    expect(stdout).toMatch(new RegExp(`^${result}${code ? ` \\(${code}\\)` : ''}: \\S`, 'm'));
    expect(exit).toBe(['published', 'unchanged', 'answered'].includes(result) ? 0 : 1);
    const json = JSON.parse((await run('get', id, '--wait', '--json')).stdout) as {
      outcome: Outcome;
    };
    expect(json.outcome.result).toBe(result);
    const list = (await run('list', '--outcome', result)).stdout.trim().split('\n');
    expect(list.slice(1)).toEqual([expect.stringContaining(id)]);
    expect(list[1]).toContain(code ? `failed: ${code}` : result);
    expect((await run('watch', id)).stdout).toMatch(
      new RegExp(`^${result}${code ? ` \\(${code}\\)` : ''}(:|$)`, 'm'),
    );
  });
});

it('is counted by outcome and code', async () => {
  const text = await registry.metrics();
  for (const result of Object.keys(ANSWERS))
    // Tests of other files count in the same process.
    expect(text).toMatch(
      new RegExp(
        `docent_job_turns_total\\{outcome="${result}",code="${result === 'failed' ? CODE : ''}"\\} [1-9]`,
      ),
    );
});

it('each turn has its own, and what a rewind has undone does not count', async () => {
  const id = await job([edit('first', '<script>alert(1)</script>'), { text: 'It is refused.' }]);
  script = [{ text: 'Which page do you mean?' }];
  await stack.call('POST', `/v2/agent/${stack.project.id}/job/${id}/rewind`, { step: 1 });
  await until('it answered', async () => (await ends(id)).length === 2);
  expect(await ends(id)).toEqual([
    ['declined', null],
    ['answered', null],
  ]);
  expect((await outcomeOf(id))?.result).toBe('answered');
  script = [EDIT, FINISH];
  await stack.message(id, 'Say second');
  await stack.rest(id);
  script = [{ text: 'It is done.' }];
  await stack.message(id, 'What is done?');
  await stack.rest(id);
  expect((await ends(id)).slice(2)).toEqual([
    ['published', null],
    ['answered', null],
  ]);
  expect((await outcomeOf(id))?.result).toBe('published');
});

it('is told of jobs of before, too, once their database is migrated', async () => {
  const outcomes = async () =>
    (
      await stack.pool.query(
        `select job_id, seq, data ->> 'outcome' as outcome from job_events
          where type = 'finish' order by job_id, seq`,
      )
    ).rows;
  const before = await outcomes();
  await stack.pool.query(`update job_events set data = data - 'outcome' where type = 'finish'`);
  await stack.pool.query(await readFile(MIGRATION, 'utf8'));
  expect(await outcomes()).toEqual(before);
});
