import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { JobDetail } from '../../../../shared/dashboard/jobs.ts';
import type { Conversation } from '../../../../shared/jobs/conversation.ts';
import type { NumberedEvent, WatchedJob } from '../../data/job-events.ts';
import { may, useProject } from '../../data/place.ts';
import { conversationQuery } from '../../data/queries.ts';
import { storyOf } from '../../data/timeline.ts';
import { Failed, Loading } from '../feedback/loaded.tsx';
import { PullRequestLink } from '../pull-requests/pull-request-link.tsx';
import { FollowUpForm } from './follow-up-form.tsx';
import { JobDetails } from './job-details.tsx';
import { RewindButton } from './rewind-button.tsx';
import { Timeline } from './timeline.tsx';

/** What happened in a job so far, and the form for a follow-up. */
export function JobConversation({ job, watched }: { job: JobDetail; watched: WatchedJob }) {
  const { organization, project, params } = useProject();
  const { events, live } = watched;
  const conversation = useQuery(conversationQuery(project.id, job.id));
  const story = useMemo(() => storyOf(events), [events]);
  const todos = story.events.findLast(({ event }) => event.type === 'todos')?.event;
  const untaken = untakenInstructions(conversation.data, events);
  const waiting = untaken.filter(({ state }) => state === 'waiting').map(({ text }) => text);
  const jobPath = { projectId: project.id, id: job.id };
  const isMember = may(organization.role, 'member');
  return (
    <div className="split">
      <div className="stack">
        {events.length === 0 && <NoEvents job={job} watched={watched} />}
        <Timeline
          items={story.items}
          live={live}
          waiting={untaken.filter(
            ({ state, turn }) => state === 'waiting' || turn === null || turn >= job.turns,
          )}
          busy={job.status === 'active'}
          pullRequestLink={(prLink, label) => (
            <PullRequestLink
              prLink={prLink}
              number={prLink === job.prLink ? job.prNumber : null}
              params={params}
            >
              {label}
            </PullRequestLink>
          )}
          {...(isMember &&
            job.archivedAt === null && {
              rewind: start => (
                <RewindButton
                  jobPath={jobPath}
                  start={start}
                  events={story.events}
                  waiting={waiting}
                />
              ),
            })}
        />
        {isMember && <FollowUpForm job={job} jobPath={jobPath} />}
      </div>
      <JobDetails job={job} todos={todos?.type === 'todos' ? todos.todos : job.todos} />
    </div>
  );
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
