import { Type } from '@sinclair/typebox';
import {
  type DeliveryBody,
  DeliverySchema,
  type EndpointBody,
  EndpointSchema,
  Secret,
} from '../../shared/webhooks/schemas.ts';

/** By name, so that the OpenAPI document contains each once. */
export const EndpointRef = Type.Unsafe<EndpointBody>({ $ref: 'Webhook#' });
const DeliveryRef = Type.Unsafe<DeliveryBody>({ $ref: 'WebhookDelivery#' });
export const NAMED = [
  { ...EndpointSchema, $id: 'Webhook' },
  { ...DeliverySchema, $id: 'WebhookDelivery' },
];

export const Params = Type.Object({
  webhookId: Type.String({
    description: 'Unique identifier of the webhook.',
    examples: [EndpointSchema.examples[0].id],
  }),
});
export const DeliveriesQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 100, default: 20, examples: [50] },
      description: 'Deliveries of a page.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The id of the last delivery of the previous page.',
      examples: [DeliverySchema.examples[0].id],
    }),
  ),
});

export const EndpointList = Type.Object(
  { webhooks: Type.Array(EndpointRef, { description: 'Oldest first.' }) },
  {
    title: 'WebhookList',
    description: 'The webhooks of the organization.',
    examples: [{ webhooks: EndpointSchema.examples }],
  },
);
export const EndpointMade = Type.Object(
  { webhook: EndpointRef, secret: Secret },
  {
    title: 'WebhookMade',
    description: 'A webhook and its new secret.',
    examples: [{ webhook: EndpointSchema.examples[0], secret: Secret.examples?.[0] }],
  },
);
export const DeliveryList = Type.Object(
  { deliveries: Type.Array(DeliveryRef, { description: 'Newest first.' }) },
  {
    title: 'WebhookDeliveryList',
    description: 'A page of deliveries.',
    examples: [{ deliveries: DeliverySchema.examples }],
  },
);
export const Tested = Type.Object(
  { id: Type.String({ description: 'The delivery: its webhook-id.' }) },
  {
    title: 'WebhookTested',
    description: 'What is sent.',
    examples: [{ id: 'evt_01kaj5zq3v8w1m4r7t2x9c6bne' }],
  },
);
export const Resent = Type.Object(
  { deliveries: Type.Integer({ description: 'How many are sent again.' }) },
  {
    title: 'WebhookResent',
    description: 'What is sent again.',
    examples: [{ deliveries: 3 }],
  },
);
