import { Link } from '@tanstack/react-router';
import type { Job } from '../../../../api/dashboard/contract/jobs.ts';
import { PullRequestLink } from '../pull-requests/pull-request-link.tsx';
import { Badge } from '../feedback/badge.tsx';
import { CostFigure } from '../text/cost-figure.tsx';
import { plural, RelativeTime } from '../text/format.tsx';
import { OutcomeBadge } from './outcome-badge.tsx';

/** The ids of the rows that are chosen. */
export interface Selection {
  chosen: ReadonlySet<string>;
  choose: (id: string, isChosen: boolean) => void;
}

interface Props {
  jobs: readonly Job[];
  /** The organization's slug. */
  organization: string;
  /** Names each job's project. */
  withProject?: boolean;
  /** Rows that can be archived have a box. */
  selection?: Selection | false;
}

/** One row per job. */
export function JobRows({ jobs, organization, withProject = false, selection = false }: Props) {
  return (
    <ul className="list">
      {jobs.map(job => (
        <JobRow key={job.id} {...{ job, organization, withProject, selection }} />
      ))}
    </ul>
  );
}

function JobRow({
  job,
  organization,
  withProject,
  selection,
}: Required<Omit<Props, 'jobs'>> & { job: Job }) {
  const params = { organization, domain: job.project.domain };
  return (
    <li className="list-row job-row">
      <span className="job-state">
        {selection && <ChooseBox job={job} selection={selection} />}
        <OutcomeBadge outcome={job.outcome} waitingFor={job.waitingFor} />
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
          {job.problems > 0 && <Badge tone="warn">{plural(job.problems, 'problem')}</Badge>}
          {withProject && <span>{job.project.domain}</span>}
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
  );
}

function ChooseBox({ job, selection }: { job: Job; selection: Selection }) {
  return (
    <input
      type="checkbox"
      className="above"
      aria-label={`Choose ${job.title ?? job.prompt}`}
      disabled={job.archivedAt !== null || job.status === 'active'}
      checked={selection.chosen.has(job.id)}
      onChange={event => selection.choose(job.id, event.target.checked)}
    />
  );
}
