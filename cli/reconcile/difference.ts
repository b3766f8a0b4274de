import type { Client } from '@temporalio/client';
import type { Config } from '../../shared/config.ts';
import type { Pool } from '../../db/pool.ts';

export interface ReconcileDeps {
  config: Config;
  pool: Pool;
  temporal: Client;
}

export type DifferenceKind =
  | 'missing-in-temporal'
  | 'ended-in-temporal'
  | 'temporal-older'
  | 'temporal-newer'
  | 'not-delivered'
  | 'reset'
  | 'missing-in-postgres'
  | 'archived-in-postgres'
  | 'unanswered'
  | 'commits-after-backup'
  | 'branch-missing'
  | 'pull-request-missing'
  | 'repository-unreadable';

/** Something that two stores say differently. */
export interface Difference {
  kind: DifferenceKind;
  /** The job that it is about, where there is one. */
  job: string | null;
  /** What differs. */
  says: string;
  /** What settles it. */
  remedy: string;
  /** Settles it; without it, a job or a person does. */
  settle?: () => Promise<unknown>;
  /** It needs a person, or another try. */
  isOpen?: boolean;
}

/** A difference, and what came of it. */
export interface Settled extends Pick<Difference, 'kind' | 'job' | 'says' | 'remedy'> {
  /** `planned`: only with --dry-run. `noted`: it needs nothing. */
  state: 'settled' | 'planned' | 'noted' | 'open' | 'failed';
  error?: string;
}
