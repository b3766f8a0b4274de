import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { JobDetail } from '../../../../shared/dashboard/jobs.ts';
import { JobStatusBadge } from '../../components/feedback/badge.tsx';
import { buttonClass } from '../../components/controls/button.tsx';
import { TextBox } from '../../components/forms/text-box.tsx';
import { ConfirmButton } from '../../components/dialogs/dialog.tsx';
import { DiffView } from '../../components/diff/diff-view.tsx';
import { JobSide } from '../../components/jobs/job-details.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Operate } from '../../components/jobs/temporal-workflow.tsx';
import { BackLink, Page } from '../../layout/page.tsx';
import { PullLink } from '../../components/pull-requests/pull-request-link.tsx';
import { RewindButton } from '../../components/jobs/rewind-button.tsx';
import { Failed, Loaded, Loading } from '../../components/feedback/loaded.tsx';
import { Timeline } from '../../components/jobs/timeline.tsx';
import { useJobEvents, type WatchedJob } from '../../data/job-events.ts';
import { may, useProject } from '../../data/place.ts';
import { conversationQuery, diffQuery, jobQuery, useSend } from '../../data/queries.ts';
import { storyOf } from '../../data/timeline.ts';

const route = getRouteApi('/app/$organization/$domain/jobs/$jobId');

export function JobPage() {
  const { project, params } = useProject();
  const { jobId } = route.useParams();
  const job = useQuery(jobQuery(project.id, jobId));
  if (!job.data) {
    return (
      <Page title="Job" above={<Back params={params} />}>
        {job.isError ? (
          <Failed
            error={job.error}
            retry={() => {
              void job.refetch();
            }}
          />
        ) : (
          <Loading lines={6} />
        )}
      </Page>
    );
  }
  return <LoadedJob key={jobId} job={job.data} />;
}

function Back({ params }: { params: { organization: string; domain: string } }) {
  return (
    <BackLink to="/$organization/$domain/jobs" params={params}>
      Jobs
    </BackLink>
  );
}

function LoadedJob({ job }: { job: JobDetail }) {
  const { organization, project, params } = useProject();
  const { view } = route.useSearch();
  // Here and not in the story: news refresh the other views, too.
  const stream = useJobEvents(project.id, job);
  const diff = useQuery(diffQuery(project.id, job.id));
  const changed = diff.data?.files.length;
  const here = {
    to: '/$organization/$domain/jobs/$jobId',
    params: { ...params, jobId: job.id },
  } as const;
  return (
    <Page
      title={job.title ?? firstLine(job.prompt)}
      mark={<JobStatusBadge status={job.status} archived={job.archivedAt !== null} />}
      above={<Back params={params} />}
      actions={
        <>
          {may(organization.role, 'member') && <Actions job={job} projectId={project.id} />}
          {job.prLink && (
            <PullLink
              prLink={job.prLink}
              number={job.prNumber}
              params={params}
              className={buttonClass('primary')}
            >
              {job.prNumber === null
                ? 'Open the pull request'
                : `Review pull request #${job.prNumber}`}
            </PullLink>
          )}
        </>
      }
    >
      <nav className="tabs" aria-label="Views of the job">
        <Link
          {...here}
          search={{}}
          className="tab"
          activeOptions={{ exact: true, includeSearch: true }}
        >
          Conversation
        </Link>
        <Link {...here} search={{ view: 'changes' }} className="tab">
          Changes{changed !== undefined && changed > 0 && <span className="badge">{changed}</span>}
        </Link>
        {job.operator && (
          <Link {...here} search={{ view: 'operate' }} className="tab">
            Operate
          </Link>
        )}
      </nav>
      {view === 'changes' && <Loaded query={diff}>{data => <DiffView diff={data} />}</Loaded>}
      {view === 'operate' && job.operator && <Operate operator={job.operator} />}
      {view === undefined && <Story job={job} watched={stream} />}
    </Page>
  );
}

