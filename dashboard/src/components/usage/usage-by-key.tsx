import type { Usage } from '../../../../shared/dashboard/usage.ts';
import { Badge } from '../feedback/badge.tsx';
import { Empty } from '../feedback/loaded.tsx';
import { CostFigure } from '../text/cost-figure.tsx';
import { formatNumber } from '../text/format.tsx';

const COLUMNS = [
  ['Day', ''],
  ['Key', ''],
  ['Model calls', 'end'],
  ['Tokens', 'end'],
  ['Cost', 'end'],
] as const;

/** Model calls by key and day, newest day first. */
export function UsageByKey({ rows }: { rows: Usage['byKey'] }) {
  if (rows.length === 0) return <Empty icon="usage" title="No usage in this period" />;
  return (
    <div
      className="table-wrap table-tall"
      tabIndex={0}
      role="region"
      aria-label="Usage by key and day"
    >
      <table className="table table-cards">
        <thead>
          <tr>
            {COLUMNS.map(([name, className]) => (
              <th key={name} scope="col" className={className || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(row => (
            <Row key={`${row.day} ${row.key?.id}`} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row }: { row: Usage['byKey'][number] }) {
  const { day, key, calls, tokens } = row;
  return (
    <tr>
      <td data-label="Day" className="number nowrap">
        {day}
      </td>
      <td data-label="Key">
        {key ? (
          <span className="row">
            {key.name}
            <Badge>{key.kind}</Badge>
          </span>
        ) : (
          'Dashboard'
        )}
      </td>
      <td data-label="Model calls" className="end number">
        {formatNumber(calls)}
      </td>
      <td data-label="Tokens" className="end number">
        {formatNumber(tokens)}
      </td>
      <td data-label="Cost" className="end number">
        <CostFigure cost={row} />
      </td>
    </tr>
  );
}
