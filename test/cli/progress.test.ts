import { jest } from '@jest/globals';
import { printProgress } from '../../cli/output/job-progress.ts';
import type { JobEvent } from '../../shared/jobs/job.ts';

/** What is printed of these events. */
async function printed(...events: JobEvent[]): Promise<string> {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await printProgress(
      (async function* () {
        for (const [i, event] of events.entries()) yield { seq: i + 1, event };
      })(),
    );
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

const text = (said: string): JobEvent => ({
  type: 'text',
  turn: 1,
  step: 1,
  attempt: 1,
  text: said,
});
const finish = (messageToUser: string): JobEvent => ({
  type: 'finish',
  status: 'completed',
  haltReason: 'completed',
  messageToUser,
  prLink: null,
  turn: 1,
});

it('an answer is told once', async () => {
  expect(
    await printed(text('Which page?\nThere are two.\n'), finish('Which page?\nThere are two.')),
  ).toBe('  step 1 of turn 1\n  Which page?\n  There are two.\ncompleted\n');
});

it('an outcome that no text said is told', async () => {
  expect(await printed(text('Adding it.'), finish('The page is there.'))).toBe(
    '  step 1 of turn 1\n  Adding it.\ncompleted: The page is there.\n',
  );
});

it('steps are numbered as rewind takes them, also those that are made again', async () => {
  const call = (step: number): JobEvent => ({
    type: 'tool_call',
    toolCallId: `${step}`,
    toolName: 'view',
    args: { path: `${step}.md` },
    turn: 1,
    step,
  });
  const result = (step: number): JobEvent => ({
    type: 'tool_result',
    toolCallId: `${step}`,
    toolName: 'view',
    summary: '',
    isError: false,
    turn: 1,
    step,
  });
  expect(
    await printed(
      text('Looking.'),
      call(1),
      result(1),
      call(2),
      result(2),
      { type: 'rewound', epoch: 1, turn: 1, step: 2 },
      call(2),
      result(2),
    ),
  ).toBe(`  step 1 of turn 1
  Looking.
  · view 1.md
  step 2 of turn 1
  · view 2.md
  ! rewound to step 2 of turn 1
  step 2 of turn 1
  · view 2.md
`);
});
