import type { ReactNode } from 'react';
import type { LinkedPullRequest } from '../../../../api/dashboard/contract/jobs.ts';
import { Page } from '../../layout/page.tsx';
import type { ReviewComments } from '../review/review-comments.ts';
import type { ReviewSource } from '../review/review-source.ts';
import { Review } from '../review/review.tsx';
import { Markdown } from '../text/markdown.tsx';
import { PullRequestDetails } from './pull-request-details.tsx';
import { PullRequestState } from './pull-request-state.tsx';

/** With many files, what is to be reviewed comes first: the rest is folded. */
const MANY_FILES = 5;

interface Props {
  pull: Omit<LinkedPullRequest, 'repository'>;
  source: ReviewSource;
  above?: ReactNode;
  /** Beside its branches. */
  lead?: ReactNode;
  actions?: ReactNode;
  notice?: ReactNode;
  checks?: ReactNode;
  facts?: ReactNode;
  review?: ReviewComments | undefined;
  mayWrite?: boolean;
}

/** A pull request and its changes, for members and for people with the link. */
export function PullRequestView({ pull, source, lead, notice, checks, facts, ...shown }: Props) {
  const { above, actions, review, mayWrite = false } = shown;
  const about = (
    <div className="split">
      <section className="card card-pad" aria-label="Description">
        <Markdown text={pull.body || 'No description.'} />
      </section>
      <PullRequestDetails {...{ pull, checks, facts }} />
    </div>
  );
  return (
    <Page
      title={pull.title}
      above={above}
      mark={<PullRequestState state={pull.state} draft={pull.draft} />}
      lead={
        <>
          <span className="number">#{pull.number}</span>, <code>{pull.head}</code> into{' '}
          <code>{pull.base}</code>
          {lead}
        </>
      }
      actions={actions}
    >
      {notice}
      {pull.diff.files.length <= MANY_FILES ? (
        about
      ) : (
        <details className="about-pull">
          <summary>Description{checks ? ', checks' : ''} and commits</summary>
          {about}
        </details>
      )}
      <section className="section" aria-labelledby="changes">
        <h2 id="changes" className="visually-hidden">
          Changes
        </h2>
        {/* Marks and drafts are of one pull request. */}
        <Review key={source.name} diff={pull.diff} {...{ source, review, mayWrite }} />
      </section>
    </Page>
  );
}