function Story({ job, watched }: { job: JobDetail; watched: WatchedJob }) {
  const { organization, project, params } = useProject();
  const { events, live } = watched;
  const conversation = useQuery(conversationQuery(project.id, job.id));
  const story = useMemo(() => storyOf(events), [events]);
  const todos = story.events.findLast(({ event }) => event.type === 'todos')?.event;
  // The conversation may be a moment older than the events; what an earlier turn dropped, its
  // outcome names.
  const told = new Set(
    events.flatMap(({ event }) => (event.type === 'instruction' ? [event.messageId] : [])),
  );
  const untaken = (conversation.data?.messages ?? []).flatMap(message =>
    message.type === 'instruction' && message.state !== 'taken' && !told.has(message.id)
      ? [message]
      : [],
  );
  const shown = untaken.filter(
    ({ state, turn }) => state === 'waiting' || turn === null || turn >= job.turns,
  );
  const waiting = untaken.filter(({ state }) => state === 'waiting').map(({ text }) => text);
  const jobPath = { projectId: project.id, id: job.id };
  const mayRewind = may(organization.role, 'member') && job.archivedAt === null;
  return (
    <div className="split">
      <div className="stack">
        {events.length === 0 && watched.state === 'refused' && (
          <div className="card">
            <Failed
              error={new Error('What happened in this job could not be read.')}
              retry={watched.retry}
            />
          </div>
        )}
        {events.length === 0 && watched.state === 'open' && job.status !== 'active' && (
          <Loading lines={5} />
        )}
        <Timeline
          items={story.items}
          live={live}
          waiting={shown}
          busy={job.status === 'active'}
          pullLink={(prLink, label) => (
            <PullLink
              prLink={prLink}
              number={prLink === job.prLink ? job.prNumber : null}
              params={params}
            >
              {label}
            </PullLink>
          )}
          {...(mayRewind && {
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
        {may(organization.role, 'member') && <FollowUp job={job} jobPath={jobPath} />}
      </div>
      <JobSide job={job} todos={todos?.type === 'todos' ? todos.todos : job.todos} />
    </div>
  );
}

function FollowUp({
  job,
  jobPath,
}: {
  job: JobDetail;
  jobPath: { projectId: string; id: string };
}) {
  const send = useSend('POST /projects/:projectId/jobs/:id/message');
  if (job.archivedAt !== null)
    return (
      <Notice tone="plain">
        This job is archived and takes no more instructions. Start a new one.
      </Notice>
    );
  return (
    <TextBox
      label="Follow-up instruction"
      submit="Send"
      busy={send.isPending}
      error={send.error}
      placeholder={
        job.status === 'active'
          ? 'Add an instruction: the agent reads it before its next step …'
          : 'Send a follow-up: it goes to the same branch and pull request …'
      }
      hint="Ctrl + Enter sends"
      onSubmit={prompt => send.mutateAsync({ params: jobPath, body: { prompt } })}
    />
  );
}

function Actions({ job, projectId }: { job: JobDetail; projectId: string }) {
  const cancel = useSend('POST /projects/:projectId/jobs/:id/cancel');
  const archive = useSend('POST /projects/:projectId/jobs/:id/archive');
  const params = { projectId, id: job.id };
  if (job.archivedAt !== null) return null;
  if (job.status === 'active') {
    return (
      <ConfirmButton
        label="Cancel"
        title="Cancel this job?"
        verb="Cancel the job"
        action={() => cancel.mutateAsync({ params })}
      >
        It stops at its next step and fails. What it changed is kept in its diff, but opens no pull
        request. A follow-up starts it again.
      </ConfirmButton>
    );
  }
  return (
    <ConfirmButton
      danger={false}
      label="Archive"
      title="Archive this job?"
      verb="Archive"
      action={() => archive.mutateAsync({ params })}
    >
      It takes no more follow-ups. Its pull request stays as it is. Idle jobs archive themselves
      after a while.
    </ConfirmButton>
  );
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
