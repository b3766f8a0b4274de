import type { LinkedPullRequest } from '../../../../api/dashboard/contract/jobs.ts';
import { PullRequestView } from '../../components/pull-requests/pull-request-view.tsx';
import { linkReview } from '../../components/review/review-source.ts';
import { PublicPage } from './public-page.tsx';

const link = location.pathname;
const source = linkReview(link);

/** A pull request of the built-in host, for everyone who has the link. */
export function PublicReview({ pull }: { pull: LinkedPullRequest }) {
  return (
    <PublicPage
      home="/dashboard"
      brand="Docent"
      links={{ Docs: '/docs', 'API reference': '/reference' }}
    >
      <PullRequestView
        {...{ pull, source }}
        lead={
          <>
            {' '}
            of <strong>{pull.repository}</strong> · <a href={`${link}.diff`}>the diff as text</a>
          </>
        }
      />
    </PublicPage>
  );
}
