import { type Static, Type } from '@sinclair/typebox';
import { CostSchema } from '../models/cost.ts';
import { FAILURE_CODES } from './failures.ts';
import { RESULTS } from './result.ts';
import { WaitingSchema } from './waiting-schemas.ts';
import { AttachedUpload } from './uploads.ts';

/** The conversation of a job, as the API and the dashboard show it. */
const Time = Type.String({ format: 'date-time', description: 'When it was stored, in UTC.' });
const Turn = Type.Integer({ description: 'The turn that it belongs to; the first is 1.' });

export const StatusSchema = Type.Union(
  [Type.Literal('active'), Type.Literal('completed'), Type.Literal('failed')],
  {
    title: 'JobStatus',
    description:
      'active: the agent works; completed: it finished, and prLink says where; failed: it could not.',
  },
);

export const TodoSchema = Type.Object(
  {
    content: Type.String({ description: 'What is to be done.' }),
    status: Type.Union(
      [
        Type.Literal('pending'),
        Type.Literal('in_progress'),
        Type.Literal('completed'),
        Type.Literal('cancelled'),
      ],
      { title: 'TodoStatus', description: 'How far it is.' },
    ),
    priority: Type.Union([Type.Literal('high'), Type.Literal('medium'), Type.Literal('low')], {
      title: 'TodoPriority',
      description: 'How much it matters.',
    }),
    id: Type.String({ description: 'Its identifier in this job.' }),
  },
  {
    title: 'Todo',
    description: 'An item of the agent’s todo list.',
    examples: [
      { content: 'Add the page to the navigation', status: 'pending', priority: 'high', id: '2' },
    ],
  },
);

export const FindingSchema = Type.Object(
  {
    path: Type.String({ description: 'The file, from the root of the repository.' }),
    line: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Its line there; null: the whole file.',
    }),
    rule: Type.String({ description: 'The check that found it.' }),
    message: Type.String({ description: 'What is wrong, for people.' }),
  },
  {
    title: 'Finding',
    description: 'What a check found in the docs.',
    examples: [
      {
        path: 'docs/install.md',
        line: 12,
        rule: 'link',
        message: 'The link /quick-start leads nowhere.',
      },
    ],
  },
);

export const RoleSchema = Type.Union(
  [Type.Literal('user'), Type.Literal('assistant'), Type.Literal('system')],
  { title: 'Role', description: 'Who speaks.' },
);

const InstructionItem = Type.Object(
  {
    type: Type.Literal('instruction', { description: 'An instruction.' }),
    id: Type.String({ description: 'Identifier of the instruction.' }),
    role: RoleSchema,
    text: Type.String({ description: 'The instruction.' }),
    state: Type.Union([Type.Literal('waiting'), Type.Literal('taken'), Type.Literal('dropped')], {
      title: 'InstructionState',
      description:
        'waiting: no model call has read it yet; taken: one has; dropped: the agent does not act on it.',
    }),
    turn: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The turn that read it; null while none has.',
    }),
    uploads: Type.Optional(Type.Array(AttachedUpload, { description: 'Attached images, if any.' })),
    createdAt: Time,
  },
  { title: 'InstructionItem', description: 'What a person or a script asked for.' },
);
const TextItem = Type.Object(
  {
    type: Type.Literal('text', { description: 'A text of the agent.' }),
    id: Type.String({ description: 'Identifier of the text.' }),
    text: Type.String({ description: 'What the agent said.' }),
    turn: Turn,
    step: Type.Integer({ description: 'The model call of the turn; the first is 1.' }),
    createdAt: Time,
  },
  { title: 'TextItem', description: 'What the agent said.' },
);
const OutcomeItem = Type.Object(
  {
    type: Type.Literal('outcome', { description: 'The end of a turn.' }),
    turn: Turn,
    status: StatusSchema,
    text: Type.String({
      description: 'How the turn ended, for people: what was done, or why it failed.',
    }),
    prLink: Type.Union([Type.String(), Type.Null()], {
      description: 'The pull request; null if there is none.',
    }),
    findings: Type.Array(FindingSchema, {
      description: 'What the checks found last in this turn.',
    }),
    createdAt: Time,
  },
  { title: 'OutcomeItem', description: 'How a turn ended.' },
);

/** Before the first model call. */
const UNUSED = {
  costUsd: 0,
  callsOfUnknownCost: 0,
  callsWithoutPrice: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cachedShare: null,
};
export const FailureCodeSchema = Type.Union(
  FAILURE_CODES.map(each => Type.Literal(each)),
  { title: 'FailureCode', description: 'Why a turn failed, for programs.' },
);
export const ResultSchema = Type.Union(
  RESULTS.map(each => Type.Literal(each)),
  {
    title: 'JobResult',
    description:
      'published: in a pull request; unchanged: nothing was to be done; answered: the agent only ' +
      'said or asked something; declined: the policy refused its edits; failed; cancelled.',
  },
);
const OutcomeSchema = Type.Object(
  {
    result: ResultSchema,
    sentence: Type.String({ description: 'How it ended, for people.' }),
    code: Type.Optional(FailureCodeSchema),
  },
  {
    title: 'JobOutcome',
    description: 'What came of the job.',
    examples: [{ result: 'published', sentence: 'I added a page about webhooks.' }],
  },
);

export const ConversationSchema = Type.Object(
  {
    outcome: Type.Union([OutcomeSchema, Type.Null()], {
      description: 'What came of the job; null while it is active.',
    }),
    waiting: Type.Union([WaitingSchema, Type.Null()], {
      description: 'What the job waits for from a person; null if nothing.',
    }),
    messages: Type.Array(
      Type.Union([InstructionItem, TextItem, OutcomeItem], {
        title: 'ConversationItem',
        description: 'An instruction, a text of the agent, or the end of a turn.',
        discriminator: 'type',
      }),
      { description: 'The conversation, in order.' },
    ),
    todos: Type.Array(TodoSchema, { description: 'The agent’s todo list.' }),
    usage: Type.Object(
      {
        ...CostSchema.properties,
        inputTokens: Type.Integer({ description: 'Input tokens, without those of the cache.' }),
        outputTokens: Type.Integer({ description: 'Output tokens.' }),
        cacheReadTokens: Type.Integer({
          description: 'Input tokens that were read from the cache.',
        }),
        cacheWriteTokens: Type.Integer({
          description: 'Input tokens that were written to the cache.',
        }),
        cachedShare: Type.Union([Type.Number(), Type.Null()], {
          description:
            'Share of the input tokens that was read from the cache, 0 to 1; ' +
            'null if the endpoint does not report it, or before the first call.',
        }),
      },
      { title: 'Usage', description: 'Tokens and cost of the job’s model calls.' },
    ),
  },
  {
    title: 'Conversation',
    description: 'All that was said in a job, its todos and its usage.',
    examples: [{ outcome: null, waiting: null, messages: [], todos: [], usage: UNUSED }],
  },
);
export type Conversation = Static<typeof ConversationSchema>;
