import type { Effort } from '../../shared/models/thinking.ts';
import type { HostKind } from '../../shared/host-kind.ts';
import { JOB_FIELDS, type JobFields } from '../../shared/jobs/job.ts';

/** A job's row. Workers write it as the workflow decides (activity-results.ts). */
export interface Job extends Omit<JobFields, 'branch' | 'model'> {
  id: string;
  organizationId: string;
  projectId: string;
  /** The key that made it; null if a user of the dashboard did. */
  apiKeyId: string | null;
  userId: string | null;
  generation: 'v1' | 'v2';
  state: 'starting' | 'active' | 'completed' | 'failed' | 'given_up';
  /** The configured model, then the id of the one that answered. */
  model: string;
  /** What every model call asks for; null until the job begins. */
  requestedModel: string | null;
  prompt: string;
  host: HostKind;
  repository: string;
  repositoryUrl: string;
  baseRef: string;
  branch: string;
  /** The caller chose the branch. */
  branchNamed: boolean;
  /** Null: as the project and the settings say. */
  effort: Effort | null;
  asDraft: boolean;
  /** What it may cost; null: as much as the monthly limits allow. */
  budgetMicroUsd: number | null;
  /** Forms that people allowed it, beside those of its project. */
  allowedForms: string[];
  /** False: an evaluation, whose edits stay here. */
  publishes: boolean;
  /** Where the host shows the pull request as a site. */
  previewUrl: string | null;
  /** The last turn ended because a person cancelled it. */
  cancelled: boolean;
  turns: number;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  /** Of the calls whose cost is known. */
  costMicroUsd: number;
  /** Calls of models without a price. */
  callsWithoutPrice: number;
  /** Calls that are not in the cost, those without a price among them. */
  callsOfUnknownCost: number;
  /** Calls whose endpoint does not report what it read from its cache. */
  callsOfUnknownCaching: number;
  /** Number of the newest progress event. */
  lastEvent: number;
  /** The run of its workflow that may write this row; null until there is one. */
  runId: string | null;
  /** Grows when another run takes over the row. */
  epoch: number;
  /** Grows with every activity within an epoch. */
  n: number;
  /** Grows with every change: the ETag. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
  archivedAt: Date | null;
}

/** The column of each member. */
export const JOB_COLUMNS: Record<keyof Job, string> = {
  ...(Object.fromEntries(JOB_FIELDS.map(name => [name, snakeCase(name)])) as FieldColumns),
  id: 'id',
  organizationId: 'organization_id',
  projectId: 'project_id',
  apiKeyId: 'api_key_id',
  userId: 'user_id',
  generation: 'generation',
  state: 'state',
  requestedModel: 'requested_model',
  prompt: 'prompt',
  host: 'host',
  repository: 'repository',
  repositoryUrl: 'repository_url',
  baseRef: 'base_ref',
  branchNamed: 'branch_named',
  effort: 'effort',
  asDraft: 'as_draft',
  budgetMicroUsd: 'budget_microusd',
  allowedForms: 'allowed_forms',
  publishes: 'publishes',
  previewUrl: 'preview_url',
  cancelled: 'cancelled',
  turns: 'turns',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  cacheReadTokens: 'cache_read_tokens',
  cacheWriteTokens: 'cache_write_tokens',
  costMicroUsd: 'cost_microusd',
  callsWithoutPrice: 'calls_without_price',
  callsOfUnknownCost: 'calls_of_unknown_cost',
  callsOfUnknownCaching: 'calls_of_unknown_caching',
  lastEvent: 'last_event',
  runId: 'run_id',
  epoch: 'epoch',
  n: 'n',
  version: 'version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  finishedAt: 'finished_at',
  archivedAt: 'archived_at',
};

type FieldColumns = Record<keyof JobFields, string>;

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

const ALL = Object.keys(JOB_COLUMNS) as (keyof Job)[];

/** A select list of the table `jobs j`, by the names of `Job`: all of them, or those given. */
export function jobColumns(members: readonly (keyof Job)[] = ALL): string {
  return members.map(member => `j.${JOB_COLUMNS[member]} as "${member}"`).join(', ');
}

/**
 * The beginning of every statement that changes what people see of a job; more assignments follow.
 * `version` is the ETag, and by `updated_at` the sweeper finds the jobs that do not move.
 */
export const TOUCH_JOB = 'update jobs j set version = version + 1, updated_at = now()';

/** The states behind a status that callers filter by. */
export function statesOf(status: 'active' | 'completed' | 'failed' | undefined): Job['state'][] {
  if (status === undefined) return ['starting', 'active', 'completed', 'failed'];
  return status === 'active' ? ['starting', 'active'] : [status];
}
