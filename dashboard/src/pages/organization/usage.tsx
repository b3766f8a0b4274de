import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Usage } from '../../../../shared/dashboard/usage.ts';
import { BarChart } from '../../components/charts/bar-chart.tsx';
import {
  formatCompact,
  formatCost,
  formatNumber,
  formatTime,
} from '../../components/text/format.tsx';
import { Meter } from '../../components/charts/meter.tsx';
import { Page } from '../../layout/page.tsx';
import { Segments } from '../../components/controls/segments.tsx';
import { Empty, Loaded } from '../../components/feedback/loaded.tsx';
import { UsageByKey } from '../../components/usage/usage-by-key.tsx';
import { useOrganization } from '../../data/place.ts';
import { usageQuery } from '../../data/queries.ts';

const route = getRouteApi('/app/$organization/-/usage');

export function UsagePage() {
  const organization = useOrganization();
  const { days = 30 } = route.useSearch();
  const navigate = route.useNavigate();
  const usage = useQuery(usageQuery(organization.slug, days));
  const choose = (value: '7' | '30' | '90') => {
    void navigate({ search: value === '30' ? {} : { days: Number(value) as 7 | 90 } });
  };
  return (
    <Page
      title="Usage"
      lead={`All projects of ${organization.name}. Days and months begin at midnight UTC.`}
      actions={
        <Segments
          label="Period"
          value={String(days) as '7' | '30' | '90'}
          onChange={choose}
          options={[
            ['7', '7 days'],
            ['30', '30 days'],
            ['90', '90 days'],
          ]}
        />
      }
    >
      <Loaded query={usage} lines={8}>
        {data => <Everything usage={data} />}
      </Loaded>
    </Page>
  );
}

function Everything({ usage }: { usage: Usage }) {
  return (
    <>
      <Limits limits={usage.limits} />
      <Charts days={usage.days} />
      <section className="card" aria-labelledby="by-key">
        <div className="card-head">
          <h2 id="by-key">By key and day</h2>
        </div>
        <UsageByKey rows={usage.byKey} />
      </section>
    </>
  );
}

function Limits({ limits }: { limits: Usage['limits'] }) {
  const { organization, address, agentCost, keys } = limits;
  return (
    <section className="section" aria-labelledby="limits">
      <h2 id="limits">Limits</h2>
      <div className="grid-3">
        <Limit name="Organization, this hour" {...organization} />
        <Limit name={`Your address (${address.address}), today`} {...address} />
        <div className="card card-pad section">
          <h3>Agent cost, this month</h3>
          <div className="figure">
            <span className="value">{formatCost(agentCost.usedUsd)}</span>
            <span className="name">
              {agentCost.limitUsd === null
                ? 'no limit is set'
                : `of ${formatCost(agentCost.limitUsd)}`}
            </span>
          </div>
          {agentCost.limitUsd !== null && (
            <Meter
              used={agentCost.usedUsd}
              limit={agentCost.limitUsd}
              label="Agent cost this month"
            />
          )}
        </div>
      </div>
      <div className="card">
        {keys.length === 0 ? (
          <Empty icon="keys" title="No assistant key">
            Each has a limit of uses a month; make one on the API keys page.
          </Empty>
        ) : (
          <ul className="list">
            {keys.map(key => (
              <li key={key.id} className="card-pad limit-row">
                <div>
                  <strong>{key.name}</strong>{' '}
                  <span className="small faint">
                    {key.domain} · <span className="mono">{key.start}</span>
                  </span>
                </div>
                <Left {...key} />
                <Meter used={key.used} limit={key.limit} label={`Uses of ${key.name} this month`} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function Limit({
  name,
  used,
  limit,
  resetsAt,
}: {
  name: string;
  used: number;
  limit: number;
  resetsAt: string;
}) {
  return (
    <div className="card card-pad section">
      <h3>{name}</h3>
      <div className="figure">
        <span className="value">{formatNumber(Math.max(0, limit - used))}</span>
        <span className="name">left of {formatNumber(limit)} requests</span>
      </div>
      <Meter used={used} limit={limit} label={name} />
      <span className="small faint">resets {formatTime(resetsAt)}</span>
    </div>
  );
}

function Left({ used, limit, resetsAt }: { used: number; limit: number; resetsAt: string }) {
  return (
    <span className="small soft number" title={`resets ${formatTime(resetsAt)}`}>
      {formatNumber(Math.max(0, limit - used))} left of {formatNumber(limit)}
    </span>
  );
}

function Charts({ days }: { days: Usage['days'] }) {
  const bars = (values: (day: Usage['days'][number]) => readonly [number, number?]) =>
    days.map(day => ({ label: shortDay(day.day), values: values(day) }));
  return (
    <section className="section" aria-labelledby="over-time">
      <h2 id="over-time">Over time</h2>
      <div className="grid-2">
        <BarChart
          title="Jobs"
          warn
          legend={['Completed or at work', 'Failed']}
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
    </section>
  );
}

const short = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

export function shortDay(day: string): string {
  return short.format(new Date(`${day}T00:00:00Z`));
}
