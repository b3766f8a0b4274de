import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { PullRequest, PullRequestDetail } from '../../../../shared/dashboard/jobs.ts';
import { PullStateBadge } from '../../components/feedback/badge.tsx';
import { Copyable } from '../../components/controls/copy.tsx';
import { ConfirmButton } from '../../components/dialogs/dialog.tsx';
import { DiffView } from '../../components/diff/diff-view.tsx';
import { RelativeTime } from '../../components/text/format.tsx';
import { Icon } from '../../components/text/icons.tsx';
import { Markdown } from '../../components/text/markdown.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { BackLink, Page } from '../../layout/page.tsx';
import { Failed, Loading } from '../../components/feedback/loaded.tsx';
import { Checks } from '../../components/jobs/timeline.tsx';
import { may, useProject } from '../../data/place.ts';
import { pullQuery, useSend } from '../../data/queries.ts';

const route = getRouteApi('/app/$organization/$domain/pulls/$number');

export function PullRequestPage() {
  const { organization, project, params } = useProject();
  const { number } = route.useParams();
  const pull = useQuery(pullQuery(project.id, number));
  const above = (
    <BackLink to="/$organization/$domain/pulls" params={params}>
      Pull requests
    </BackLink>
  );
  if (!pull.data) {
    return (
      <Page title={`Pull request #${number}`} above={above}>
        {pull.isError ? (
          <Failed
            error={pull.error}
            retry={() => {
              void pull.refetch();
            }}
          />
        ) : (
          <Loading lines={6} />
        )}
      </Page>
    );
  }
  const { data } = pull;
  return (
    <Page
      title={data.title}
      above={above}
      mark={<PullStateBadge state={data.state} draft={data.draft} />}
      lead={
        <>
          <span className="number">#{data.number}</span>, <code>{data.head}</code> into{' '}
          <code>{data.base}</code>
        </>
      }
      actions={
        data.state === 'open' &&
        may(organization.role, 'member') && <Actions pull={data} projectId={project.id} />
      }
    >
      {data.conflict && <Notice tone="warn">{data.conflict}</Notice>}
      <div className="split">
        <section className="card card-pad" aria-label="Description">
          <Markdown text={data.body || 'No description.'} />
        </section>
        <About pull={data} params={params} />
      </div>
      <section className="section" aria-labelledby="changes">
        <h2 id="changes">Changes</h2>
        <DiffView diff={data.diff} />
      </section>
    </Page>
  );
}

function About({
  pull,
  params,
}: {
  pull: PullRequestDetail;
  params: { organization: string; domain: string };
}) {
  return (
    <aside className="split-side" aria-label="About this pull request">
      <div className="card card-pad section">
        {pull.findings && <Checks findings={pull.findings} />}
        <dl className="facts">
          <dt>Opened</dt>
          <dd>
            <RelativeTime at={pull.createdAt} />
          </dd>
          {pull.closedAt && (
            <>
              <dt>{pull.state === 'merged' ? 'Merged' : 'Closed'}</dt>
              <dd>
                <RelativeTime at={pull.closedAt} />
              </dd>
            </>
          )}
          {pull.jobId && (
            <>
              <dt>Job</dt>
              <dd>
                <Link
                  to="/$organization/$domain/jobs/$jobId"
                  params={{ ...params, jobId: pull.jobId }}
                >
                  Conversation and follow-ups
                </Link>
              </dd>
            </>
          )}
          <dt>Link</dt>
          <dd>
            <Copyable text={pull.url} what="link for reviewers" />
          </dd>
        </dl>
      </div>
      <div className="card card-pad section">
        <h2>Commits</h2>
        <ul className="stack small">
          {pull.commits.map(commit => (
            <li key={commit.id} className="commit">
              <Icon name="commit" size={16} />
              <div>
                <p className="clamp" title={commit.subject}>
                  {commit.subject}
                </p>
                <p className="faint">
                  <code>{commit.id.slice(0, 7)}</code> {commit.author},{' '}
                  <RelativeTime at={commit.time} />
                </p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </aside>
  );
}

function Actions({ pull, projectId }: { pull: PullRequest; projectId: string }) {
  const close = useSend('POST /projects/:projectId/pulls/:number/close');
  const merge = useSend('POST /projects/:projectId/pulls/:number/merge');
  const params = { projectId, number: pull.number };
  return (
    <>
      <ConfirmButton
        label="Close"
        title="Close without merging?"
        verb="Close it"
        action={() => close.mutateAsync({ params })}
      >
        The branch stays. A follow-up to its job opens a new pull request.
      </ConfirmButton>
      <ConfirmButton
        danger={false}
        look="primary"
        label="Merge"
        title={`Merge into ${pull.base}?`}
        verb="Merge"
        action={() => merge.mutateAsync({ params })}
      >
        With a merge commit. The site’s search index follows by itself.
      </ConfirmButton>
    </>
  );
}
