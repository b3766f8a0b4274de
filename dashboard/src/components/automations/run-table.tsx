import { Link } from '@tanstack/react-router';
import type { AutomationRun } from '../../../../api/dashboard/contract/automations.ts';
import { useProject } from '../../data/place.ts';
import { RelativeTime } from '../text/format.tsx';
import { RunBadge } from './run-badge.tsx';
import { Table } from '../controls/table.tsx';

const CAUSES: Record<AutomationRun['cause'], string> = {
  schedule: 'Schedule',
  hand: 'A person',
  index: 'The docs changed',
  change: 'The code changed',
};

/** The runs of an automation, newest first. */
export function RunTable({ runs }: { runs: readonly AutomationRun[] }) {
  return (
    <Table columns={['Started by', 'Outcome', 'Reason', 'Began']}>
      {runs.map(run => (
        <Row key={run.id} run={run} />
      ))}
    </Table>
  );
}

function Row({ run }: { run: AutomationRun }) {
  const { params } = useProject();
  const { cause, about, url, reason, pages, jobId, prLink } = run;
  return (
    <tr>
      <td className="whole">
        {CAUSES[cause]}
        {about !== '' && (
          <div className="small faint">{url === null ? about : <a href={url}>{about}</a>}</div>
        )}
      </td>
      <td data-label="Outcome">
        <RunBadge run={run} />
      </td>
      <td data-label="Reason">
        {reason}
        {pages.length > 0 && <div className="small faint">{pages.join(', ')}</div>}
        <div className="small row">
          {jobId !== null && run.state !== 'waiting' && (
            <Link to="/$organization/$domain/jobs/$jobId" params={{ ...params, jobId }}>
              Job
            </Link>
          )}
          {prLink !== null && <a href={prLink}>Pull request</a>}
        </div>
      </td>
      <td data-label="Began">
        <RelativeTime at={run.createdAt} />
      </td>
    </tr>
  );
}
