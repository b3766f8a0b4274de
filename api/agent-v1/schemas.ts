import { type Static, Type } from '@sinclair/typebox';
import { TodoSchema } from '../../shared/jobs/conversation.ts';
import { MAX_PROMPT } from '../../shared/jobs/job.ts';

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const SessionSchema = Type.Object(
  {
    sessionId: Type.String(),
    subdomain: Type.String(),
    branch: Type.String(),
    haulted: Type.Boolean(),
    haultReason: Type.Union(
      [
        Type.Literal('completed'),
        Type.Literal('repohost_missconfigured'),
        Type.Literal('error'),
        Type.Null(),
      ],
      { description: 'Null while the session runs.' },
    ),
    pullRequestLink: nullable(
      'Link to the pull request; null while the session runs, and where nothing was changed.',
    ),
    messageToUser: nullable('The outcome, for people; null while the session runs.'),
    todos: Type.Array(TodoSchema),
    userId: nullable('Who created the session, where that is known.'),
    title: nullable('A title that sums the job up; null until there is one.'),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'AgentSession' },
);
export type SessionBody = Static<typeof SessionSchema>;
export const SessionRef = Type.Unsafe<SessionBody>({ $ref: 'AgentSession#' });

export const SessionList = Type.Object({ allSessions: Type.Array(SessionRef) });
export const SessionListQuery = Type.Object({
  skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  take: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
});

export const CreateSessionBody = Type.Object({
  messages: Type.Array(
    Type.Object({
      role: Type.Union([Type.Literal('system'), Type.Literal('user'), Type.Literal('assistant')]),
      content: Type.String({ maxLength: MAX_PROMPT }),
      parts: Type.Optional(
        Type.Array(Type.Unknown(), { description: 'Sent by the chat SDK; only content is read.' }),
      ),
    }),
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
    Type.Union([Type.Boolean(), Type.Literal('true'), Type.Literal('false')], { default: false }),
  ),
  model: Type.Optional(
    Type.Union([Type.Literal('sonnet'), Type.Literal('opus')], { default: 'sonnet' }),
  ),
});
