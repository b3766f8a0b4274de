import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { docent, startDocent, temporaryFolder } from '../support/docent.ts';
import { processesOf } from '../support/processes.ts';
import { startScriptedModel } from '../support/scripted-model.ts';
import { slowly } from '../support/slow.ts';

// One data folder: the second demo meets what the first has left.
describe('docent demo', () => {
  let folder: string;
  let data: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    data = join(folder, 'data');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('turns an instruction and a follow-up into one pull request, and stops with --exit', async () => {
    const { code, stdout, stderr } = await docent(data, ['demo', '--exit']);
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
    const links = [...stdout.matchAll(/^Pull request (\S+)/gm)].map(([, link]) => link);
    expect(links).toHaveLength(2);
    expect(links[1]).toBe(links[0]);
    expect(stdout).toMatch(
      /· create docs\/assistant\/faq\.md[^]*pull request opened[^]*\+Answers to what people ask first\./,
    );
    // The docs show it as their example.
    const page = await readFile(join(import.meta.dirname, '../../docs/cost.md'), 'utf8');
    const [, example = 'none'] = /^```diff\n([^]*?)\n```$/m.exec(page) ?? [];
    expect(stdout).toContain(example);
    expect(processesOf(data)).toEqual([]);
    expect(stdout).toMatch(/A follow-up[^]*pull request updated[^]*\+## Does it need an account\?/);
  }, 120_000);

  slowly(
    'asks for another page the next time, and stays up if its job opens no pull request',
    async () => {
      const model = await startScriptedModel(() => ({ text: 'There is nothing to add.' }));
      const running = startDocent(data, ['demo'], {
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: 'sk-ant-not-a-real-key',
      });
      try {
        await running.prints(
          /> Add a page docs\/assistant\/faq-2\.md [^]*The demo's job ended as "completed" without a pull request\. Run "docent job messages job_\w+" to see why\.[^]*Docent is ready[^]*Ctrl-C stops/,
        );
        const [advised = ''] = /(?<=")docent job messages job_\w+/.exec(running.output()) ?? [];
        expect(await docent(data, advised.split(' ').slice(1))).toMatchObject({
          code: 0,
          stdout: expect.stringContaining('There is nothing to add.'),
        });
      } finally {
        // Impatiently: a second signal does not wait for what is still going on.
        running.process.kill('SIGINT');
        await delay(50);
        running.process.kill('SIGINT');
        await running.ended;
        await model.close();
      }
      expect(processesOf(data)).toEqual([]); // or something would write while the folder is removed
    },
    120_000,
  );
});
