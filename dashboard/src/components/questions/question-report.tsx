import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { QuestionReport as Report } from '../../../../api/dashboard/contract/questions.ts';
import { may, useProject } from '../../data/place.ts';
import { reading } from '../../data/query.ts';
import { urlOf } from '../../data/request.ts';
import { SourceLink } from '../assistant/source-link.tsx';
import { buttonClass } from '../controls/button.tsx';
import { Pager, usePages } from '../controls/pager.tsx';
import { Segments } from '../controls/segments.tsx';
import { Table } from '../controls/table.tsx';
import { Empty, Loaded } from '../feedback/loaded.tsx';
import { formatNumber } from '../text/format.tsx';

const PERIODS = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const;
const EXPORTS = [
  ['questions', 'Download questions as CSV'],
  ['groups', 'Download groups as CSV'],
] as const;

/** What readers asked in a period, against the one before. */
export function QuestionReport() {
  const { organization, project } = useProject();
  const [days, setDays] = useState<'7' | '30' | '90'>('30');
  const params = { projectId: project.id };
  const query = { days: Number(days) };
  const report = useQuery(reading('GET /projects/:projectId/questions/report', { params, query }));
  return (
    <>
      <div className="filters">
        <Segments label="Period" options={PERIODS} value={days} onChange={setDays} />
        {may(organization.role, 'owner') &&
          EXPORTS.map(([of, name]) => (
            <a
              key={of}
              className={buttonClass()}
              download
              href={urlOf('GET /projects/:projectId/questions/export', {
                params,
                query: { ...query, of },
              })}
            >
              {name}
            </a>
          ))}
      </div>
      <Loaded query={report} lines={8}>
        {({ questions, pages, searches }) => (
          <>
            <Asked questions={questions} />
            <Cited pages={pages} />
            <Searched searches={searches} />
          </>
        )}
      </Loaded>
    </>
  );
}

const VOTES = ['Helpful', 'Not helpful'];

function Asked({ questions }: Pick<Report, 'questions'>) {
  return (
    <Counts
      title="Asked most"
      of="Question"
      names={['Asked', 'Period before', 'Answered', ...VOTES]}
      empty="No questions in this period"
      rows={questions.map(({ id, title, asked, askedBefore, answered, helpful, notHelpful }) => ({
        ...{ id, about: title },
        counts: [asked, askedBefore, answered, helpful, notHelpful],
      }))}
    />
  );
}

function Cited({ pages }: Pick<Report, 'pages'>) {
  return (
    <Counts
      title="Cited pages"
      of="Page"
      names={['Answers', ...VOTES]}
      empty="No answer cited a page in this period"
      rows={pages.map(({ url, title, answers, helpful, notHelpful }) => ({
        ...{ id: url, about: <SourceLink url={url} title={title} /> },
        counts: [answers, helpful, notHelpful],
      }))}
    />
  );
}

function Searched({ searches }: Pick<Report, 'searches'>) {
  return (
    <Counts
      title="Searches without a hit"
      of="Search"
      names={['Times']}
      empty="Every search found a page in this period"
      rows={searches.map(({ query, times }) => ({ id: query, about: query, counts: [times] }))}
    />
  );
}

interface CountsProps {
  title: string;
  /** What a row is about. */
  of: string;
  names: readonly string[];
  rows: readonly { id: string; about: ReactNode; counts: readonly number[] }[];
  empty: string;
}

/** A table of counts. */
function Counts({ title, of, names, rows, empty }: CountsProps) {
  const id = useId();
  const pages = usePages(rows);
  return (
    <section className="section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="card">
        {rows.length === 0 ? (
          <Empty icon="questions" title={empty} />
        ) : (
          <Table columns={[of, ...names]} numbers={names.length}>
            {pages.shown.map(row => (
              <tr key={row.id}>
                <td className="whole">{row.about}</td>
                {row.counts.map((count, at) => (
                  <td key={names[at]} data-label={names[at]} className="end number">
                    {formatNumber(count)}
                  </td>
                ))}
              </tr>
            ))}
          </Table>
        )}
      </div>
      <Pager pages={pages} label={title} />
    </section>
  );
}
