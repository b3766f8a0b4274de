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

function Asked({ questions }: Pick<Report, 'questions'>) {
  return (
    <List title="Asked most" rows={questions} empty="No questions in this period">
      {shown => (
        <Table
          columns={['Question', 'Asked', 'Period before', 'Answered', 'Helpful', 'Not helpful']}
          numbers={5}
        >
          {shown.map(({ id, title, asked, askedBefore, answered, helpful, notHelpful }) => (
            <tr key={id}>
              <td className="whole">{title}</td>
              <Numbers
                of={{ Asked: asked, 'Period before': askedBefore, Answered: answered }}
                votes={{ helpful, notHelpful }}
              />
            </tr>
          ))}
        </Table>
      )}
    </List>
  );
}

function Cited({ pages }: Pick<Report, 'pages'>) {
  return (
    <List title="Cited pages" rows={pages} empty="No answer cited a page in this period">
      {shown => (
        <Table columns={['Page', 'Answers', 'Helpful', 'Not helpful']} numbers={3}>
          {shown.map(({ url, title, answers, ...votes }) => (
            <tr key={url}>
              <td className="whole">
                <SourceLink url={url} title={title} />
              </td>
              <Numbers of={{ Answers: answers }} votes={votes} />
            </tr>
          ))}
        </Table>
      )}
    </List>
  );
}

function Searched({ searches }: Pick<Report, 'searches'>) {
  return (
    <List
      title="Searches without a hit"
      rows={searches}
      empty="Every search found a page in this period"
    >
      {shown => (
        <Table columns={['Search', 'Times']} numbers={1}>
          {shown.map(({ query, times }) => (
            <tr key={query}>
              <td className="whole">{query}</td>
              <Numbers of={{ Times: times }} />
            </tr>
          ))}
        </Table>
      )}
    </List>
  );
}

function List<T>({
  title,
  rows,
  empty,
  children,
}: {
  title: string;
  rows: readonly T[];
  empty: string;
  children: (shown: readonly T[]) => ReactNode;
}) {
  const id = useId();
  const pages = usePages(rows);
  return (
    <section className="section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="card">
        {rows.length === 0 ? <Empty icon="questions" title={empty} /> : children(pages.shown)}
      </div>
      <Pager pages={pages} label={title} />
    </section>
  );
}

function Numbers({
  of,
  votes,
}: {
  of: Record<string, number>;
  votes?: { helpful: number; notHelpful: number };
}) {
  const cells = {
    ...of,
    ...(votes && { Helpful: votes.helpful, 'Not helpful': votes.notHelpful }),
  };
  return Object.entries(cells).map(([name, n]) => (
    <td key={name} data-label={name} className="end number">
      {formatNumber(n)}
    </td>
  ));
}
