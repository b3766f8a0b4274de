import type { JobStack } from '../../support/job-stack.ts';
import type { Dice } from './dice.ts';
import type { Repository } from './git.ts';
import type { Effect, Watched } from './watch.ts';
import type { Workers } from './workers.ts';

export interface Instruction {
  kind: 'write' | 'ask';
  page: string;
  at: number;
}
/**
 * `pending`: the caller was answered before it had taken effect, so that it meets what comes next
 * as well.
 */
export interface Undoing {
  what: 'cancel' | 'rewind' | 'reset';
  at: number;
  pending?: boolean;
}
export interface Commit {
  branch: string;
  commit: string;
  path: string;
  line: string;
}

/** What was done to one job, in order, and what it showed meanwhile. */
export interface Played {
  jobId: string;
  /** One line for each action, for whoever reads a failure. */
  log: string[];
  /** Kinds of actions that had an effect at least once. */
  accepted: Set<string>;
  /** Those that the product accepted. `at` counts actions. */
  instructions: Instruction[];
  undoings: Undoing[];
  commits: Commit[];
  archived: boolean;
  /** What a message and a rewind were answered after that. */
  afterArchive: number[];
  watched: Watched[];
}

export interface Done extends Effect {
  accepted: boolean;
  how: string;
}
/** Where a sequence is played. */
export interface Stage {
  stack: JobStack;
  repository: Repository;
  workers: Workers;
  dice: Dice;
  name: string;
}
