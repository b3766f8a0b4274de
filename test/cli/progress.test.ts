import { jest } from '@jest/globals';
import { printProgress } from '../../cli/progress.ts';
import type { JobEvent } from '../../shared/job.ts';

/** What is printed of these events. */
async function printed(...events: JobEvent[]): Promise<string> {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await printProgress((async function* () { for (const [i, event] of events.entries()) yield { seq: i + 1, event }; })());
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

const text = (said: string): JobEvent => ({ type: 'text', turn: 1, step: 1, attempt: 1, text: said });
const finish = (messageToUser: string): JobEvent => ({ type: 'finish', status: 'completed', haltReason: 'completed', messageToUser, prLink: null, turn: 1 });

it('an answer is told once', async () => {
  expect(await printed(text('Which page?\nThere are two.\n'), finish('Which page?\nThere are two.'))).toBe('  Which page?\n  There are two.\ncompleted\n');
});

it('an outcome that no text said is told', async () => {
  expect(await printed(text('Adding it.'), finish('The page is there.'))).toBe('  Adding it.\ncompleted: The page is there.\n');
});
