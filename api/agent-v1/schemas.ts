import { type Static, Type } from '@sinclair/typebox';
import { RoleSchema, TodoSchema } from '../../shared/jobs/conversation.ts';
import { MAX_PROMPT } from '../../shared/jobs/job.ts';

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const EXAMPLE = {
  sessionId: 'job_01kaj5zq3v8w1m4r7t2x9c6bne',
  subdomain: 'acme',
  branch: 'docent/add-a-page-about-webhooks-2x9c6bne',
  haulted: true,
  haultReason: 'completed',
  pullRequestLink: 'https://github.com/acme/docs/pull/128',
  messageToUser: 'I added a page about webhooks.',
  todos: [],
  userId: null,
  title: 'Add a page about webhooks',
  createdAt: '2026-11-23T09:12:04.310Z',
};
export const SessionSchema = Type.Object(
  {
    sessionId: Type.String({ description: 'Session identifier: the id of the job.' }),
    subdomain: Type.String({ description: 'The subdomain that the session belongs to.' }),
    branch: Type.String({ description: 'Git branch on which changes are made.' }),
    haulted: Type.Boolean({ description: 'Whether it no longer runs.' }),
    haultReason: Type.Union(
      [
        Type.Literal('completed'),
        Type.Literal('repohost_missconfigured'),
        Type.Literal('error'),
        Type.Null(),
      ],
      { title: 'HaultReason', description: 'Why it no longer runs.' },
    ),
    pullRequestLink: nullable(
      'Link to the pull request; null while the session runs, and where nothing was changed.',
    ),
    messageToUser: nullable('The outcome, for people; null while the session runs.'),
    todos: Type.Array(TodoSchema, { description: 'The agent’s todo list.' }),
    userId: nullable('Who created the session, where that is known.'),
    title: nullable('A title that sums the job up; null until there is one.'),
    createdAt: Type.String({ format: 'date-time', description: 'When it was created.' }),
  },
  { $id: 'Session', description: 'An agent job, as v1 shows it.', examples: [EXAMPLE] },
);
export type SessionBody = Static<typeof SessionSchema>;
export const SessionRef = Type.Unsafe<SessionBody>({ $ref: 'Session#' });

export const SessionList = Type.Object(
  { allSessions: Type.Array(SessionRef, { description: 'All of them, newest first.' }) },
  {
    title: 'SessionList',
    description: 'The sessions of a project.',
    examples: [{ allSessions: [EXAMPLE] }],
  },
);
export const SessionListQuery = Type.Object({
  skip: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Sessions to leave out at the beginning.',
      examples: [0],
    }),
  ),
  take: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Sessions at most; all where it is left out.',
      examples: [50],
    }),
  ),
});

export const CreateSessionBody = Type.Object(
  {
    messages: Type.Array(
      Type.Object(
        {
          role: RoleSchema,
          content: Type.String({ maxLength: MAX_PROMPT, description: 'The text of the message.' }),
          parts: Type.Optional(
            Type.Array(Type.Unknown(), {
              description: 'Sent by the chat SDK; only content is read.',
            }),
          ),
        },
        { title: 'SessionMessage', description: 'A message to the agent.' },
      ),
      {
        minItems: 1,
        maxItems: 200,
        description:
          'A default system prompt is always prepended; normally only user messages are sent.',
      },
    ),
    branch: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Git branch to work on; generated where it is left out.',
      }),
    ),
    asDraft: Type.Optional(
      Type.Union([Type.Boolean(), Type.Literal('true'), Type.Literal('false')], {
        default: false,
        description: 'Open the pull request as a draft.',
      }),
    ),
    model: Type.Optional(
      Type.Union([Type.Literal('sonnet'), Type.Literal('opus')], {
        title: 'ModelChoice',
        description: 'sonnet is faster and cheaper, opus more capable.',
      }),
    ),
  },
  {
    title: 'CreateSession',
    description: 'What the agent is to do, and how.',
    examples: [{ messages: [{ role: 'user', content: 'Add a page about webhooks' }] }],
  },
);
