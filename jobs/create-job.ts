import type { Config } from '../shared/config.ts';
import {
  type IdempotencyScope,
  bindIdempotencyKey,
  completeIdempotencyKey,
} from '../db/jobs/idempotency.ts';
import { type Decision, insertDecision } from '../db/conventions/conventions.ts';
import { insertInstruction } from '../db/jobs/instructions.ts';
import { findJob, giveUpJob, insertJob } from '../db/jobs/jobs.ts';
import type { Job } from '../db/jobs/job.ts';
import { claimBranch } from '../db/jobs/branch-holds.ts';
import { type Transaction, transaction } from '../db/pool.ts';
import type { Project } from '../db/projects/projects.ts';
import { reservedBranches } from '../hosts/registry.ts';
import { Problem } from '../shared/errors.ts';
import { newId } from '../shared/ids.ts';
import { agentModel } from '../shared/models/model-ids.ts';
import { attachImages } from './uploads/attach.ts';
import { checkBranch, generateBranch } from './branch-name.ts';
import type { Effort } from '../shared/models/thinking.ts';
import type { JobsDeps } from './deps.ts';
import { claimKey } from './idempotency.ts';
import { readJobProject } from '../db/jobs/job-project.ts';
import { refuseOverJobLimits } from './limits.ts';
import { startJobWorkflow } from './workflow-client.ts';
import type { WaitedForBy } from '../shared/jobs/task-priority.ts';

type CreateDeps = Pick<JobsDeps, 'config' | 'pool' | 'temporal'>;

export interface CreateJob {
  project: Project;
  /** Who asks. Without a key: the operator, on the command line. */
  caller: { apiKeyId: string | null } | { userId: string } | { automationId: string };
  /** Of a job that was promised before it was made. */
  jobId?: string;
  /** What its branch is named after; the instruction, if it is left out. */
  about?: string;
  requestId: string;
  generation: 'v1' | 'v2';
  /** In order; the last one of role `user` is the prompt that names things. */
  instructions: {
    role: 'user' | 'assistant' | 'system';
    prompt: string;
    /** Ids of attached images. */
    uploads?: readonly string[];
  }[];
  branch?: string;
  asDraft?: boolean;
  /** Null: none. Without these two, as the project says. */
  budgetUsd?: number | null;
  requirePlanApproval?: boolean;
  model?: 'sonnet' | 'opus';
  /** A model by the id that its endpoint knows; otherwise `model`. */
  modelId?: string;
  /** How much the model may think. */
  effort?: Effort;
  /** False: the edits stay in the job, for an evaluation. */
  publishes?: boolean;
  /** The decision of a person that this job carries out: a line of AGENTS.md. */
  convention?: Omit<Decision, 'jobId' | 'projectId'>;
  idempotency: IdempotencyScope | undefined;
  /** What is to be stored with the job, in its transaction. */
  onStored?: (tx: Transaction, messageId: string) => Promise<void>;
}

/**
 * Makes a job: its row first, which is the authority for its id, then its workflow. A workflow that
 * cannot be started gives the row up and rejects; a repeat with the same Idempotency-Key gets the
 * same job.
 */
export async function createJob(deps: CreateDeps, request: CreateJob): Promise<Job> {
  const { project, idempotency } = request;
  if (request.branch !== undefined)
    checkBranch(request.branch, await reservedBranches(deps.pool, project));
  const jobId = request.jobId ?? newId('job');
  const prompt = (
    request.instructions.findLast(({ role }) => role === 'user') ?? request.instructions.at(-1)!
  ).prompt;

  const earlier = await transaction(deps.pool, async tx => {
    const repeated = await claimKey(tx, idempotency);
    if (repeated === undefined) await storeJob(tx, deps.config, request, jobId, prompt);
    return repeated?.jobId;
  });
  if (earlier !== undefined) {
    const job = await readBack(deps, project, earlier);
    if (job.state !== 'starting') return job;
    // The process of the first request died before the start. Answered as it is, the job would be
    // given up by the next sweep.
    await startOrGiveUp(deps, request, earlier, prompt);
    return readBack(deps, project, earlier);
  }

  await startOrGiveUp(deps, request, jobId, prompt);
  if (idempotency) await completeIdempotencyKey(deps.pool, idempotency, null);
  return readBack(deps, project, jobId);
}

