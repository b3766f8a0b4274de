import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readCases } from '../../bench/eval/cases.ts';
import type { EvalReport } from '../../bench/eval/report.ts';
import { startDocent, temporaryFolder } from '../support/docent.ts';
import { testProgram } from '../support/services.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDITOR, FINISH } from '../support/replies.ts';
import { until } from '../support/until.ts';
import { environmentOf, evaluate } from './evaluate.ts';

/** They are not in the repository: a folder of 18 cases, or `all` for the usual one. */
const wanted = process.env['EVALS'];
const GIVEN =
  wanted === undefined || wanted === 'all'
    ? join(import.meta.dirname, '../../../shared/conformance/edits')
    : wanted;
const hasCases = existsSync(join(GIVEN, 'cases.jsonl'));
if (wanted && !hasCases) console.log(`${GIVEN} has no cases.jsonl: the given cases are not run.`);

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

(wanted && hasCases ? describe : describe.skip)(
  'the given cases, killed in the midst and continued',
  () => {
    async function killedAndContinued(stack: JobStack, out: string): Promise<EvalReport> {
      const args = [GIVEN, '--out', join(folder, out), '--parallel', '4'];
      const running = startDocent(
        stack.config.DATA_DIR,
        args,
        environmentOf(stack),
        testProgram('eval'),
      );
      const begun = () => stack.pool.query('select 1 from jobs').then(({ rows }) => rows.length);
      await until('six cases have begun', async () => (await begun()) >= 6);
      running.process.kill('SIGKILL');
      await running.ended;
      expect(await begun()).toBeLessThan(18);
      const report = await evaluate(stack, args);
      expect(report.summary).toMatchObject({ cases: 18, failed: 0 });
      expect(await begun()).toBe(18);
      return report;
    }

    it('run with the offline model: what it does not understand it leaves alone', async () => {
      const stack = await startJobStack({ files: { 'docs/index.md': '# Home\n' } });
      try {
        const report = await killedAndContinued(stack, 'given');
        expect(report.summary.costUsd).toBe(0);
        for (const one of report.cases) {
          expect(one.model).toBe('docent-offline');
          expect(one.touched.filter(path => !one.referenceTouched.includes(path))).toEqual([]);
        }
      } finally {
        await stack.close();
      }
    }, 300_000);

    it('run with a scripted model, which adds a line to a page, without a call twice', async () => {
      const cases = await readCases(GIVEN);
      const pageOf = (request: unknown) => {
        const text = JSON.stringify(request);
        const one = cases.find(({ prompt }) => text.includes(JSON.stringify(prompt).slice(1, -1)))!;
        return Object.entries(one.before).find(([path]) => /\.mdx?$/.test(path))!;
      };
      const stack = await startJobStack({
        files: { 'docs/index.md': '# Home\n' },
        script: request => {
          if (request.messages.length > 1) return FINISH;
          const [path, text] = pageOf(request.messages[0]);
          const input = { command: 'insert', path, insert_text: '\nA scripted line.\n' };
          const line = text.replace(/\n$/, '').split('\n').length;
          return { toolUses: [{ name: EDITOR, input: { ...input, insert_line: line } }] };
        },
      });
      try {
        const report = await killedAndContinued(stack, 'given-scripted');
        for (const one of report.cases) {
          expect(one.touched).toHaveLength(1);
          expect(one.referenceTouched).toContain(one.touched[0]);
          expect(one.exact).toBe(false);
        }
        expect(stack.model.requests).toHaveLength(2 * 18);
      } finally {
        await stack.close();
      }
    }, 300_000);
  },
);
