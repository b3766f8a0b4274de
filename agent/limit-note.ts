import { docentNote } from '../shared/agent-text.ts';
import type { LimitAhead } from '../shared/jobs/activity-types.ts';

/** What the model reads of limits that are near, while it can still come to an end. */
export function limitNote(limits: readonly LimitAhead[]): string {
  return docentNote(limits.map(sentence).join(' '));
}

function sentence(limit: LimitAhead): string {
  if (limit.kind === 'repeats')
    return (
      'You repeat what you did before, and nothing comes of it: once more, and the turn ends ' +
      'without a pull request. Do something else, call finish with what is right, or call ask.'
    );
  return (
    `This turn has ${limit.left.toLocaleString('en')} ${limit.kind} left, then it ends without a ` +
    'pull request. Finish what you began and call finish; say in its body what is not done.'
  );
}
