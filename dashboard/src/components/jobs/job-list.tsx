import { Link } from '@tanstack/react-router';
import type { Job } from '../../../../shared/dashboard/jobs.ts';
import { JobStatusBadge } from '../feedback/badge.tsx';
import { formatCost, plural, RelativeTime } from '../text/format.tsx';

/** Jobs, a row each. */
export function JobRows({
  jobs,
  params,
}: {
  jobs: readonly Job[];
  params: { organization: string; domain: string };
}) {
  return (
    <ul className="list">
      {jobs.map(job => (
        <li key={job.id} className="list-row job-row">
          <span className="job-state">
            <JobStatusBadge status={job.status} />
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
              {job.costUsd > 0 && <span className="number">{formatCost(job.costUsd)}</span>}
              {job.archivedAt && <span>archived</span>}
              {job.prNumber !== null ? (
                <Link
                  to="/$organization/$domain/pulls/$number"
                  params={{ ...params, number: String(job.prNumber) }}
                  className="above"
                >
                  Pull request #{job.prNumber}
                </Link>
              ) : (
                job.prLink && (
                  <a href={job.prLink} className="above">
                    Pull request
                  </a>
                )
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
