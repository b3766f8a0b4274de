import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook } from '../../../../api/dashboard/contract/webhooks.ts';
import { Button } from '../../components/controls/button.tsx';
import { Empty, Loaded } from '../../components/feedback/loaded.tsx';
import { Icon } from '../../components/text/icons.tsx';
import { AddWebhook } from '../../components/webhooks/add-webhook.tsx';
import { DeliveryTable } from '../../components/webhooks/delivery-table.tsx';
import { NewSecret } from '../../components/webhooks/new-secret.tsx';
import { WebhookTable } from '../../components/webhooks/webhook-table.tsx';
import { useOrganization } from '../../data/place.ts';
import { deliveriesQuery, webhooksQuery } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';

const route = getRouteApi('/app/$organization/-/webhooks');

/** Where an organization's events are sent. */
export function WebhooksPage() {
  const organization = useOrganization();
  const { webhook: shown } = route.useSearch();
  const webhooks = useQuery(webhooksQuery(organization.slug));
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const chosen = webhooks.data?.webhooks.find(({ id }) => id === shown);
  return (
    <Page
      title="Webhooks"
      lead="Signed requests to your servers when something happens here."
      actions={
        <Button look="primary" onClick={() => setAdding(true)}>
          <Icon name="plus" size={16} />
          Add webhook
        </Button>
      }
    >
      <section className="card" aria-label="Webhooks">
        <Loaded query={webhooks}>
          {({ webhooks: list }) =>
            list.length > 0 ? (
              <WebhookTable webhooks={list} onMade={setSecret} />
            ) : (
              <Empty
                icon="link"
                title="No webhooks yet"
                command="npx docent webhook add https://hooks.example.com --event job.completed"
              >
                Add one here or on the command line:
              </Empty>
            )
          }
        </Loaded>
      </section>
      {chosen && <Deliveries webhook={chosen} />}
      {adding && <AddWebhook onMade={setSecret} onClose={() => setAdding(false)} />}
      {secret !== undefined && <NewSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  );
}

function Deliveries({ webhook }: { webhook: Webhook }) {
  const { slug } = useOrganization();
  const deliveries = useQuery(deliveriesQuery(slug, webhook.id));
  return (
    <section className="stack-tight" aria-label="Deliveries">
      <h2>Deliveries</h2>
      <p className="mono small soft">{webhook.url}</p>
      <div className="card">
        <Loaded query={deliveries}>
          {({ deliveries: list }) =>
            list.length > 0 ? (
              <DeliveryTable webhook={webhook} deliveries={list} />
            ) : (
              <Empty icon="link" title="Nothing was sent yet" />
            )
          }
        </Loaded>
      </div>
    </section>
  );
}
