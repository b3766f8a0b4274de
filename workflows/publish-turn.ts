import { CancellationScope } from '@temporalio/workflow';
import type { Planned } from '../shared/jobs/activity-types.ts';
import { COMPLETED, type Ending, failureType, waitingEnding } from './endings.ts';
import { type JobState, position, type Turn } from './job-state.ts';
import { showDetails } from './web-ui.ts';

/**
 * Plan, push, open. A cancel has an effect until the plan is made; after that, the plan is carried
 * out in any case. `again`: the branch has moved.
 */
export async function publish(turn: Turn): Promise<Ending | 'again'> {
  const { job, activities } = turn;
  const { branch } = job.durable;
  const planned = await activities.host.planPublish.executeWithOptions({ summary: branch ?? '' }, [
    {
      ...position(job),
      now: Date.now(),
      branch,
      ...(turn.spent.unfinished && { unfinished: true }),
    },
  ]);
  job.durable.at = planned.at;
  if (planned.outcome === 'nothing') return planned.asks ? waitingEnding('approval') : COMPLETED;
  if (planned.outcome === 'moved') return 'again';
  if (planned.outcome === 'refused') {
    return {
      status: 'failed',
      haltReason: 'error',
      message: `Not published: ${planned.reasons.join(' ')}`,
      startNextFrom: 'published',
      code: 'policy_refused',
    };
  }
  job.publishing = true;
  job.durable.title ??= planned.title; // the pull request's own, once there is one
  return CancellationScope.nonCancellable(async () => {
    try {
      return await carryOut(turn, planned);
    } catch (error) {
      if (failureType(error) === 'branch_moved') return again(job);
      throw error;
    }
  });
}

async function carryOut(
  { job, activities: { host } }: Turn,
  { publicationId, branch, title, asks }: Extract<Planned, { outcome: 'planned' }>,
): Promise<Ending | 'again'> {
  const { durable } = job;
  const pushed = await host.push.executeWithOptions({ summary: branch }, [
    { ...position(job), publicationId },
  ]);
  durable.at = pushed.at;
  durable.ref = pushed.ref;
  const opened = await host.openPullRequest.executeWithOptions({ summary: title.slice(0, 150) }, [
    { ...position(job), publicationId },
  ]);
  durable.at = opened.at;
  if (opened.outcome === 'overtaken') return again(job);
  durable.title = opened.title;
  durable.prLink = opened.prLink;
  durable.prNumber = opened.prNumber;
  showDetails(job); // the lists have it as soon as the turn is reported
  return asks ? waitingEnding('approval') : COMPLETED;
}

function again(job: JobState): 'again' {
  job.publishing = false;
  return 'again';
}
