import type { HostKind } from '../../shared/host-kind.ts';
import type { HostWebhook, WebhookQuestions } from '../../hosts/webhook.ts';
import type { JobsDeps } from '../../jobs/deps.ts';

/** What the deliveries of one kind of host are carried out with. */
export interface DeliveryDeps extends JobsDeps {
  host: HostKind;
  webhook: Pick<HostWebhook, 'mention'>;
  /** Undefined if the host cannot be asked: there are no credentials. */
  questions: () => WebhookQuestions | undefined;
}
