import type { StepResults } from '../contract/jobs.ts';
import { readStepResults } from '../../../db/jobs/transcript.ts';
import { redact } from '../../../shared/secrets/redact.ts';
import type { DashboardDeps } from '../deps.ts';

/** The longest result of a tool, a view of a whole page, is 30,000 characters. */
const MAX_CHARACTERS = 30_000;
/** Of one answer, so that a step of many calls is not megabytes: the later ones are left out. */
const MAX_CHARACTERS_OF_ALL = 1_000_000;
const MAX_CALLS = 500;
/** Read beyond the cut, so that a secret across it is still seen as one. */
const MARGIN = 1_000;

/** What the calls of one step gave. */
export async function stepResults(
  { pool }: Pick<DashboardDeps, 'pool'>,
  jobId: string,
  { turn, step }: { turn: number; step: number },
): Promise<StepResults> {
  const found = await readStepResults(
    pool,
    { jobId, turn, step },
    { calls: MAX_CALLS, characters: MAX_CHARACTERS + MARGIN },
  );
  let left = MAX_CHARACTERS_OF_ALL;
  return {
    results: found.map(({ toolCallId, content, length, isError }) => {
      const safe = redact(content);
      const shown = safe.slice(0, Math.min(MAX_CHARACTERS, Math.max(0, left)));
      left -= shown.length;
      const complete = shown.length === safe.length && content.length === length;
      return { toolCallId, content: shown, complete, isError };
    }),
  };
}
