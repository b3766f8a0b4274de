import { Link } from '@tanstack/react-router';
import type { Automation } from '../../../../api/dashboard/contract/automations.ts';
import { may, useProject } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { showFailure } from '../../data/toasts.ts';
import { Button } from '../controls/button.tsx';
import { Badge } from '../feedback/badge.tsx';
import { RelativeTime } from '../text/format.tsx';
import { RunBadge } from './run-badge.tsx';
import { Table } from '../controls/table.tsx';

/** The automations of a project, and what can be done with each. */
export function AutomationTable({ automations }: { automations: readonly Automation[] }) {
  return (
    <Table columns={['Automation', 'Starts', 'State', 'Last run']} actions>
      {automations.map(automation => (
        <Row key={automation.id} automation={automation} />
      ))}
    </Table>
  );
}

function Row({ automation }: { automation: Automation }) {
  const { params, organization } = useProject();
  const { id, name, path, trigger, note, lastRun } = automation;
  return (
    <tr>
      <td className="whole">
        <Link to="/$organization/$domain/automations" params={params} search={{ automation: id }}>
          <strong>{name}</strong>
        </Link>
        <div className="mono small faint">{path}</div>
        {note !== null && <div className="small">{note}</div>}
      </td>
      <td data-label="Starts">{trigger || '–'}</td>
      <td data-label="State">
        <State state={automation.state} />
      </td>
      <td data-label="Last run">
        {lastRun === null ? (
          'never'
        ) : (
          <span className="row">
            <RunBadge run={lastRun} />
            <RelativeTime at={lastRun.createdAt} />
          </span>
        )}
      </td>
      <td className="end">
        {may(organization.role, 'member') && automation.state !== 'invalid' && (
          <Actions automation={automation} />
        )}
      </td>
    </tr>
  );
}

function State({ state }: Pick<Automation, 'state'>) {
  if (state === 'active') return <Badge tone="good">active</Badge>;
  return <Badge tone={state === 'paused' ? 'warn' : 'bad'}>{state}</Badge>;
}

function Actions({ automation: { id, name, state } }: { automation: Automation }) {
  const { project } = useProject();
  const run = useSend('POST /projects/:projectId/automations/:id/runs');
  const change = useSend('PATCH /projects/:projectId/automations/:id');
  const params = { projectId: project.id, id };
  const verb = state === 'paused' ? 'Resume' : 'Pause';
  return (
    <span className="row key-actions">
      <Button
        small
        busy={run.isPending}
        aria-label={`Run now: ${name}`}
        onClick={() => {
          run.mutateAsync({ params }).catch(showFailure);
        }}
      >
        Run now
      </Button>
      <Button
        small
        look="quiet"
        busy={change.isPending}
        aria-label={`${verb}: ${name}`}
        onClick={() => {
          change.mutateAsync({ params, body: { paused: verb === 'Pause' } }).catch(showFailure);
        }}
      >
        {verb}
      </Button>
    </span>
  );
}
