import type { Construct } from '../../shared/jobs/construct.ts';
import type { TranscriptEntry } from './transcript.ts';

type Marked = Pick<TranscriptEntry, 'turn' | 'meta'>;

/** What the policy refused in a turn and a person may allow, each form once. */
export function refusedConstructs(transcript: readonly Marked[], turn: number): Construct[] {
  const byForm = new Map<string, Construct>();
  for (const { meta } of transcript.filter(entry => entry.turn === turn)) {
    const found = (meta.refused ?? []).map(({ construct }) => construct);
    // A call that breaks another rule, too, would be refused all the same.
    if (found.every(construct => construct !== undefined))
      for (const construct of found)
        if (!byForm.has(construct.form)) byForm.set(construct.form, construct);
  }
  return [...byForm.values()];
}
