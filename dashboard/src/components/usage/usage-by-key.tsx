import type { Usage } from '../../../../api/dashboard/contract/usage.ts';
import { csv } from '../../../../shared/text/csv.ts';
import { downloadText } from '../../data/download.ts';
import { Button } from '../controls/button.tsx';
import { Pager, usePages } from '../controls/pager.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Empty } from '../feedback/loaded.tsx';
import { CostFigure } from '../text/cost-figure.tsx';
import { formatNumber } from '../text/format.tsx';
import { Table } from '../controls/table.tsx';

/** Model calls by key and day, newest day first. */
export function UsageByKey({ rows }: { rows: Usage['byKey'] }) {
  const pages = usePages(rows.toReversed());
  return (
    <section className="section" aria-labelledby="by-key">
      <div className="row-between">
        <h2 id="by-key">By key and day</h2>
        <Button onClick={() => downloadText('usage-by-key-and-day.csv', csv(asRows(rows)))}>
          Download days as CSV
        </Button>
      </div>
      <div className="card">
        {rows.length === 0 ? (
          <Empty icon="usage" title="No usage in this period" />
        ) : (
          <DayTable rows={pages.shown} />
        )}
      </div>
      <Pager pages={pages} label="Days" />
    </section>
  );
}

function asRows(rows: Usage['byKey']): (string | number | null)[][] {
  return [
    ['day', 'key', 'key id', 'model calls', 'tokens', 'cost in USD'],
    ...rows.map(({ day, key, calls, tokens, costUsd }) => [
      day,
      key?.name ?? 'Dashboard',
      key?.id ?? null,
      calls,
      tokens,
      costUsd,
    ]),
  ];
}

function DayTable({ rows }: { rows: readonly Usage['byKey'][number][] }) {
  return (
    <Table columns={['Day', 'Key', 'Model calls', 'Tokens', 'Cost']} numbers={3}>
      {rows.map(row => (
        <Row key={`${row.day} ${row.key?.id}`} row={row} />
      ))}
    </Table>
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
