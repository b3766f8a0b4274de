import { defaultPayloadConverter } from '@temporalio/common';
import { type WorkflowInterceptors, workflowInfo } from '@temporalio/workflow';
import { JOB_WORKFLOW } from '../shared/jobs/job.ts';
import { SIGNALS } from '../shared/jobs/signals.ts';
import { SEALED } from '../shared/secrets/sealed-payload.ts';

/** The signal in whose place a workflow task gets all those that no handler can take. */
export const IGNORED = 'docent:ignored';

export interface Ignored {
  count: number;
  /** Why the newest ones were ignored; at most ten. */
  newest: string[];
}

/** How many reasons are kept. */
export const LISTED = 10;
/** The SDK spends half a millisecond on each, and a task that takes seconds ends its worker. */
const MAX_AT_ONCE = 1_000;

type Activate = NonNullable<NonNullable<WorkflowInterceptors['internals']>[number]['activate']>;
type ActivationJobs = NonNullable<Parameters<Activate>[0]['activation']['jobs']>;
type Signal = NonNullable<ActivationJobs[number]['signalWorkflow']>;

/**
 * Lets through only the signals that a job has handlers for, and that can be decoded. Anybody may
 * send any name and any bytes, in any number; the SDK judges name and input before a handler sees
 * them, and what it throws there blocks the job permanently.
 */
export function interceptors(): WorkflowInterceptors {
  if (workflowInfo().workflowType !== JOB_WORKFLOW) return {};
  return {
    internals: [
      {
        activate({ activation, ...input }, next) {
          activation.jobs &&= filtered(activation.jobs);
          next({ activation, ...input });
        },
      },
    ],
  };
}

function filtered(jobs: ActivationJobs): ActivationJobs {
  const ignored: Ignored = { count: 0, newest: [] };
  let first: Signal | undefined;
  let passed = 0;
  const rest = jobs.filter(({ signalWorkflow: signal }) => {
    if (!signal) return true;
    const problem =
      problemWith(signal) ?? (passed >= MAX_AT_ONCE ? 'too many signals at once' : undefined);
    if (problem === undefined) return ++passed > 0;
    ignored.count += 1;
    ignored.newest = [...ignored.newest, problem].slice(-LISTED);
    // The first one's place is kept for the report of all of them.
    if (first) return false;
    first = signal;
    return true;
  });
  if (first) {
    first.signalName = IGNORED;
    first.input = [defaultPayloadConverter.toPayload(ignored)];
  }
  return rest;
}

const NAMES: readonly string[] = Object.values(SIGNALS);

function problemWith({ signalName, input }: Signal): string | undefined {
  const name = signalName ?? '';
  if (!NAMES.includes(name)) return `unknown signal "${name.slice(0, 100)}"`;
  // Ignored, it would be lost; so the task fails until a worker has the key.
  if (input?.some(({ metadata }) => metadata?.[SEALED]))
    throw new Error('a message is encrypted with a key that this worker lacks (ENCRYPTION_KEY)');
  try {
    for (const payload of input ?? []) defaultPayloadConverter.fromPayload(payload);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${name}: cannot be read (${reason.slice(0, 200)})`;
  }
}
