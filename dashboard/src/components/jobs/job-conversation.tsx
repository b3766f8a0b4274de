import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Diff, JobDetail } from '../../../../api/dashboard/contract/jobs.ts';
import type { Conversation } from '../../../../shared/jobs/conversation.ts';
import type { NumberedEvent, WatchedJob } from '../../data/jobs/job-events.ts';
import { may, useProject } from '../../data/place.ts';
import { conversationQuery } from '../../data/queries.ts';
import type { StepStart } from '../../data/jobs/steps.ts';
import { type Story, storyOf } from '../../data/jobs/timeline.ts';
import { Failed, Loading } from '../feedback/loaded.tsx';
import { PullRequestLink } from '../pull-requests/pull-request-link.tsx';
import { ChangedFiles } from './changed-files.tsx';
import { FollowUpForm } from './follow-up-form.tsx';
import { JobDetails } from './job-details.tsx';
import { Newest } from './timeline/newest.tsx';
import { RewindButton } from './rewind-button.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { WaitingCard } from './waiting-card.tsx';
import type { TimelineParts } from './timeline/timeline-item.tsx';

interface Props {
  job: JobDetail;
  watched: WatchedJob;
  /** Undefined until it is loaded. */
  diff: Diff | undefined;
}

/** What happened in a job so far, and the form for a follow-up. */
export function JobConversation({ job, watched, diff }: Props) {
  const { organization, project, params } = useProject();
  const { events, live } = watched;
  const isBusy = job.status === 'active';
  const conversation = useQuery(conversationQuery(project.id, job.id));
  const story = useMemo(() => storyOf(events), [events]);
  const todos = story.events.findLast(({ event }) => event.type === 'todos')?.event;
  const untaken = useMemo(
    () => untakenInstructions(conversation.data, events),
    [conversation.data, events],
  );
  const isMember = may(organization.role, 'member');
  const [jobPath, parts] = useParts(job, story, untaken);
  return (
    <div className="split">
      <div className="stack">
        {events.length === 0 && <NoEvents job={job} watched={watched} />}
        <Timeline
          items={story.items}
          live={live}
          waiting={untaken.filter(
            ({ state, turn }) => state === 'waiting' || (turn ?? job.turns) >= job.turns,
          )}
          busy={isBusy}
          parts={parts}
        />
        <Newest size={events.length + (live?.text.length ?? 0)} busy={isBusy} />
        {isMember && job.waiting && <WaitingCard waiting={job.waiting} jobPath={jobPath} />}
        {isMember && <FollowUpForm job={job} jobPath={jobPath} />}
      </div>
      <JobDetails job={job} todos={todos?.type === 'todos' ? todos.todos : job.todos}>
        {diff && diff.files.length > 0 && (
          <ChangedFiles diff={diff} params={{ ...params, jobId: job.id }} />
        )}
      </JobDetails>
    </div>
  );
}

type Untaken = ReturnType<typeof untakenInstructions>;

/** The same ones until something that they show changes: a row is drawn again with new ones only. */
function useParts(
  { id, prLink: ownLink, prNumber, archivedAt }: JobDetail,
  { events }: Story,
  untaken: Untaken,
): [jobPath: TimelineParts['jobPath'], parts: TimelineParts] {
  const {
    organization: { role },
    project: { id: projectId },
    params: { organization, domain },
  } = useProject();
  const jobPath = useMemo(() => ({ projectId, id }), [projectId, id]);
  const parts = useMemo(() => {
    const waiting = untaken.filter(({ state }) => state === 'waiting').map(({ text }) => text);
    const rewind = (start: StepStart) => <RewindButton {...{ jobPath, start, waiting, events }} />;
    const made: TimelineParts = {
      jobPath,
      anchor: ({ turn, step }) => `turn-${turn}-step-${step}`,
      pullRequestLink: (prLink, label) => {
        const number = prLink === ownLink ? prNumber : null;
        const params = { organization, domain };
        return <PullRequestLink {...{ prLink, number, params }}>{label}</PullRequestLink>;
      },
      rewind: may(role, 'member') && archivedAt === null ? rewind : undefined,
    };
    return made;
  }, [jobPath, untaken, events, ownLink, prNumber, archivedAt, role, organization, domain]);
  return [jobPath, parts];
}

function NoEvents({ job, watched: { state, retry } }: { job: JobDetail; watched: WatchedJob }) {
  if (state === 'refused')
    return (
      <div className="card">
        <Failed error={new Error('The history of this job could not be loaded.')} retry={retry} />
      </div>
    );
  return state === 'open' && job.status !== 'active' ? <Loading lines={5} /> : null;
}

/**
 * The instructions that no turn has taken: waiting ones, and those that a turn dropped. The
 * conversation can be older than the events, so an instruction with an event is left out.
 */
function untakenInstructions(
  conversation: Conversation | undefined,
  events: readonly NumberedEvent[],
) {
  const taken = new Set(
    events.flatMap(({ event }) => (event.type === 'instruction' ? [event.messageId] : [])),
  );
  return (conversation?.messages ?? []).flatMap(message =>
    message.type === 'instruction' && message.state !== 'taken' && !taken.has(message.id)
      ? [message]
      : [],
  );
}
