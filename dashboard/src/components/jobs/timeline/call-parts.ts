import type { ReactNode } from 'react';
import type { StepStart } from '../../../data/jobs/steps.ts';

/** What the rows of calls need of their page. */
export interface CallParts {
  jobPath: { projectId: string; id: string };
  /** The id of a step in the page's address; absent in what a rewind undid. */
  anchor?: (start: { turn: number; step: number }) => string;
  rewind?: ((start: StepStart) => ReactNode) | undefined;
}
