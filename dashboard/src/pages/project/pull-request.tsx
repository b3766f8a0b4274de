import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { PullRequestDetail } from '../../../../api/dashboard/contract/jobs.ts';
import { Conflict } from '../../components/review/conflict.tsx';
import { useReviewComments } from '../../components/review/review-comments.ts';
import { memberReview } from '../../components/review/review-source.ts';
import { Review } from '../../components/review/review.tsx';
import { Failed, Loading } from '../../components/feedback/loaded.tsx';
import { PullRequestActions } from '../../components/pull-requests/pull-request-actions.tsx';
import { PullRequestDetails } from '../../components/pull-requests/pull-request-details.tsx';
import { PullRequestState } from '../../components/pull-requests/pull-request-state.tsx';
import { Markdown } from '../../components/text/markdown.tsx';
import { may, useProject } from '../../data/place.ts';
import { pullQuery } from '../../data/queries.ts';
import { BackLink, Page } from '../../layout/page.tsx';

const route = getRouteApi('/app/$organization/$domain/pulls/$number');

export function PullRequestPage() {
  const { project, params } = useProject();
  const { number } = route.useParams();
  const pull = useQuery(pullQuery(project.id, number));
  const above = (
    <BackLink to="/$organization/$domain/pulls" params={params}>
      Pull requests
    </BackLink>
  );
  if (pull.data) return <LoadedPullRequest pull={pull.data} above={above} />;
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

function LoadedPullRequest({ pull, above }: { pull: PullRequestDetail; above: ReactNode }) {
  const { organization, project, params } = useProject();
  const review = useReviewComments(project.id, pull.jobId);
  const source = useMemo(() => memberReview(pull, project.id, params), [pull, project.id, params]);
  return (
    <Page
      title={pull.title}
      above={above}
      mark={<PullRequestState state={pull.state} draft={pull.draft} />}
      lead={
        <>
          <span className="number">#{pull.number}</span>, <code>{pull.head}</code> into{' '}
          <code>{pull.base}</code>
        </>
      }
      actions={
        pull.state === 'open' &&
        may(organization.role, 'member') && (
          <PullRequestActions pull={pull} projectId={project.id} />
        )
      }
    >
      {pull.conflict && (
        <Conflict
          pull={pull}
          projectId={project.id}
          params={params}
          mayRedo={may(organization.role, 'member')}
        />
      )}
      <About pull={pull} params={params} />
      <section className="section" aria-labelledby="changes">
        <h2 id="changes" className="visually-hidden">
          Changes
        </h2>
        <Review
          // Marks and drafts are of one pull request.
          key={source.name}
          diff={pull.diff}
          source={source}
          review={pull.jobId === null ? undefined : review}
          mayWrite={may(organization.role, 'member')}
        />
      </section>
    </Page>
  );
}

/** With many files, what is to be reviewed comes first: the rest is folded. */
const MANY_FILES = 5;

function About({
  pull,
  params,
}: {
  pull: PullRequestDetail;
  params: { organization: string; domain: string };
}) {
  const about = (
    <div className="split">
      <section className="card card-pad" aria-label="Description">
        <Markdown text={pull.body || 'No description.'} />
      </section>
      <PullRequestDetails pull={pull} params={params} />
    </div>
  );
  if (pull.diff.files.length <= MANY_FILES) return about;
  return (
    <details className="about-pull">
      <summary>Description, checks and commits</summary>
      {about}
    </details>
  );
}
