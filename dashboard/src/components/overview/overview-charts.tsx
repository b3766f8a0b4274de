import type { Overview } from '../../../../api/dashboard/contract/overview.ts';
import { BarChart } from '../charts/bar-chart.tsx';
import { formatCompact, formatCost, shortDay } from '../text/format.tsx';

/** What came of the project, by day. */
export function OverviewCharts({ days }: { days: Overview['days'] }) {
  const label = ({ day }: { day: string }) => shortDay(day);
  const questions = days.reduce((sum, each) => sum + each.questions, 0);
  const answered = days.reduce((sum, each) => sum + each.answered, 0);
  return (
    <section className="section" aria-labelledby="over-time">
      <h2 id="over-time">The last 30 days</h2>
      <div className="charts">
        <BarChart
          title="Pull requests merged"
          legend={['Merged']}
          format={formatCompact}
          bars={days.map(day => ({ label: label(day), values: [day.merged] }))}
        />
        <BarChart
          title="Time to pull request"
          legend={['Median']}
          format={minutes}
          summary="median by day"
          bars={days.map(day => ({ label: label(day), values: [day.minutesToPullRequest ?? 0] }))}
        />
        <BarChart
          title="Questions answered"
          warn
          legend={['Answered', 'Unanswered']}
          format={formatCompact}
          summary={
            questions > 0
              ? `${Math.round((100 * answered) / questions)}% of ${formatCompact(questions)}`
              : undefined
          }
          bars={days.map(day => ({
            label: label(day),
            values: [day.answered, day.questions - day.answered],
          }))}
        />
        <BarChart
          title="Cost"
          legend={['Agent and assistant']}
          format={formatCost}
          bars={days.map(day => ({ label: label(day), values: [day.costUsd] }))}
        />
      </div>
    </section>
  );
}

function minutes(n: number): string {
  if (n === 0) return '0';
  return n < 1 ? `${Math.round(n * 60)} s` : `${formatCompact(Math.round(n * 10) / 10)} min`;
}
