import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Segments } from '../../components/controls/segments.tsx';
import { Loaded } from '../../components/feedback/loaded.tsx';
import { AnswerCost } from '../../components/usage/answer-cost.tsx';
import { UsageByKey } from '../../components/usage/usage-by-key.tsx';
import { UsageCharts } from '../../components/usage/usage-charts.tsx';
import { UsageLimits } from '../../components/usage/usage-limits.tsx';
import { UsageTotals } from '../../components/usage/usage-totals.tsx';
import { useOrganization } from '../../data/place.ts';
import { usageQuery } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';

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
        {data => (
          <>
            <UsageCharts days={data.days} />
            <AnswerCost usage={data} days={days} />
            <UsageTotals totals={data.totals} days={days} />
            <UsageByKey rows={data.byKey} />
            <UsageLimits limits={data.limits} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
