import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { worded } from '../text/worded.ts';
import { WEBHOOK_EVENTS } from './events.ts';

/** Webhook endpoints as the API and the dashboard show them. */

const Time = Type.String({ format: 'date-time' });
const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const ENDPOINT = {
  id: 'whe_01k9y6w0c4x2v8n5s7q1m3d6ht',
  projectId: null,
  url: 'https://hooks.example.com/docent',
  events: ['job.completed', 'pull_request.opened'],
  state: 'active',
  note: null,
  failingSince: null,
  oldSecretUntil: null,
  createdAt: '2026-11-23T07:00:04.310Z',
} as const;
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDtvTUYxYlwvM=';
const DELIVERY = {
  id: 'evt_job_01kaj5zq3v8w1m4r7t2x9c6bne_17',
  type: 'job.completed',
  state: 'delivered',
  attempts: 1,
  answer: '204',
  body: '{"type":"job.completed","timestamp":"2026-11-23T09:14:31.020Z","data":{"id":"job_01kaj5zq3v8w1m4r7t2x9c6bne"}}',
  createdAt: '2026-11-23T09:14:31.020Z',
  attemptedAt: '2026-11-23T09:14:32.410Z',
  dueAt: null,
} as const;

const Event = Type.Union(
  WEBHOOK_EVENTS.map(event => Type.Literal(event)),
  { title: 'WebhookEvent', description: 'A type of event.' },
);
const Events = Type.Array(Event, {
  minItems: 1,
  maxItems: WEBHOOK_EVENTS.length,
  uniqueItems: true,
  description: 'The types of events that are sent.',
});
const EndpointState = Type.Union([Type.Literal('active'), Type.Literal('disabled')], {
  title: 'WebhookState',
  description: 'Nothing is sent to a disabled one.',
});
const DeliveryState = Type.Union(
  [Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('failed')],
  { title: 'WebhookDeliveryState', description: 'failed: it is not tried again by itself.' },
);

export const EndpointSchema = Type.Object(
  {
    id: Type.String({ description: 'Unique identifier of the endpoint.' }),
    projectId: nullable(Type.String(), 'The project whose events it gets; null: of all.'),
    url: Type.String({ description: 'Where events are sent.' }),
    events: Events,
    state: EndpointState,
    note: nullable(Type.String(), 'Why it was disabled, if no person did it.'),
    failingSince: nullable(Time, 'Since when every attempt fails.'),
    oldSecretUntil: nullable(Time, 'Until then the previous secrets sign as well.'),
    createdAt: Type.String({ format: 'date-time', description: 'When it was added.' }),
  },
  { description: 'An address that events are sent to.', examples: [ENDPOINT] },
);
export type EndpointBody = Static<typeof EndpointSchema>;

export const DeliverySchema = Type.Object(
  {
    id: Type.String({ description: 'The header webhook-id: the same in each attempt.' }),
    type: Type.String({ description: 'The type of the event; webhook.test for a test.' }),
    state: DeliveryState,
    attempts: Type.Integer({ description: 'How often it was sent.' }),
    answer: nullable(Type.String(), 'To the newest attempt: a status, or why there was none.'),
    body: Type.String({ description: 'What is sent.' }),
    createdAt: Type.String({ format: 'date-time', description: 'When it happened.' }),
    attemptedAt: nullable(Time, 'When it was last sent.'),
    dueAt: nullable(Time, 'When it is sent next.'),
  },
  { description: 'An event for an endpoint.', examples: [DELIVERY] },
);
export type DeliveryBody = Static<typeof DeliverySchema>;

export const NewEndpointSchema = Type.Object(
  {
    url: worded('^https?://[^/\\s\\\\]+[^\\s\\\\]*$', ': an address without spaces', {
      maxLength: 2_000,
      description: 'https, or http to a private network that the operator allows.',
    }),
    events: Events,
    projectId: Type.Optional(
      Type.String({ maxLength: 100, description: 'Events of this project only.' }),
    ),
  },
  {
    title: 'NewWebhook',
    description: 'Where to send which events.',
    examples: [{ url: ENDPOINT.url, events: [...ENDPOINT.events] }],
  },
);
export type NewEndpoint = Static<typeof NewEndpointSchema>;

export const EndpointChangeSchema = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean({ description: 'false: nothing is sent.' })),
    events: Type.Optional(Events),
  },
  { title: 'ChangeWebhook', description: 'What to change.', examples: [{ enabled: false }] },
);
export type EndpointChange = Static<typeof EndpointChangeSchema>;

export const RotateSchema = Type.Object(
  {
    graceHours: Type.Integer({
      minimum: 0,
      maximum: 720,
      default: 24,
      description: 'So long the previous secrets sign as well.',
    }),
  },
  {
    title: 'RotateWebhook',
    description: 'How long both secrets are valid.',
    examples: [{ graceHours: 24 }],
  },
);
export const ResendSchema = Type.Object(
  {
    event: Type.Optional(
      Type.String({ maxLength: 200, description: 'Its webhook-id; without it, all that failed.' }),
    ),
  },
  { title: 'ResendWebhook', description: 'What to send again.', examples: [{}] },
);
export const Secret = Type.String({
  description: 'What signs the deliveries. It is shown once.',
  examples: [SECRET],
});
