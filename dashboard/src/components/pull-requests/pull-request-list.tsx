import { Link } from '@tanstack/react-router';
import type { PullRequestList } from '../../../../api/dashboard/contract/jobs.ts';
import { RelativeTime } from '../text/format.tsx';
import { PullRequestState } from './pull-request-state.tsx';

type ProjectParams = { organization: string; domain: string };

/** One row per pull request. */
export function PullRequestRows({
  pullRequests,
  params,
}: {
  pullRequests: PullRequestList['pullRequests'];
  params: ProjectParams;
}) {
  return (
    <ul className="list">
      {pullRequests.map(pull => (
        <li key={pull.number} className="list-row job-row">
          <span className="job-state">
            <PullRequestState state={pull.state} draft={pull.draft} />
          </span>
          <div className="stack-tight">
            <Link
              to="/$organization/$domain/pulls/$number"
              params={{ ...params, number: String(pull.number) }}
              className="title"
            >
              {pull.title}
            </Link>
            <div className="meta">
              <span className="number">#{pull.number}</span>
              <span className="mono clip" title={pull.head}>
                {pull.head} → {pull.base}
              </span>
            </div>
          </div>
          <span className="end small faint">
            <RelativeTime at={pull.createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
