import type { Webhook, WebhookDelivery } from '../../../../api/dashboard/contract/webhooks.ts';
import { useOrganization } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Badge, type Tone } from '../feedback/badge.tsx';
import { plural, RelativeTime } from '../text/format.tsx';
import { showFailure } from '../../data/toasts.ts';
import { Table } from '../controls/table.tsx';

const TONES: Record<WebhookDelivery['state'], Tone> = {
  pending: 'accent',
  delivered: 'good',
  failed: 'bad',
};

interface Props {
  webhook: Webhook;
  deliveries: readonly WebhookDelivery[];
}

/** What was and will be sent to a webhook, newest first. */
export function DeliveryTable({ webhook, deliveries }: Props) {
  return (
    <Table columns={['Event', 'State', 'Last answer', 'Happened']} actions>
      {deliveries.map(delivery => (
        <Row key={delivery.id} webhook={webhook} delivery={delivery} />
      ))}
    </Table>
  );
}

function Row({ webhook, delivery }: Pick<Props, 'webhook'> & { delivery: WebhookDelivery }) {
  const { id, type, state, attempts, answer, body, createdAt, dueAt } = delivery;
  return (
    <tr>
      <td className="whole">
        {type}
        <details className="small">
          <summary className="mono faint">{id}</summary>
          <code>{body}</code>
        </details>
      </td>
      <td data-label="State">
        <Badge tone={TONES[state]}>{state}</Badge>
        {attempts > 1 && <div className="small faint">{plural(attempts, 'attempt')}</div>}
      </td>
      <td data-label="Last answer">
        {answer}
        {dueAt !== null && answer !== null && (
          <div className="small faint">
            again <RelativeTime at={dueAt} />
          </div>
        )}
      </td>
      <td data-label="Happened">
        <RelativeTime at={createdAt} />
      </td>
      <td className="end">
        {webhook.state === 'active' && <SendAgain webhookId={webhook.id} event={id} />}
      </td>
    </tr>
  );
}

function SendAgain({ webhookId: id, event }: { webhookId: string; event: string }) {
  const { slug: organization } = useOrganization();
  const resend = useSend('POST /organizations/:organization/webhooks/:id/resend');
  return (
    <Button
      small
      busy={resend.isPending}
      aria-label={`Send again: ${event}`}
      onClick={() => {
        resend.mutateAsync({ params: { organization, id }, body: { event } }).catch(showFailure);
      }}
    >
      Send again
    </Button>
  );
}
