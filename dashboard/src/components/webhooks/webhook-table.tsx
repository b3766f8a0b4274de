import { Link } from '@tanstack/react-router';
import type { Webhook } from '../../../../api/dashboard/contract/webhooks.ts';
import { useOrganization } from '../../data/place.ts';
import { Badge } from '../feedback/badge.tsx';
import { RelativeTime } from '../text/format.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { Table } from '../controls/table.tsx';

interface Props {
  webhooks: readonly Webhook[];
  /** Gets a new secret. */
  onMade: (secret: string) => void;
}

/** The webhooks of an organization, and what can be done with each. */
export function WebhookTable({ webhooks, onMade }: Props) {
  return (
    <Table columns={['Webhook', 'Project', 'State']} actions>
      {webhooks.map(webhook => (
        <Row key={webhook.id} webhook={webhook} onMade={onMade} />
      ))}
    </Table>
  );
}

function Row({ webhook, onMade }: Pick<Props, 'onMade'> & { webhook: Webhook }) {
  const { slug: organization, projects } = useOrganization();
  const { id, url, events, projectId, note } = webhook;
  return (
    <tr>
      <td className="whole">
        <Link
          to="/$organization/-/webhooks"
          params={{ organization }}
          search={{ webhook: id }}
          className="mono"
        >
          {url}
        </Link>
        <div className="small faint">{events.join(', ')}</div>
        {note !== null && <div className="small">{note}</div>}
      </td>
      <td data-label="Project">
        {projectId === null ? 'all' : projects.find(each => each.id === projectId)?.name}
      </td>
      <td data-label="State">
        <State webhook={webhook} />
      </td>
      <td className="end">
        <WebhookActions webhook={webhook} onMade={onMade} />
      </td>
    </tr>
  );
}

function State({ webhook: { state, note, failingSince } }: { webhook: Webhook }) {
  if (state === 'disabled') return <Badge tone={note === null ? 'plain' : 'bad'}>disabled</Badge>;
  if (failingSince === null) return <Badge tone="good">active</Badge>;
  return (
    <Badge tone="warn">
      <span>
        failing since <RelativeTime at={failingSince} />
      </span>
    </Badge>
  );
}
