import * as schemas from '../../../../shared/webhooks/schemas.ts';
import * as webhooks from '../webhooks.ts';
import type { RouteEntry } from './route-entry.ts';

/** Routes of webhooks to others, for the table of routes. */
export const WEBHOOK_ROUTES = {
  'GET /organizations/:organization/webhooks': { who: 'owner', answer: webhooks.WebhookList },
  'POST /organizations/:organization/webhooks': {
    who: 'owner',
    body: schemas.NewEndpointSchema,
    answer: webhooks.WebhookMade,
    status: 201,
  },
  'PATCH /organizations/:organization/webhooks/:id': {
    who: 'owner',
    body: schemas.EndpointChangeSchema,
    answer: webhooks.Webhook,
  },
  'DELETE /organizations/:organization/webhooks/:id': { who: 'owner' },
  'POST /organizations/:organization/webhooks/:id/rotate': {
    who: 'owner',
    body: schemas.RotateSchema,
    answer: webhooks.WebhookMade,
  },
  'GET /organizations/:organization/webhooks/:id/deliveries': {
    who: 'owner',
    answer: webhooks.WebhookDeliveries,
  },
  'POST /organizations/:organization/webhooks/:id/test': { who: 'owner' },
  'POST /organizations/:organization/webhooks/:id/resend': {
    who: 'owner',
    body: schemas.ResendSchema,
  },
} satisfies Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`, RouteEntry>;
