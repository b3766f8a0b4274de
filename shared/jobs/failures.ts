import type { HaltReason } from './result.ts';

/**
 * Every way in which an activity fails permanently, by its stable Temporal failure type: whether
 * Temporal retries it first, what v1 shows as `haultReason`, and the sentence that people get if
 * the failure itself brings none. Plain data: the workflow reads it too.
 */
export const FAILURES = {
  // The model's API.
  model_refused_request: {
    retry: false,
    haltReason: 'error',
    sentence: 'The model’s API refused the request.',
  },
  model_refused_credentials: {
    retry: false,
    haltReason: 'error',
    sentence: 'The model’s API refused our key: check ANTHROPIC_API_KEY.',
  },
  model_budget_spent: {
    retry: false,
    haltReason: 'error',
    sentence: 'The model’s API reports that the account’s spending limit is reached.',
  },
  model_rate_limited: {
    retry: true,
    haltReason: 'error',
    sentence: 'The model’s API is limiting our requests; try again later.',
  },
  model_overloaded: {
    retry: true,
    haltReason: 'error',
    sentence: 'The model’s API is overloaded; try again later.',
  },
  model_unreachable: {
    retry: true,
    haltReason: 'error',
    sentence: 'The model’s API could not be reached.',
  },
  model_failing: {
    retry: true,
    haltReason: 'error',
    sentence: 'The model’s API failed.',
  },
  // The repository host.
  repository_not_found: {
    retry: false,
    haltReason: 'repohost_missconfigured',
    sentence: 'The repository was not found.',
  },
  repository_empty: {
    retry: false,
    haltReason: 'repohost_missconfigured',
    sentence: 'The repository has no commit yet: push one first.',
  },
  repository_archived: {
    retry: false,
    haltReason: 'repohost_missconfigured',
    sentence: 'The repository is archived and read-only.',
  },
  ref_not_found: {
    retry: false,
    haltReason: 'repohost_missconfigured',
    sentence: 'The project’s base branch does not exist in the repository.',
  },
  credentials_refused: {
    retry: false,
    haltReason: 'repohost_missconfigured',
    sentence: 'The repository host refused our credentials.',
  },
  push_refused: {
    retry: false,
    haltReason: 'repohost_missconfigured',
    sentence: 'The repository host refused the push.',
  },
  repository_unreachable: {
    retry: true,
    haltReason: 'repohost_missconfigured',
    sentence: 'The repository host could not be reached.',
  },
  repository_failing: {
    retry: true,
    haltReason: 'error',
    sentence: 'The repository host answers with errors of its own; try again later.',
  },
  repository_rate_limited: {
    retry: true,
    haltReason: 'error',
    sentence: 'The repository host is limiting our requests; try again later.',
  },
  branch_moved: {
    retry: false,
    haltReason: 'error',
    sentence: 'The branch kept moving while we tried to push to it.',
  },
  // The site.
  site_unreadable: {
    retry: false,
    haltReason: 'error',
    sentence: 'The site could not be read.',
  },
  // Ours.
  limit_reached: { retry: false, haltReason: 'error', sentence: 'A limit of this job is reached.' },
  budget_reached: {
    retry: false,
    haltReason: 'error',
    sentence: 'The budget of this job is reached.',
  },
  superseded: {
    retry: false,
    haltReason: 'error',
    sentence: 'Another run of this job has taken over.',
  },
  internal: { retry: true, haltReason: 'error', sentence: 'Something went wrong on our side.' },
} as const satisfies Record<string, { retry: boolean; haltReason: HaltReason; sentence: string }>;

/** How a turn fails although no activity did, by code, with what it means. */
export const FAILED_ENDINGS = {
  model_declined: 'The model declined to carry out the instruction.',
  policy_refused: 'The policy refused what the turn would have published.',
  workflow_ended: 'The job’s workflow was ended from outside.',
} as const;

/** Why a turn failed, for programs: the type of the activity's failure, or how it ended without one. */
export type FailureCode = FailureType | keyof typeof FAILED_ENDINGS;

export type FailureType = keyof typeof FAILURES;

export function isFailureType(type: string | null | undefined): type is FailureType {
  return type != null && Object.hasOwn(FAILURES, type);
}

export const FAILURE_CODES = [
  ...Object.keys(FAILURES),
  ...Object.keys(FAILED_ENDINGS),
] as FailureCode[];
