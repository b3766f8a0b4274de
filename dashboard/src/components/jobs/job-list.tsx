import { Link } from '@tanstack/react-router';
import type { Job } from '../../../../shared/dashboard/jobs.ts';
import { PullRequestLink } from '../pull-requests/pull-request-link.tsx';
import { CostFigure } from '../text/cost-figure.tsx';
import { plural, RelativeTime } from '../text/format.tsx';
import { OutcomeBadge } from './outcome-badge.tsx';

type ProjectParams = { organization: string; domain: string };

/** One row per job. */
export function JobRows({ jobs, params }: { jobs: readonly Job[]; params: ProjectParams }) {
  return (
    <ul className="list">
      {jobs.map(job => (
        <li key={job.id} className="list-row job-row">
          <span className="job-state">
            <OutcomeBadge outcome={job.outcome} />
          </span>
          <div className="stack-tight">
            <Link
              to="/$organization/$domain/jobs/$jobId"
              params={{ ...params, jobId: job.id }}
              className="title job-title"
            >
              {job.title ?? job.prompt}
            </Link>
            <div className="meta">
              <span>{job.startedBy?.name ?? 'a script'}</span>
              <span>{plural(job.turns, 'turn')}</span>
              {job.costUsd !== 0 && <CostFigure cost={job} />}
              {job.archivedAt && <span>archived</span>}
              {job.prLink !== null && (
                <PullRequestLink
                  prLink={job.prLink}
                  number={job.prNumber}
                  params={params}
                  className="above"
                >
                  {job.prNumber === null ? 'Pull request' : `Pull request #${job.prNumber}`}
                </PullRequestLink>
              )}
            </div>
          </div>
          <span className="end small faint">
            <RelativeTime at={job.createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
