import type { Usage } from '../../../../shared/dashboard/usage.ts';
import { Badge } from '../feedback/badge.tsx';
import { formatCost, formatNumber } from '../text/format.tsx';
import { Empty } from '../feedback/loaded.tsx';

/** Model calls, newest day first. */
export function UsageByKey({ rows }: { rows: Usage['byKey'] }) {
  if (rows.length === 0) return <Empty icon="usage" title="Nothing was used in this time" />;
  return (
    <div
      className="table-wrap table-tall"
      tabIndex={0}
      role="region"
      aria-label="Use by key and day"
    >
      <table className="table table-cards">
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Key</th>
            <th scope="col" className="end">
              Model calls
            </th>
            <th scope="col" className="end">
              Tokens
            </th>
            <th scope="col" className="end">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(({ day, key, calls, tokens, costUsd }) => (
            <tr key={`${day} ${key?.id}`}>
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
                {formatCost(costUsd)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
