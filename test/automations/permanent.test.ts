import { endOnPermanent } from '../../activities/permanent-problems.ts';
import { Problem, type ProblemCode } from '../../shared/errors.ts';

/** What the activity of a run throws for a problem. */
const failing = (code: ProblemCode) =>
  endOnPermanent({
    startTurn: () => Promise.reject<unknown>(new Problem(code, 'The repository is gone.')),
  }).startTurn();

describe('a problem in an activity of automations', () => {
  it.each(['not_found', 'forbidden', 'invalid_request'] as const)('%s ends the run', code =>
    expect(failing(code)).rejects.toMatchObject({
      nonRetryable: true,
      message: 'The repository is gone.',
    }),
  );

  it.each(['limit_exceeded', 'conflict', 'unavailable', 'internal'] as const)(
    '%s is tried again',
    code => expect(failing(code)).rejects.toBeInstanceOf(Problem),
  );
});
