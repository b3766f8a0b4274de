import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { JobDetail } from '../../../../api/dashboard/contract/jobs.ts';
import { buttonClass } from '../../components/controls/button.tsx';
import { Loaded } from '../../components/feedback/loaded.tsx';
import { JobConversation } from '../../components/jobs/job-conversation.tsx';
import { OutcomeBadge } from '../../components/jobs/outcome-badge.tsx';
import { PullRequestLink } from '../../components/pull-requests/pull-request-link.tsx';
import { Review } from '../../components/review/review.tsx';
import { useJobEvents } from '../../data/jobs/job-events.ts';
import { may, useProject } from '../../data/place.ts';
import { diffQuery, jobQuery, useSend } from '../../data/queries.ts';
import { BackLink, Page } from '../../layout/page.tsx';
import { ConfirmButton } from '../../components/dialogs/confirm-button.tsx';
import { Copyable, Snippet } from '../../components/controls/copy.tsx';
import { Icon } from '../../components/text/icons.tsx';

const route = getRouteApi('/app/$organization/$domain/jobs/$jobId');

export function JobPage() {
  const { project, params } = useProject();
  const { jobId } = route.useParams();
  const job = useQuery(jobQuery(project.id, jobId));
  if (!job.data) {
    return (
      <Page title="Job" above={<Back params={params} />}>
        <Loaded query={job} lines={6}>
          {() => null}
        </Loaded>
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
  // Here and not in the conversation: events also refresh the other views.
  const stream = useJobEvents(project.id, job);
  const diff = useQuery(diffQuery(project.id, job.id));
  return (
    <Page
      title={job.title ?? firstLine(job.prompt)}
      mark={<OutcomeBadge {...job} archived={job.archivedAt !== null} />}
      above={<Back params={params} />}
      actions={
        <>
          {may(organization.role, 'member') && <JobActions job={job} projectId={project.id} />}
          {job.previewUrl && <PreviewLink url={job.previewUrl} />}
          {job.prLink && (
            <PullRequestLink
              prLink={job.prLink}
              number={job.prNumber}
              params={params}
              className={buttonClass('primary')}
            >
              {job.prNumber === null
                ? 'Open the pull request'
                : `Review pull request #${job.prNumber}`}
            </PullRequestLink>
          )}
        </>
      }
    >
      <Views job={job} changedFiles={diff.data?.files.length ?? 0} />
      {view === 'changes' && (
        <Loaded query={diff}>{data => <Review diff={data} source={{ name: job.id }} />}</Loaded>
      )}
      {view === 'operate' && job.operator && <TemporalWorkflow operator={job.operator} />}
      {view === undefined && <JobConversation job={job} watched={stream} diff={diff.data} />}
    </Page>
  );
}

function PreviewLink({ url }: { url: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
      Open the preview
    </a>
  );
}

function Views({ job, changedFiles }: { job: JobDetail; changedFiles: number }) {
  const { params } = useProject();
  const here = {
    to: '/$organization/$domain/jobs/$jobId',
    params: { ...params, jobId: job.id },
  } as const;
  return (
    <nav className="tabs" aria-label="Job views">
      <Link
        {...here}
        search={{}}
        className="tab"
        activeOptions={{ exact: true, includeSearch: true }}
      >
        Conversation
      </Link>
      <Link {...here} search={{ view: 'changes' }} className="tab">
        Changes{changedFiles > 0 && <span className="badge">{changedFiles}</span>}
      </Link>
      {job.operator && (
        <Link {...here} search={{ view: 'operate' }} className="tab">
          Operate
        </Link>
      )}
    </nav>
  );
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

/** Cancels a running job, archives an idle one. */
function JobActions({ job, projectId }: { job: JobDetail; projectId: string }) {
  const cancel = useSend('POST /projects/:projectId/jobs/:id/cancel');
  const archive = useSend('POST /projects/:projectId/jobs/:id/archive');
  const params = { projectId, id: job.id };
  if (job.archivedAt !== null) return null;
  if (job.status === 'active') {
    return (
      <ConfirmButton
        label="Cancel"
        title="Cancel this job?"
        verb="Cancel job"
        action={() => cancel.mutateAsync({ params })}
      >
        The job stops at its next step and fails. Its diff keeps the changes, but no pull request is
        opened. A follow-up starts the job again.
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
      The job accepts no more follow-ups. Its pull request does not change. This cannot be undone.
      Idle jobs are archived automatically after a while.
    </ConfirmButton>
  );
}

/** For operators: the job's Temporal workflow and the commands for it. */
function TemporalWorkflow({ operator }: { operator: NonNullable<JobDetail['operator']> }) {
  return (
    <div className="stack">
      <div className="card card-pad section">
        <h2>Temporal workflow</h2>
        <p className="soft">
          The workflow’s history contains every step of this job. Each button here also has a
          signal.
        </p>
        <div className="row">
          <Copyable text={operator.workflowId} what="workflow ID" />
          {operator.historyUrl && (
            <a href={operator.historyUrl} className={buttonClass()} target="_blank" rel="noopener">
              Open history <Icon name="external" size={14} />
            </a>
          )}
        </div>
      </div>
      <section className="card card-pad stack" aria-labelledby="commands">
        <h2 id="commands">On the command line</h2>
        {operator.commands.map(({ label, command }) => (
          <div key={label} className="stack-tight">
            <h3>{label}</h3>
            <Snippet text={command} what={label} />
          </div>
        ))}
      </section>
    </div>
  );
}
