import { type Static, type TProperties, Type } from '@sinclair/typebox';
import {
  FailureCodeSchema,
  FindingSchema,
  ResultSchema,
  StatusSchema,
  TodoSchema,
} from '../../shared/jobs/conversation.ts';
import { PlanSchema, WaitingForSchema } from '../../shared/jobs/waiting-schemas.ts';
import type { JobEvent, TextDelta } from '../../shared/jobs/job.ts';

const turn = Type.Integer({ description: 'The turn; the first is 1.' });
const step = Type.Integer({ description: 'The model call of the turn; the first is 1.' });
const attempt = Type.Integer({ description: 'Greater where it is made again.' });
const flag = (description: string) => Type.Optional(Type.Literal(true, { description }));
const text = (description: string) => Type.String({ description });
const prLink = Type.Union([Type.String(), Type.Null()], {
  description: 'The pull request; null if there is none.',
});

/** `status` becomes the schema `StatusEvent`. */
function event<T extends JobEvent['type'] | 'text_delta', M extends TProperties>(
  type: T,
  description: string,
  members: M,
) {
  const name = type.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Type.Object(
    { type: Type.Literal(type, { description: 'The kind of event.' }), ...members },
    { title: `${name}Event`, description },
  );
}

const Events = [
  event('status', 'The job became active.', { status: StatusSchema, turn }),
  event('instruction', 'The agent read an instruction.', {
    messageId: text('Identifier of the instruction.'),
    prompt: text('The instruction.'),
    uploads: Type.Optional(
      Type.Array(
        Type.Object(
          { id: text('Identifier of the upload.'), name: text('The name of its file.') },
          { title: 'EventUpload', description: 'An attached image.' },
        ),
        { description: 'Attached images, if any.' },
      ),
    ),
    answer: Type.Optional(
      Type.Union([Type.Literal('approve'), Type.Literal('decline'), Type.Literal('raise')], {
        title: 'InstructionAnswer',
        description: 'A decision for which the job waited; left out of other instructions.',
      }),
    ),
    turn,
  }),
  event('text', 'The model wrote a text; it is whole.', {
    text: text('The text.'),
    turn,
    step,
    attempt,
  }),
  event('tool_call', 'The model called a tool.', {
    toolCallId: text('Identifier of the call.'),
    toolName: text('The tool.'),
    args: Type.Record(Type.String(), Type.Unknown(), { description: 'What it was called with.' }),
    turn,
    step,
  }),
  event('tool_result', 'A tool returned.', {
    toolCallId: text('Identifier of the call.'),
    toolName: text('The tool.'),
    summary: text('What it returned, in short.'),
    isError: Type.Boolean({ description: 'Whether it failed.' }),
    changed: flag('Set if the call changed files.'),
    refusedBy: Type.Optional(
      Type.Array(Type.String(), { description: 'Rules of the policy that refused the call.' }),
    ),
    turn,
    step,
  }),
  event('todos', 'The todo list changed.', {
    todos: Type.Array(TodoSchema, { description: 'All of it.' }),
  }),
  event('plan', 'The agent made a plan, and a person has to approve it.', {
    plan: PlanSchema,
    turn,
    step,
  }),
  event('waiting', 'The idle job waits for a person.', {
    waitingFor: WaitingForSchema,
    state: Type.Union([Type.Literal('began'), Type.Literal('reminded'), Type.Literal('ended')], {
      title: 'WaitingState',
      description: 'began: it does from now on; reminded: it still does; ended: nobody came.',
    }),
    turn,
  }),
  event(
    'checks',
    'What the checks found. Without findings, what they had found in this turn is fixed.',
    {
      findings: Type.Array(FindingSchema, { description: 'What they found.' }),
      turn,
    },
  ),
  event('commit', 'A commit was pushed.', {
    commit: text('Its hash.'),
    branch: text('The branch that it is on.'),
    turn,
  }),
  event('pull_request', 'A pull request was opened or updated.', {
    prLink: text('Its address.'),
    title: text('Its title.'),
    state: Type.Union([Type.Literal('opened'), Type.Literal('updated')], {
      title: 'PullRequestState',
      description: 'What was done to it.',
    }),
    turn,
  }),
  event('retry', 'An attempt failed, and another one follows.', {
    reason: text('Why it failed.'),
    attempt,
    turn,
    step,
  }),
  event('rewound', 'Someone rewound the job to an earlier step.', {
    epoch: Type.Integer({ description: 'Greater after each rewind.' }),
    turn,
    step,
  }),
  event('error', 'The turn failed.', { message: text('Why, for people.'), turn }),
  event('finish', 'The turn ended.', {
    status: StatusSchema,
    haltReason: Type.Union(
      [Type.Literal('completed'), Type.Literal('repohost_missconfigured'), Type.Literal('error')],
      { title: 'HaultReason', description: 'Why it no longer runs.' },
    ),
    messageToUser: text('The outcome, for people.'),
    prLink,
    outcome: Type.Optional(ResultSchema),
    code: Type.Optional(FailureCodeSchema),
    cancelled: flag('Set if the turn was cancelled.'),
    turn,
  }),
] as const;

const Delta = event('text_delta', 'With deltas=true: a piece of a running model call.', {
  text: text('May be empty: the model thinks, or writes the input of a tool.'),
  tokens: Type.Integer({ description: 'About how many tokens the call has brought so far.' }),
  turn,
  step,
  attempt,
});

/** Data of the events of a job's stream. */
export const JobEventSchema = Type.Union([...Events, Delta], {
  title: 'JobEvent',
  description: 'The data of an event. Readers ignore types that they do not know.',
  discriminator: 'type',
});

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** The compiler compares the schema with what is stored. */
true satisfies Same<Static<typeof JobEventSchema>, JobEvent | TextDelta>;
