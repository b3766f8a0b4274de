import { Link } from '@tanstack/react-router';
import type { PullRequestDetail } from '../../../../api/dashboard/contract/jobs.ts';
import { Copyable } from '../controls/copy.tsx';
import { Checks } from '../jobs/timeline/checks.tsx';
import { RelativeTime } from '../text/format.tsx';
import { Icon } from '../text/icons.tsx';

/** Beside the description: checks, dates, links and commits. */
export function PullRequestDetails({
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
          <Dates pull={pull} />
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
          <dt>Preview</dt>
          <dd>
            <Link
              to="/$organization/$domain/docs/$"
              params={{ ...params, _splat: '' }}
              search={{ ref: pull.head }}
            >
              The docs with these changes
            </Link>
          </dd>
          <dt>Link</dt>
          <dd>
            <Copyable text={pull.url} what="link for reviewers" />
          </dd>
        </dl>
      </div>
      <div className="card card-pad section">
        <h2>Commits</h2>
        <Commits commits={pull.commits} />
      </div>
    </aside>
  );
}

function Dates({ pull }: { pull: PullRequestDetail }) {
  return (
    <>
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
    </>
  );
}

function Commits({ commits }: { commits: PullRequestDetail['commits'] }) {
  return (
    <ul className="stack small">
      {commits.map(commit => (
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
  );
}
