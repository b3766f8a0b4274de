import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { IDLE_MS, MOST_SECONDS } from '../../../agent/policy/judge.ts';

const JUDGE = join(import.meta.dirname, '../../../agent/policy/judge.ts');
/** Judges a page when it is told to, twice, and prints what came of it. */
const PROGRAM = `
  import { contentItems } from ${JSON.stringify(JUDGE)};
  const judged = () => contentItems('docs/a.md', '# A\\n\\n[b](b.md) <b>bold</b>\\n', { kinds: [], plainPython: false, templatesInCode: false })
    .then(() => 'judged', error => error.constructor.name + ': ' + error.message);
  const first = judged();
  process.stdout.write('asks\\n');
  process.stdout.write(await first + ', ' + await judged() + '\\n');
`;
/** Is there until the threads were idle for long enough, and then needs nothing any more. */
const LATER = `setTimeout(() => process.stdout.write('later\\n'), ${IDLE_MS + 2_000});`;

describe('the judge of pages', () => {
  let child: ChildProcess;
  const start = (program: string) =>
    spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  afterEach(() => child.kill('SIGKILL'));

  it('does not hold against a page that its own process stood still', async () => {
    child = start(PROGRAM);
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

  it('keeps no thread that nobody asks, which would keep the process alive', async () => {
    child = start(PROGRAM + LATER);
    const said = text(child.stdout!);
    const [code] = await once(child, 'close');
    expect([code, (await said).split('\n').at(-2)]).toEqual([0, 'later']);
  }, 120_000);
});
