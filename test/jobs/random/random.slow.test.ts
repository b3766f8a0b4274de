import { type JobStack, startJobStack } from '../../support/job-stack.ts';
import { dice } from './dice.ts';
import { Repository } from './git.ts';
import { look } from './look.ts';
import { createModel } from './model.ts';
import { broken } from './reference.ts';
import { ACTIONS } from './actions.ts';
import { playSequence } from './sequence.ts';
import { startWorkers, type Workers } from './workers.ts';

/**
 * `SLOW=1 npm run -s jest -- test/jobs/random`; a failure names its own seed: `SLOW=1 SEED=…
 * SEQUENCES=1` plays it again. New seeds every time on demand; in CI always the same ones, so that
 * a change is judged by what it changes and not by luck.
 */
const SEQUENCES = Number(process.env['SEQUENCES'] ?? 200);
const SEED = Number(process.env['SEED'] ?? (process.env['CI'] ? 1 : Date.now() % 1_000_000));
const AT_ONCE = 20;
/** Twenty from seed 1 contain every kind of action; other seeds may leave one out. */
const EVERY_KIND = SEED === 1 && SEQUENCES >= 20;

describe('a job, whatever is done to it', () => {
  let stack: JobStack;
  let workers: Workers;
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/index.md': '---\ntitle: Welcome\n---\n\n# Welcome\n' },
      script: createModel(),
      noWorker: true,
      env: { ACTIVITY_HEARTBEAT_SECONDS: '1', JOB_CONTINUE_AS_NEW_AFTER_TURNS: '3' },
    });
    workers = await startWorkers(stack, 2);
  });
  afterAll(async () => {
    await workers.stop();
    await stack.close();
  });

  it(
    `keeps what must hold through ${SEQUENCES} random sequences from seed ${SEED}`,
    async () => {
      const repository = new Repository(stack);
      const failures: string[] = [];
      const accepted = new Set<string>();
      let next = 0;
      const player = async (): Promise<void> => {
        while (next < SEQUENCES) {
          const seed = SEED + next++;
          const played = await playSequence({
            stack,
            repository,
            workers,
            dice: dice(seed),
            name: `s${seed}`,
          }).catch((error: unknown) => {
            throw new Error(`SEED=${seed} SEQUENCES=1 was not played to its end`, { cause: error });
          });
          for (const kind of played.accepted) accepted.add(kind);
          const sentences = broken(await look(stack, repository, played));
          if (sentences.length > 0)
            failures.push(
              [
                `SEED=${seed} SEQUENCES=1 (${played.jobId})`,
                ...played.log.map((line, i) => `  ${i} ${line}`),
                ...sentences.map(sentence => `  -> ${sentence}`),
              ].join('\n'),
            );
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, player));
      expect(failures.join('\n\n')).toBe('');
      expect(Object.keys(ACTIONS).filter(kind => EVERY_KIND && !accepted.has(kind))).toEqual([]);
    },
    60_000 + SEQUENCES * 10_000,
  );
});
