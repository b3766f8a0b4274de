import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AuditAction } from '../../../../db/audit/audit-actions.ts';
import { ACTION_NAMES } from '../../components/audit/action-names.ts';
import { AuditTable } from '../../components/audit/audit-table.tsx';
import { Empty, Loaded, More } from '../../components/feedback/loaded.tsx';
import { useOrganization } from '../../data/place.ts';
import { auditQuery } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';

const route = getRouteApi('/app/$organization/-/audit');

/** Who did what in an organization. */
export function AuditPage() {
  const organization = useOrganization();
  const { action } = route.useSearch();
  const navigate = route.useNavigate();
  const audit = useInfiniteQuery(auditQuery(organization.slug, action));
  return (
    <Page
      title="Audit log"
      lead={`Who did what in ${organization.name}. Entries cannot be changed.`}
    >
      <div className="filters">
        <select
          className="input"
          aria-label="Action"
          value={action ?? ''}
          onChange={event => {
            const chosen = (event.target.value || undefined) as AuditAction | undefined;
            void navigate({ search: chosen ? { action: chosen } : {} });
          }}
        >
          <option value="">Any action</option>
          {Object.entries(ACTION_NAMES).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <section className="card" aria-label="Audit log">
        <Loaded query={audit} lines={8}>
          {({ pages }) => {
            const entries = pages.flatMap(page => page.entries);
            if (entries.length === 0) return <Empty icon="check" title="No entries" />;
            return <AuditTable entries={entries} />;
          }}
        </Loaded>
      </section>
      <More query={audit}>Show older entries</More>
    </Page>
  );
}
