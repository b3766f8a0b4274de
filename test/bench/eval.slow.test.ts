import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readCases } from '../../bench/eval/cases.ts';
import { docent, startDocent, temporaryFolder } from '../support/docent.ts';
import { testProgram } from '../support/services.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, edit, FINISH } from '../support/replies.ts';
import { startScriptedModel } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import { environmentOf, evaluate, evaluateAll } from './evaluate.ts';
import { slowly } from '../support/slow.ts';

const PAGE = '---\ntitle: Guide\n---\n\nThe first line.\n';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function makeCases(ids: string[]): Promise<string> {
  const cases = join(folder, 'cases');
  const files: Record<string, string> = {
    'cases.jsonl': ids.map(id => JSON.stringify({ id, prompt: `Say second in ${id}` })).join('\n'),
  };
  for (const id of ids) {
    files[`files/${id}/before/docs/guide.md`] = PAGE;
    files[`files/${id}/after/docs/guide.md`] = PAGE.replace('first', 'second');
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(cases, path)), { recursive: true });
    await writeFile(join(cases, path), text);
  }
  return cases;
}

describe('npm run eval, with a scripted model', () => {
  const IDS = ['one', 'two', 'three'];
  let stack: JobStack;
  let cases: string;
  /** Replies are chosen by how far the conversation is, so that cases may run at the same time. */
  let hold: Promise<void> | undefined;
  beforeAll(async () => {
    cases = await makeCases(IDS);
    stack = await startJobStack({
      files: { 'docs/guide.md': PAGE, 'mark.bin': Buffer.from([0, 255]) },
      env: { MODEL_SONNET: 'configured-model' },
      script: async request => {
        if (request.messages.length > 1) return FINISH;
        if (JSON.stringify(request.messages).includes('in two')) await hold;
        return EDIT;
      },
    });
  });
  afterAll(() => stack.close());

  it('is killed in the midst, continued without another model call, and publishes nothing', async () => {
    const out = join(folder, 'scripted');
    const agents = join(folder, 'AGENTS.md');
    await writeFile(agents, 'Write in British English.\n');
    const args = [cases, '--out', out, '--model', 'local-model', '--agents', agents];
    let release = (): void => undefined;
    hold = new Promise(resolve => {
      release = resolve;
    });
    const running = startDocent(
      stack.config.DATA_DIR,
      [...args, '--parallel', '1'],
      environmentOf(stack),
      testProgram('eval'),
    );
    await until('the second case thinks', () =>
      stack.model.requests.some(({ body }) => JSON.stringify(body.messages).includes('in two')),
    );
    running.process.kill('SIGKILL');
    await running.ended;
    expect(existsSync(join(out, 'report.json'))).toBe(false);
    release();

    const report = await evaluate(stack, args);
    expect(stack.model.requests).toHaveLength(2 * IDS.length);
    expect(new Set(stack.model.requests.map(({ body }) => body.model))).toEqual(
      new Set(['local-model']),
    );
    expect(JSON.stringify(stack.model.requests[0]!.body.system)).toContain('British English');
    expect(report.cases.map(({ id }) => id)).toEqual(IDS);
    for (const one of report.cases)
      expect(one).toMatchObject({
        status: 'completed',
        touched: ['docs/guide.md'],
        ...{ exact: true, lineF1: 1, touchedF1: 1, findings: 0 },
        ...{ costUsd: null, callsWithoutPrice: 2, model: 'local-model' },
      });
    const { rows } = await stack.pool.query(
      `select (select count(*) from publications) as published,
              (select count(*) from model_calls) as calls, count(*) as jobs from jobs`,
    );
    expect(rows).toEqual([{ published: 0, calls: 2 * IDS.length, jobs: IDS.length }]);

    expect(await evaluate(stack, args)).toEqual(report);
    expect(stack.model.requests).toHaveLength(2 * IDS.length);
    expect(await readFile(join(out, 'report.md'), 'utf8')).toContain(
      '| one | completed | 1 | 1 | 1.00 | 1.00 | yes | 0 |',
    );
  }, 120_000);

  it('archives the jobs of a run', async () => {
    const { rows } = await stack.pool.query('select 1 from jobs where archived_at is null');
    expect(rows).toEqual([]);
  });

  it('takes past jobs as cases, and sets one run beside another', async () => {
    const { id } = await stack.create('Say second in the guide');
    expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
    const past = join(folder, 'past');
    const first = await evaluate(stack, [past, '--jobs', id, '--out', join(folder, 'past-1')]);
    expect(first.cases).toMatchObject([
      { id, prompt: 'Say second in the guide', exact: true, referenceTouched: ['docs/guide.md'] },
    ]);
    expect(existsSync(join(past, 'files', id, 'before/mark.bin'))).toBe(false);

    const out = join(folder, 'past-2');
    const second = await evaluate(stack, [
      ...[past, '--jobs', id, '--out', out, '--model', 'other-model'],
      ...['--compare', join(folder, 'past-1')],
    ]);
    expect(second.cases).toHaveLength(1);
    const row = [id, 'completed → completed', '1.00 → 1.00', '1.00 → 1.00', 'yes → yes', '0 → 0'];
    expect(second.comparison?.rows[0]?.slice(0, 6)).toEqual(row);
    expect(second.comparison?.rows[1]?.slice(0, 2)).toEqual(['1 cases', 'completed → completed']);
    expect(await readFile(join(out, 'report.md'), 'utf8')).toContain(`| ${row.join(' | ')} |`);
  }, 120_000);

  it('runs the cases against two endpoints at once, each by its own worker, and shows their diffs side by side', async () => {
    const other = await startScriptedModel(({ messages }) =>
      messages.length > 1 ? FINISH : edit('The first line.', 'A <b>second</b> line.\n'),
    );
    const settings = { 'good.env': stack.model.url, 'other.env': other.url };
    for (const [file, url] of Object.entries(settings))
      await writeFile(
        join(folder, file),
        `ANTHROPIC_BASE_URL=${url}\nANTHROPIC_API_KEY=sk-ant-secret\nMODEL_SONNET=${file}\nMODEL_FEATURES=all\n`,
      );
    const out = join(folder, 'both');
    const files = Object.keys(settings).map(file => join(folder, file));
    const asked = stack.model.requests.length;
    const args = [cases, '--endpoints', files.join(','), '--out', out, '--only', 'one,three'];
    const reports = await evaluateAll(stack, args);
    await other.close();
    expect(stack.model.requests.length - asked).toBe(4);
    expect(other.requests.map(({ body }) => body.model)).toEqual(Array(4).fill('other.env'));
    const one = { id: 'one', status: 'completed' };
    expect(reports).toMatchObject([
      { variant: { endpoint: stack.model.url }, cases: [{ ...one, lineF1: 1 }, {}] },
      // The blank line that it adds is no line: one of two is taken away as people did.
      { variant: { endpoint: other.url }, cases: [{ ...one, lineF1: 0.5 }, {}] },
    ]);
    expect(reports[1]?.comparison?.rows[0]?.slice(0, 4)).toEqual([
      'one',
      'completed → completed',
      '1.00 → 1.00',
      '1.00 → 0.50',
    ]);
    const page = await readFile(join(out, 'diffs.html'), 'utf8');
    expect(page).not.toMatch(/<b>second|secret/);
    const [, people, good, bad] = page.split('<h3>');
    expect([people, good]).toEqual([
      expect.stringMatching(/^People.*<del>-The first line\.<\/del><ins>\+The second line\./s),
      expect.stringMatching(/^http.*line F1 1\.00<.*<ins>\+The second line\./s),
    ]);
    expect(bad).toContain('<ins>+A &#60;b&#62;second&#60;/b&#62; line.</ins>');
    const wrong = join(folder, 'wrong.env');
    await writeFile(wrong, 'DATABASE_URL=postgres://elsewhere/\n');
    const refused = await docent(
      stack.config.DATA_DIR,
      [cases, '--endpoints', wrong],
      environmentOf(stack),
      testProgram('eval'),
    );
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('DATABASE_URL')]);
  }, 180_000);

  slowly(
    'takes two commits of a checkout as a case, and leaves the checkout as it is',
    async () => {
      const commits = join(folder, 'commits');
      const checkout = join(commits, 'repository');
      const run = (...args: string[]) =>
        execFileSync('git', ['-C', checkout, ...args], { encoding: 'utf8' });
      const page = join(checkout, 'docs/guide.md');
      await mkdir(dirname(page), { recursive: true });
      execFileSync('git', ['init', '--quiet', checkout]);
      for (const text of [PAGE, PAGE.replace('first', 'second')]) {
        await writeFile(page, text);
        await writeFile(join(checkout, 'mark.bin'), Buffer.from([0, 255]));
        await writeFile(join(checkout, 'code.ts'), text);
        run('add', '.');
        run('-c', 'user.name=A', '-c', 'user.email=a@a.test', 'commit', '--quiet', '-m', 'Change');
      }
      await writeFile(page, 'not committed');
      const status = run('status', '--short');
      const line = {
        id: 'four',
        prompt: 'Say second',
        repository: 'repository',
        docsFolder: 'docs',
      };
      const write = (more: object) =>
        writeFile(join(commits, 'cases.jsonl'), JSON.stringify({ ...line, ...more }));
      await write({ base: 'HEAD~1', reference: 'HEAD' });
      const report = await evaluate(stack, [commits, '--out', join(folder, 'from-commits')]);
      expect(report.cases).toMatchObject([{ id: 'four', exact: true, touched: ['docs/guide.md'] }]);
      expect(report.cases[0]!.referenceTouched).toEqual(['docs/guide.md']);
      expect(run('status', '--short')).toBe(status);

      await write({ base: 'nothing', reference: 'HEAD' });
      await expect(readCases(commits)).rejects.toThrow('git cannot read the commit nothing');
      await write({ base: '--upload-pack=touch', reference: 'HEAD' });
      await expect(readCases(commits)).rejects.toThrow('must be JSON with id and prompt');
    },
    60_000,
  );

  it('refuses an unknown job, a folder without a report, and to continue a run with another model', async () => {
    const refused = await Promise.all(
      [
        ['--jobs', 'job_unknown'],
        ['--compare', cases],
        ['--out', join(folder, 'scripted'), '--model', 'other-model'],
      ].map(args =>
        docent(stack.config.DATA_DIR, [cases, ...args], environmentOf(stack), testProgram('eval')),
      ),
    );
    expect(refused.map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(refused.map(({ stderr }) => stderr)).toEqual([
      expect.stringContaining('no job job_unknown'),
      expect.stringContaining('not the report of a finished run'),
      expect.stringContaining('Choose another --out'),
    ]);
  });
});
