import { useState } from 'react';
import type { Usage, UsageKind } from '../../../../api/dashboard/contract/usage.ts';
import { csv } from '../../../../shared/text/csv.ts';
import { downloadText } from '../../data/download.ts';
import { Button } from '../controls/button.tsx';
import { Pager, usePages } from '../controls/pager.tsx';
import { SearchBox } from '../controls/search-box.tsx';
import { Segments } from '../controls/segments.tsx';
import { Empty } from '../feedback/loaded.tsx';
import { CostFigure } from '../text/cost-figure.tsx';
import { formatNumber } from '../text/format.tsx';
import { Table } from '../controls/table.tsx';

const KINDS = [
  ['project', 'Project'],
  ['person', 'Person'],
  ['key', 'Key'],
  ['model', 'Model'],
] as const satisfies readonly (readonly [UsageKind, string])[];
/** Rows without an id. */
const NOBODY: Record<UsageKind, string> = {
  project: 'Deleted project',
  person: 'Scripts and readers',
  key: 'Dashboard',
  model: 'Unknown model',
};

type Total = Usage['totals'][number];

/** The period's model calls by project, person, key or model. */
export function UsageTotals({ totals, days }: { totals: readonly Total[]; days: number }) {
  const [kind, setKind] = useState<UsageKind>('project');
  const [words, setWords] = useState<string>();
  const wanted = words?.toLowerCase() ?? '';
  const found = totals.filter(
    total =>
      total.kind === kind &&
      `${nameOf(total)} ${total.detail ?? ''}`.toLowerCase().includes(wanted),
  );
  const pages = usePages(found);
  return (
    <section className="section" aria-labelledby="totals">
      <div className="row-between">
        <h2 id="totals">Totals</h2>
        <Segments label="Totals by" options={KINDS} value={kind} onChange={setKind} />
      </div>
      <div className="filters">
        <SearchBox
          label="Search totals"
          placeholder="Search by name"
          value={words}
          onChange={setWords}
        />
        <Button onClick={() => downloadText(`usage-${kind}-${days}-days.csv`, csv(asRows(found)))}>
          Download CSV
        </Button>
      </div>
      <div className="card">
        {found.length === 0 ? (
          <Empty icon="usage" title={words ? 'Nothing matches' : 'No usage in this period'} />
        ) : (
          <TotalsTable totals={pages.shown} />
        )}
      </div>
      <Pager pages={pages} label="Totals" />
    </section>
  );
}

function TotalsTable({ totals }: { totals: readonly Total[] }) {
  return (
    <Table columns={['Name', 'Model calls', 'Tokens', 'Cost']} numbers={3}>
      {totals.map(total => (
        <tr key={`${total.kind} ${total.id}`}>
          <td className="whole">
            {nameOf(total)} <span className="small faint">{total.detail}</span>
          </td>
          <td data-label="Model calls" className="end number">
            {formatNumber(total.calls)}
          </td>
          <td data-label="Tokens" className="end number">
            {formatNumber(total.tokens)}
          </td>
          <td data-label="Cost" className="end number">
            <CostFigure cost={total} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function nameOf({ kind, name, id }: Total): string {
  return name ?? (id === null ? NOBODY[kind] : `Deleted: ${id}`);
}

function asRows(totals: readonly Total[]): (string | number | null)[][] {
  return [
    ['by', 'name', 'detail', 'id', 'model calls', 'tokens', 'cost in USD'],
    ...totals.map(total => [
      total.kind,
      nameOf(total),
      total.detail,
      total.id,
      total.calls,
      total.tokens,
      total.costUsd,
    ]),
  ];
}
