import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { PullRequestDetail, PullRequest } from '../../../../api/dashboard/contract/jobs.ts';
import { Copyable } from '../../components/controls/copy.tsx';
import { Loaded } from '../../components/feedback/loaded.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Checks } from '../../components/jobs/timeline/checks.tsx';
import { PullRequestView } from '../../components/pull-requests/pull-request-view.tsx';
import { Conflict } from '../../components/review/conflict.tsx';
import { useReviewComments } from '../../components/review/review-comments.ts';
import { memberReview } from '../../components/review/review-source.ts';
import { may, useProject } from '../../data/place.ts';
import { jobQuery, pullQuery, useSend } from '../../data/queries.ts';
import { BackLink, Page } from '../../layout/page.tsx';
import { ConfirmButton } from '../../components/dialogs/confirm-button.tsx';

const LOOK_MS = 4_000;
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
      <Loaded query={pull} lines={6}>
        {() => null}
      </Loaded>
    </Page>
  );
}

function LoadedPullRequest({ pull, above }: { pull: PullRequestDetail; above: ReactNode }) {
  const { organization, project, params } = useProject();
  const review = useReviewComments(project.id, pull.jobId, pull.state === 'open');
  const source = useMemo(() => memberReview(pull, project.id, params), [pull, project.id, params]);
  const isMember = may(organization.role, 'member');
  return (
    <PullRequestView
      {...{ pull, source, above }}
      actions={
        pull.state === 'open' &&
        isMember && <PullRequestActions pull={pull} projectId={project.id} />
      }
      notice={
        <>
          {pull.jobId !== null && <JobAtWork jobId={pull.jobId} />}
          {pull.conflict && (
            <Conflict pull={pull} projectId={project.id} params={params} mayRedo={isMember} />
          )}
        </>
      }
      checks={pull.findings && <Checks findings={pull.findings} />}
      facts={<Facts pull={pull} params={params} />}
      review={pull.jobId === null ? undefined : review}
      mayWrite={isMember}
    />
  );
}

/** That a follow-up is being carried out; then the pull request is read again. */
function JobAtWork({ jobId }: { jobId: string }) {
  const { project, params } = useProject();
  const client = useQueryClient();
  const { data: job } = useQuery({ ...jobQuery(project.id, jobId), refetchInterval: LOOK_MS });
  const isActive = job?.status === 'active';
  const seen = useRef<string>(undefined);
  const rested = isActive ? undefined : job?.updatedAt;
  useEffect(() => {
    if (rested === undefined) return;
    if (seen.current !== undefined && seen.current !== rested) void client.invalidateQueries();
    seen.current = rested;
  }, [client, rested]);
  if (!isActive) return null;
  return (
    <Notice tone="plain">
      The job is working on a follow-up.{' '}
      <Link to="/$organization/$domain/jobs/$jobId" params={{ ...params, jobId }}>
        Watch it
      </Link>
    </Notice>
  );
}

function Facts({
  pull,
  params,
}: {
  pull: PullRequestDetail;
  params: { organization: string; domain: string };
}) {
  const { jobId, head, url } = pull;
  return (
    <>
      {jobId && (
        <>
          <dt>Job</dt>
          <dd>
            <Link to="/$organization/$domain/jobs/$jobId" params={{ ...params, jobId }}>
              Conversation and follow-ups
            </Link>
          </dd>
        </>
      )}
      <dt>Preview</dt>
      <dd>
        <Link
          to="/$organization/$domain/docs/$"
          params={{ ...params, _splat: changedPageOf(pull) }}
          search={{ ref: head }}
        >
          The docs with these changes
        </Link>
      </dd>
      <dt>Link</dt>
      <dd>
        <Copyable text={url} what="link for reviewers" />
      </dd>
    </>
  );
}

/** The first page that is there after the change, as the reader finds it by its file. */
function changedPageOf({ diff: { files } }: PullRequestDetail): string {
  return files.find(({ path, change }) => change !== 'deleted' && /\.mdx?$/.test(path))?.path ?? '';
}

/** Closes or merges an open pull request of the built-in host. */
function PullRequestActions({ pull, projectId }: { pull: PullRequest; projectId: string }) {
  const close = useSend('POST /projects/:projectId/pulls/:number/close');
  const merge = useSend('POST /projects/:projectId/pulls/:number/merge');
  const params = { projectId, number: pull.number };
  return (
    <>
      <ConfirmButton
        label="Close"
        title="Close without merging?"
        verb="Close pull request"
        action={() => close.mutateAsync({ params })}
      >
        The branch is kept. A follow-up to its job opens a new pull request.
      </ConfirmButton>
      <ConfirmButton
        danger={false}
        look="primary"
        label="Merge"
        title={`Merge into ${pull.base}?`}
        verb="Merge"
        action={() => merge.mutateAsync({ params })}
      >
        Creates a merge commit. The search index is updated automatically.
      </ConfirmButton>
    </>
  );
}
