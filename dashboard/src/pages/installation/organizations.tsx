import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrganizationList } from '../../../../api/dashboard/contract/organizations.ts';
import { Button } from '../../components/controls/button.tsx';
import { Loaded } from '../../components/feedback/loaded.tsx';
import { NewOrganizationDialog } from '../../components/organizations/new-organization-dialog.tsx';
import { formatNumber, RelativeTime } from '../../components/text/format.tsx';
import { Icon } from '../../components/text/icons.tsx';
import { read } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';
import { Table } from '../../components/controls/table.tsx';

/** The organizations of the installation. */
export function OrganizationsPage() {
  const organizations = useQuery(read('GET /organizations', {}));
  const [making, setMaking] = useState(false);
  return (
    <Page
      title="Organizations"
      lead="Each has its own people, projects and keys. Nobody sees another organization's."
      actions={
        <Button look="primary" onClick={() => setMaking(true)}>
          <Icon name="plus" size={16} />
          New organization
        </Button>
      }
    >
      <section className="card" aria-label="Organizations">
        <Loaded query={organizations}>{list => <Organizations list={list.organizations} />}</Loaded>
      </section>
      {making && <NewOrganizationDialog onClose={() => setMaking(false)} />}
    </Page>
  );
}

function Organizations({ list }: { list: OrganizationList['organizations'] }) {
  return (
    <Table columns={['Name', 'Members', 'Projects', 'Created']}>
      {list.map(each => (
        <tr key={each.id}>
          <td className="whole">
            <strong>{each.name}</strong> <span className="small faint">{each.slug}</span>
          </td>
          <td data-label="Members" className="number">
            {formatNumber(each.members)}
          </td>
          <td data-label="Projects" className="number">
            {formatNumber(each.projects)}
          </td>
          <td data-label="Created">
            <RelativeTime at={each.createdAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
