import type { AuditEntry } from '../../../../api/dashboard/contract/audit.ts';
import type { AuditAction } from '../../../../db/audit/audit-actions.ts';
import { formatTime } from '../text/format.tsx';
import { ACTION_NAMES } from './action-names.ts';
import { Table } from '../controls/table.tsx';

const COLUMNS = ['Time', 'Who', 'Action', 'On', 'Address'];
const ACTORS = { user: 'a person', key: 'a key', operator: 'the operator', anybody: 'unknown' };

/** One row per act. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <Table columns={COLUMNS} scrolls="Acts">
      {entries.map(entry => (
        <Row key={entry.id} entry={entry} />
      ))}
    </Table>
  );
}

function Row({ entry: { at, actor, action, subject, address, details } }: { entry: AuditEntry }) {
  const settings = Object.entries(details);
  return (
    <tr>
      <td data-label="Time">
        <time dateTime={at} className="nowrap">
          {formatTime(at)}
        </time>
      </td>
      <td data-label="Who" className="breaks">
        {actor.name ?? ACTORS[actor.kind]}
      </td>
      <td data-label="Action">{ACTION_NAMES[action as AuditAction] ?? action}</td>
      <td data-label="On" className="breaks">
        <div>
          {subject && (subject.name ?? subject.id)}
          {settings.length > 0 && (
            <span className="small faint breaks">
              {' '}
              {settings.map(([name, value]) => `${name}: ${shown(value)}`).join(', ')}
            </span>
          )}
        </div>
      </td>
      <td data-label="Address" className="number">
        {address}
      </td>
    </tr>
  );
}

function shown(value: unknown): string {
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
