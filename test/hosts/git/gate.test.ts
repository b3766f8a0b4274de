import { setTimeout as wait } from 'node:timers/promises';
import { Gate } from '../../../hosts/git/gate.ts';

describe('a gate', () => {
  it('lets so many through at once, in order, and goes on after a failure', async () => {
    const gate = new Gate(2);
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 7 }, (_, i) =>
        gate.run(async () => {
          begun.push(i);
          running += 1;
          most = Math.max(most, running);
          await wait(2);
          running -= 1;
          if (i === 1) throw new Error('one fails');
          return i;
        }),
      ),
    );
    expect(most).toBe(2);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(outcomes.filter(outcome => outcome.status === 'rejected')).toHaveLength(1);
  });
});
