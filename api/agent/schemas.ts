import { type Static, Type } from '@sinclair/typebox';

export const MAX_PROMPT = 100_000;

const Status = Type.Union([Type.Literal('active'), Type.Literal('completed'), Type.Literal('failed')]);
const nullable = <T extends ReturnType<typeof Type.String>>(schema: T) => Type.Union([schema, Type.Null()]);
const Time = Type.String({ format: 'date-time' });

export const JobSchema = Type.Object({
  id: Type.String({ description: 'Unique identifier of the agent job; also its Temporal workflow id.' }),
  status: Status,
  source: Type.Object({
    repository: Type.String({ description: 'The repository’s full URL.' }),
    ref: Type.Union([Type.String(), Type.Null()], { description: 'The branch the agent works on; null until it is pushed.' }),
  }),
  model: Type.String({ description: 'The model that answered; before that, the configured one.' }),
  prLink: Type.Union([Type.String(), Type.Null()], { description: 'The newest pull request; null while the job is active, and where nothing was changed.' }),
  createdAt: Time,
  archivedAt: nullable(Time),
}, { $id: 'AgentJob' });
export type JobBody = Static<typeof JobSchema>;
/** The schema by name, so that the OpenAPI document holds it once. */
export const JobRef = Type.Unsafe<JobBody>({ $ref: 'AgentJob#' });

export const ProjectParams = Type.Object({
  projectId: Type.String({ description: 'Project identifier, from the API keys page of the dashboard.' }),
});
export const JobParams = Type.Object({
  projectId: ProjectParams.properties.projectId,
  id: Type.String({ description: 'Unique identifier of the agent job.' }),
});

const Prompt = Type.String({ minLength: 1, maxLength: MAX_PROMPT });

export const CreateJobBody = Type.Object({
  prompt: Type.String({ ...Prompt, description: 'The instruction for the agent.' }),
  branch: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Branch to work on; generated from the prompt where it is left out.' })),
  asDraft: Type.Optional(Type.Boolean({ default: false, description: 'Open the pull request as a draft.' })),
  model: Type.Optional(Type.Union([Type.Literal('sonnet'), Type.Literal('opus')], { description: 'sonnet is faster and cheaper, opus more capable.' })),
});
export const MessageBody = Type.Object({
  prompt: Type.String({ ...Prompt, description: 'The follow-up instruction.' }),
});

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ description: 'Makes the call safe to repeat: the same key and body have the same effect once, for a day at least.' })),
});
export const WaitHeaders = Type.Object({
  'if-none-match': Type.Optional(Type.String({ description: 'An ETag: 304 while the job is still the same.' })),
  prefer: Type.Optional(Type.String({ description: '`wait=N` (seconds, at most 60): answer once the job has changed from If-None-Match, or is no longer active.' })),
});

export const EventsHeaders = Type.Object({
  'last-event-id': Type.Optional(Type.Integer({ minimum: 0, description: 'Number of the last event that was read; the stream goes on after it.' })),
});

export const EventsQuery = Type.Object({
  deltas: Type.Optional(Type.Boolean({ default: false, description: 'Also send what a running model call says, as events named text_delta: without id, and void once the whole text comes or the call is made again.' })),
});

export const ListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'nextCursor of the page before.' })),
  status: Type.Optional(Status),
});
export const JobList = Type.Object({ jobs: Type.Array(JobRef), nextCursor: Type.Union([Type.String(), Type.Null()]) });

export const TodoSchema = Type.Object({
  content: Type.String(),
  status: Type.Union([Type.Literal('pending'), Type.Literal('in_progress'), Type.Literal('completed'), Type.Literal('cancelled')]),
  priority: Type.Union([Type.Literal('high'), Type.Literal('medium'), Type.Literal('low')]),
  id: Type.String(),
});

const Finding = Type.Object({
  path: Type.String(), line: Type.Union([Type.Integer(), Type.Null()]), rule: Type.String(), message: Type.String(),
});
const InstructionItem = Type.Object({
  type: Type.Literal('instruction'),
  id: Type.String(),
  role: Type.Union([Type.Literal('user'), Type.Literal('assistant'), Type.Literal('system')]),
  text: Type.String(),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('taken'), Type.Literal('dropped')]),
  turn: Type.Union([Type.Integer(), Type.Null()]),
  createdAt: Time,
});
const TextItem = Type.Object({
  type: Type.Literal('text'), id: Type.String(), text: Type.String(), turn: Type.Integer(), step: Type.Integer(), createdAt: Time,
}, { description: 'What the agent said.' });
const OutcomeItem = Type.Object({
  type: Type.Literal('outcome'), turn: Type.Integer(), status: Status,
  text: Type.String({ description: 'How the turn ended, for people: what was done, or why it failed.' }),
  prLink: Type.Union([Type.String(), Type.Null()]),
  findings: Type.Array(Finding, { description: 'What the checks found last in this turn.' }),
  createdAt: Time,
});
export const ConversationSchema = Type.Object({
  messages: Type.Array(Type.Union([InstructionItem, TextItem, OutcomeItem])),
  todos: Type.Array(TodoSchema),
  usage: Type.Object({
    inputTokens: Type.Integer(), outputTokens: Type.Integer(), cacheReadTokens: Type.Integer(), cacheWriteTokens: Type.Integer(),
    costUsd: Type.Number(),
  }),
});
export type Conversation = Static<typeof ConversationSchema>;
