import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MOST_SECONDS } from '../../activities/policy/judge.ts';

const JUDGE = join(import.meta.dirname, '../../activities/policy/judge.ts');
/** Judges a page when it is told to, twice, and prints what came of it. */
const PROGRAM = `
  import { contentItems } from ${JSON.stringify(JUDGE)};
  const judged = () => contentItems('docs/a.md', '# A\\n\\n[b](b.md) <b>bold</b>\\n', { plainPython: false, templatesInCode: false })
    .then(() => 'judged', error => error.constructor.name + ': ' + error.message);
  const first = judged();
  process.stdout.write('asks\\n');
  process.stdout.write(await first + ', ' + await judged() + '\\n');
`;

describe('the judge of pages', () => {
  let child: ChildProcess;
  afterEach(() => child.kill('SIGKILL'));

  it('does not hold against a page that its own process stood still', async () => {
    child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', PROGRAM], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    const heard = new Promise<void>(resolve => {
      child.stdout?.on('data', (piece: Buffer) => {
        lines.push(...piece.toString().trim().split('\n'));
        if (lines.length === 1) child.kill('SIGSTOP');
        if (lines.length === 2) resolve();
      });
    });
    const frozen = async () => {
      await delay((MOST_SECONDS + 3) * 1000);
      child.kill('SIGCONT');
    };
    await Promise.all([heard, frozen()]);
    expect(lines[1]).toBe('judged, judged');
  }, 120_000);
});
