import { type Static, Type } from '@sinclair/typebox';
import { CostSchema } from '../models/cost.ts';
import { AttachedUpload } from './uploads.ts';

/** The conversation of a job, as the API and the dashboard show it. */
const Time = Type.String({ format: 'date-time' });

export const StatusSchema = Type.Union([
  Type.Literal('active'),
  Type.Literal('completed'),
  Type.Literal('failed'),
]);

export const TodoSchema = Type.Object({
  content: Type.String(),
  status: Type.Union([
    Type.Literal('pending'),
    Type.Literal('in_progress'),
    Type.Literal('completed'),
    Type.Literal('cancelled'),
  ]),
  priority: Type.Union([Type.Literal('high'), Type.Literal('medium'), Type.Literal('low')]),
  id: Type.String(),
});

export const FindingSchema = Type.Object({
  path: Type.String(),
  line: Type.Union([Type.Integer(), Type.Null()]),
  rule: Type.String(),
  message: Type.String(),
});

const InstructionItem = Type.Object({
  type: Type.Literal('instruction'),
  id: Type.String(),
  role: Type.Union([Type.Literal('user'), Type.Literal('assistant'), Type.Literal('system')]),
  text: Type.String(),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('taken'), Type.Literal('dropped')]),
  turn: Type.Union([Type.Integer(), Type.Null()]),
  uploads: Type.Optional(Type.Array(AttachedUpload, { description: 'Attached images, if any.' })),
  createdAt: Time,
});
const TextItem = Type.Object(
  {
    type: Type.Literal('text'),
    id: Type.String(),
    text: Type.String(),
    turn: Type.Integer(),
    step: Type.Integer(),
    createdAt: Time,
  },
  { description: 'What the agent said.' },
);
const OutcomeItem = Type.Object({
  type: Type.Literal('outcome'),
  turn: Type.Integer(),
  status: StatusSchema,
  text: Type.String({
    description: 'How the turn ended, for people: what was done, or why it failed.',
  }),
  prLink: Type.Union([Type.String(), Type.Null()]),
  findings: Type.Array(FindingSchema, { description: 'What the checks found last in this turn.' }),
  createdAt: Time,
});

export const ConversationSchema = Type.Object({
  messages: Type.Array(Type.Union([InstructionItem, TextItem, OutcomeItem])),
  todos: Type.Array(TodoSchema),
  usage: Type.Object({
    ...CostSchema.properties,
    inputTokens: Type.Integer(),
    outputTokens: Type.Integer(),
    cacheReadTokens: Type.Integer(),
    cacheWriteTokens: Type.Integer(),
    cachedShare: Type.Union([Type.Number(), Type.Null()], {
      description:
        'Share of the input tokens that was read from the cache, 0 to 1; ' +
        'null if the endpoint does not report it, or before the first call.',
    }),
  }),
});
export type Conversation = Static<typeof ConversationSchema>;
