import type { ReactNode } from 'react';
import type { LinkedPullRequest } from '../../../../api/dashboard/contract/jobs.ts';
import { RelativeTime } from '../text/format.tsx';
import { Icon } from '../text/icons.tsx';

/** Beside the description: checks, dates and more facts, and commits. */
export function PullRequestDetails({
  pull: { createdAt, closedAt, state, commits },
  checks,
  facts,
}: {
  pull: Pick<LinkedPullRequest, 'createdAt' | 'closedAt' | 'state' | 'commits'>;
  checks?: ReactNode;
  facts?: ReactNode;
}) {
  return (
    <aside className="split-side" aria-label="About this pull request">
      <div className="card card-pad section">
        {checks}
        <dl className="facts">
          <dt>Opened</dt>
          <dd>
            <RelativeTime at={createdAt} />
          </dd>
          {closedAt && (
            <>
              <dt>{state === 'merged' ? 'Merged' : 'Closed'}</dt>
              <dd>
                <RelativeTime at={closedAt} />
              </dd>
            </>
          )}
          {facts}
        </dl>
      </div>
      <div className="card card-pad section">
        <h2>Commits</h2>
        <Commits commits={commits} />
      </div>
    </aside>
  );
}

function Commits({ commits }: Pick<LinkedPullRequest, 'commits'>) {
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