async function storeJob(
  tx: Transaction,
  config: Config,
  request: CreateJob,
  jobId: string,
  prompt: string,
): Promise<void> {
  const { project, caller } = request;
  const keyId = 'apiKeyId' in caller ? caller.apiKeyId : null;
  await refuseOverJobLimits(tx, config, {
    projectId: project.id,
    organizationId: project.organizationId,
    apiKeyId: keyId,
  });
  const branch = request.branch ?? generateBranch(request.about ?? prompt, jobId);
  await insertJob(tx, {
    id: jobId,
    organizationId: project.organizationId,
    projectId: project.id,
    apiKeyId: keyId,
    userId: 'userId' in caller ? caller.userId : null,
    generation: request.generation,
    model: request.modelId ?? agentModel(config, request.model),
    prompt,
    host: project.host,
    repository: project.repository,
    repositoryUrl: project.repositoryUrl,
    baseRef: project.baseRef,
    branch,
    branchNamed: request.branch !== undefined,
    asDraft: request.asDraft ?? false,
    publishes: request.publishes ?? true,
    effort: request.effort ?? null,
    budgetMicroUsd: budgetOf(request),
  });
  if (request.convention) await decideConvention(tx, request.convention, project.id, jobId);
  const holder = await claimBranch(tx, project.repositoryUrl, branch, jobId);
  if (holder !== undefined) throw new Problem('conflict', 'Another open job works on this branch.');
  await storeInstructions(tx, request, jobId);
  if (request.idempotency) await bindIdempotencyKey(tx, request.idempotency, jobId, null);
}

async function storeInstructions(
  tx: Transaction,
  request: CreateJob,
  jobId: string,
): Promise<void> {
  const { project } = request;
  // What a person approved word by word, and an evaluation, need no plan.
  const planFirst =
    !request.convention &&
    request.publishes !== false &&
    (request.requirePlanApproval ?? project.settings['requirePlanApproval'] === true);
  const last = request.instructions.findLast(({ role }) => role === 'user');
  for (const each of request.instructions) {
    const { uploads = [], ...instruction } = each;
    const messageId = newId('msg');
    await insertInstruction(tx, {
      jobId,
      messageId,
      source: sourceOf(request.caller),
      planFirst: planFirst && each === last,
      ...instruction,
    });
    await request.onStored?.(tx, messageId);
    await attachImages(tx, { projectId: project.id, jobId, messageId }, uploads);
  }
}

function budgetOf({ budgetUsd, project }: CreateJob): number | null {
  const usd = budgetUsd === undefined ? project.settings['budgetUsd'] : budgetUsd;
  return typeof usd === 'number' ? Math.round(usd * 1e6) : null;
}

function sourceOf(caller: CreateJob['caller']): 'dashboard' | 'automation' | 'api' {
  if ('userId' in caller) return 'dashboard';
  return 'automationId' in caller ? 'automation' : 'api';
}

function waitedForBy(caller: CreateJob['caller']): WaitedForBy {
  if ('userId' in caller) return 'person';
  return 'automationId' in caller ? 'automation' : 'api';
}

async function decideConvention(
  tx: Transaction,
  convention: Omit<Decision, 'jobId' | 'projectId'>,
  projectId: string,
  jobId: string,
): Promise<void> {
  if (!(await insertDecision(tx, { ...convention, projectId, jobId })))
    throw new Problem('conflict', 'Someone has decided about this suggestion already.');
}

async function startOrGiveUp(
  deps: CreateDeps,
  request: CreateJob,
  jobId: string,
  prompt: string,
): Promise<void> {
  const { project, requestId } = request;
  try {
    const stored = await readJobProject(deps.pool, jobId);
    await startJobWorkflow(deps.temporal, deps.config, {
      jobId,
      projectId: project.id,
      organization: stored?.organization,
      domain: project.domain,
      prompt,
      requestId,
      waitedForBy: waitedForBy(request.caller),
    });
  } catch (error) {
    // The start may have reached Temporal all the same: a workflow that has begun keeps its job,
    // one that begins later finds the row given up.
    if (await transaction(deps.pool, tx => giveUpJob(tx, jobId))) throw error;
  }
}

async function readBack(deps: CreateDeps, project: Project, jobId: string): Promise<Job> {
  const job = await findJob(deps.pool, project.id, jobId);
  if (!job) throw new Error(`job ${jobId} is gone`);
  return job;
}
