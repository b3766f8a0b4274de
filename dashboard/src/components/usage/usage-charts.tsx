import type { Usage } from '../../../../api/dashboard/contract/usage.ts';
import { BarChart } from '../charts/bar-chart.tsx';
import type { Bar } from '../charts/bar-plot.tsx';
import { notCounted } from '../text/cost-figure.tsx';
import { formatCompact, formatCost, shortDay } from '../text/format.tsx';

export function UsageCharts({ days }: { days: Usage['days'] }) {
  const total = (name: 'callsOfUnknownCost' | 'callsWithoutPrice') =>
    days.reduce((sum, day) => sum + day[name], 0);
  const missing = notCounted({
    callsOfUnknownCost: total('callsOfUnknownCost'),
    callsWithoutPrice: total('callsWithoutPrice'),
  });
  const bars = (values: (day: Usage['days'][number]) => Bar['values']) =>
    days.map(day => ({ label: shortDay(day.day), values: values(day) }));
  return (
    <section className="section" aria-labelledby="over-time">
      <h2 id="over-time">Over time</h2>
      <div className="charts">
        <BarChart
          title="Jobs"
          warn
          legend={['Completed or running', 'Failed']}
          format={formatCompact}
          bars={bars(day => [day.jobs - day.failedJobs, day.failedJobs])}
        />
        <BarChart
          title="Questions"
          warn
          legend={['Answered', 'Unanswered']}
          format={formatCompact}
          bars={bars(day => [day.questions - day.unanswered, day.unanswered])}
        />
        <BarChart
          title="Tokens"
          legend={['Agent', 'Assistant']}
          format={formatCompact}
          bars={bars(day => [day.agentTokens, day.assistantTokens])}
        />
        <BarChart
          title="Cost"
          legend={['Agent', 'Assistant']}
          format={formatCost}
          bars={bars(day => [day.agentCostUsd, day.assistantCostUsd])}
        />
      </div>
      {missing && <p className="muted">{missing}</p>}
    </section>
  );
}
