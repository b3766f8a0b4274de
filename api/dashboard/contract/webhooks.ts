/** Webhooks of an organization: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import {
  DeliverySchema,
  EndpointSchema,
  type NewEndpoint,
} from '../../../shared/webhooks/schemas.ts';

export const Webhook = EndpointSchema;
export type Webhook = Static<typeof Webhook>;
export type NewWebhook = NewEndpoint;
export type WebhookDelivery = Static<typeof DeliverySchema>;
export const WebhookList = Type.Object({ webhooks: Type.Array(Webhook) });
/** `secret` is shown once. */
export const WebhookMade = Type.Object({ webhook: Webhook, secret: Type.String() });
export type WebhookMade = Static<typeof WebhookMade>;
export const WebhookDeliveries = Type.Object({ deliveries: Type.Array(DeliverySchema) });
