import type { Construct } from '../../shared/jobs/construct.ts';
import type { Marks } from './transcript.ts';

/**
 * What the policy refused in a turn and a person may allow, each form once. None if the turn ended
 * with a plan: that is all that a person sees of it.
 */
export function refusedConstructs(transcript: readonly Marks[], turn: number): Construct[] {
  const ofTurn = transcript.filter(entry => entry.turn === turn);
  if (ofTurn.some(({ meta }) => meta.plan)) return [];
  const byForm = new Map<string, Construct>();
  for (const { meta } of ofTurn) {
    const found = (meta.refused ?? []).map(({ construct }) => construct);
    // A call that breaks another rule, too, would be refused all the same.
    if (found.every(construct => construct !== undefined))
      for (const construct of found)
        if (!byForm.has(construct.form)) byForm.set(construct.form, construct);
  }
  return [...byForm.values()];
}
