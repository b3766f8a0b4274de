import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionStatusName,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { type Config, publicUrl } from '../shared/config.ts';
import { jobLink } from '../shared/links.ts';
import { EncryptionCodec } from '../shared/secrets/payload-codec.ts';
import { redact } from '../shared/secrets/redact.ts';
import { SEARCH_ATTRIBUTES, type SearchAttribute } from '../shared/jobs/attribute-names.ts';
import {
  JOB_QUERY,
  JOB_WORKFLOW,
  type JobInput,
  type JobView,
  type JobLimits,
} from '../shared/jobs/job.ts';
import { type EpochSignal, type MessageSignal, SIGNALS } from '../shared/jobs/signals.ts';
import { isInvalid, knownAttributes, typedAttributes } from '../shared/jobs/search-attributes.ts';
import { taskPriority, type WaitedForBy } from '../shared/jobs/task-priority.ts';

/** Without a deadline the client keeps trying for half a minute while the server is down. */
const COMMAND_DEADLINE_MS = 5_000;
/** A query without a worker hangs; the row can answer too. */
const QUERY_DEADLINE_MS = 1_000;
const PREVIEW_LENGTH = 200;

export interface JobStart extends Pick<JobInput, 'carried' | 'replaces'> {
  /** Ends a workflow of that id that runs, in the same step. */
  instead?: boolean;
  jobId: string;
  projectId: string;
  /** Slug; for the link to the job's page. */
  organization: string | undefined;
  domain: string;
  prompt: string;
  requestId: string;
  waitedForBy: WaitedForBy;
}

/**
 * Starts a job's workflow; one that already runs is success. Rejects if Temporal is unreachable,
 * perhaps after the start.
 */
export async function startJobWorkflow(
  temporal: Client,
  config: Config,
  start: JobStart,
): Promise<void> {
  const known = (await knownAttributes(temporal)).filter(name => mayHave(temporal, name));
  await startWith(temporal, config, start, known).catch(async (error: unknown) => {
    // One was made a moment ago or is gone: a job that is not listed is better than none.
    if (!isInvalid(error) || known.length === 0) throw error;
    await startWith(temporal, config, start, []);
  });
}

/** Attributes are not encrypted, so that a title is none where histories are. */
function mayHave({ options }: Client, name: SearchAttribute): boolean {
  const { payloadCodecs } = options.loadedDataConverter;
  const encrypts = payloadCodecs.some(each => each instanceof EncryptionCodec && each.encrypts);
  return name !== SEARCH_ATTRIBUTES.title || !encrypts;
}

async function startWith(
  temporal: Client,
  config: Config,
  start: JobStart,
  attributes: SearchAttribute[],
): Promise<void> {
  const { jobId, organization, domain, carried, replaces, instead = false } = start;
  const input: JobInput = {
    jobId,
    limits: jobLimits(config),
    attributes,
    ...(carried && { carried }),
    ...(replaces && { replaces }),
  };
  try {
    await temporal.withDeadline(Date.now() + COMMAND_DEADLINE_MS, () =>
      temporal.workflow.start(JOB_WORKFLOW, {
        workflowId: start.jobId,
        taskQueue: config.TASK_QUEUE,
        args: [input],
        priority: taskPriority(start.projectId, start.waitedForBy),
        workflowIdReusePolicy: instead ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
        workflowIdConflictPolicy: instead ? 'TERMINATE_EXISTING' : 'USE_EXISTING',
        staticSummary: `${domain}: ${preview(start.prompt)}`,
        ...(organization !== undefined && {
          staticDetails: `[The job in the dashboard](${jobLink(publicUrl(config), { organization, domain, jobId })})`,
        }),
        memo: { requestId: start.requestId, projectId: start.projectId },
        typedSearchAttributes: typedAttributes(attributes, {
          DocentProject: start.projectId,
          DocentStatus: 'active',
          DocentTitle: preview(start.prompt),
        }),
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/**
 * Signals an instruction that is already stored; the history shows only its beginning.
 */
export async function signalMessage(
  temporal: Client,
  jobId: string,
  messageId: string,
  prompt: string,
): Promise<void> {
  await signal(temporal, jobId, SIGNALS.message, {
    prompt: preview(prompt),
    messageId,
    stored: true,
  } satisfies MessageSignal);
}

/**
 * Asks the workflow to end its turn, or to archive itself; void in another epoch than that of the
 * row given.
 */
export async function signalEnd(
  temporal: Client,
  jobId: string,
  name: 'cancel' | 'archive',
  seen: EpochSignal,
): Promise<void> {
  await signal(temporal, jobId, SIGNALS[name], seen);
}

async function signal(temporal: Client, jobId: string, name: string, input: object): Promise<void> {
  await temporal.withDeadline(Date.now() + COMMAND_DEADLINE_MS, () =>
    temporal.workflow.getHandle(jobId).signal(name, input),
  );
}

/**
 * The job as its workflow reports it; undefined if there is no report in time (a second), for any
 * reason.
 */
export async function queryJob(
  temporal: Client,
  jobId: string,
  deadlineMs = QUERY_DEADLINE_MS,
): Promise<JobView | undefined> {
  try {
    return await temporal.withDeadline(Date.now() + deadlineMs, () =>
      temporal.workflow.getHandle(jobId).query<JobView>(JOB_QUERY),
    );
  } catch {
    return undefined;
  }
}

/**
 * The status of a job's newest run, or of the run given; undefined if Temporal has no such
 * workflow or run. Rejects if Temporal does not answer.
 */
export async function workflowStatus(
  temporal: Client,
  jobId: string,
  runId?: string,
): Promise<WorkflowExecutionStatusName | undefined> {
  try {
    const { status } = await temporal.withDeadline(Date.now() + COMMAND_DEADLINE_MS, () =>
      temporal.workflow.getHandle(jobId, runId).describe(),
    );
    return status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** The newest run of a job's workflow; undefined if there is no answer within a second. */
export async function currentRun(temporal: Client, jobId: string): Promise<string | undefined> {
  try {
    return (
      await temporal.withDeadline(Date.now() + QUERY_DEADLINE_MS, () =>
        temporal.workflow.getHandle(jobId).describe(),
      )
    ).runId;
  } catch {
    return undefined;
  }
}

function preview(text: string): string {
  const line = redact(text).replace(/\s+/g, ' ').trim();
  return line.length > PREVIEW_LENGTH ? `${line.slice(0, PREVIEW_LENGTH - 1)}…` : line;
}

const DAY_MS = 86_400_000;

/**
 * What a workflow gets of the configuration when it starts; it keeps these limits for the run.
 */
function jobLimits(config: Config): JobLimits {
  return {
    maxSteps: config.JOB_MAX_STEPS,
    maxTokens: config.JOB_MAX_TOKENS,
    maxRepeats: config.JOB_MAX_REPEATS,
    maxRepairRounds: config.JOB_MAX_MEND_ROUNDS,
    maxTurnMs: config.JOB_MAX_TURN_MINUTES * 60_000,
    maxQueue: config.JOB_MAX_QUEUE,
    archiveAfterMs: config.JOB_ARCHIVE_AFTER_DAYS * DAY_MS,
    continueAsNewAfterTurns: config.JOB_CONTINUE_AS_NEW_AFTER_TURNS,
    heartbeatSeconds: config.ACTIVITY_HEARTBEAT_SECONDS,
  };
}
