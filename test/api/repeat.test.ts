import { setTimeout as sleep } from 'node:timers/promises';
import { repeat } from '../../jobs/sweep/repeat.ts';

describe('what is repeated', () => {
  it('does not pile up behind a slow run, which is told to stop and waited for', async () => {
    const runs: AbortSignal[] = [];
    let finish = (): void => undefined;
    const repeated = repeat(
      1,
      async stopping => {
        runs.push(stopping);
        await new Promise<void>(resolve => {
          finish = resolve;
        });
      },
      () => undefined,
    );
    while (runs.length === 0) await sleep(1);
    await sleep(50); // many a tick
    let stopped = false;
    const stop = repeated.stop().then(() => {
      stopped = true;
    });
    expect(runs[0]?.aborted).toBe(true);
    await sleep(5);
    expect(stopped).toBe(false);
    finish();
    await stop;
    expect(runs).toHaveLength(1);
  });

  it('goes on after a run that failed', async () => {
    const errors: unknown[] = [];
    const repeated = repeat(
      1,
      async () => {
        throw new Error('away');
      },
      error => errors.push(error),
    );
    while (errors.length < 3) await sleep(1);
    await repeated.stop();
    expect(errors[2]).toMatchObject({ message: 'away' });
  });
});
