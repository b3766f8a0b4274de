/** The body of a message to the assistant, in both generations of its API. */
import { type Static, Type } from '@sinclair/typebox';
import { MOST_RESULTS, RESULTS } from '../../db/search/number-of-results.ts';

const MAX_MESSAGES = 200;
/**
 * Characters of the question, all its parts together: the key is public, and what is sent to the
 * model costs. Of the messages before it, the prompt includes as many as fit.
 */
export const MAX_TEXT = 100_000;

const Part = Type.Object(
  {
    type: Type.String({ description: 'Any type is accepted; only `text` is read.' }),
    text: Type.Optional(Type.Unknown({ description: 'Read where it is a string.' })),
  },
  { description: 'A part of a message, as the chat SDK sends it back.' },
);
const role = { id: Type.Optional(Type.String({ maxLength: 200 })) };
const Role = Type.Union([Type.Literal('user'), Type.Literal('assistant'), Type.Literal('system')]);
const RoleV1 = Type.Union([
  Type.Literal('user'),
  Type.Literal('assistant'),
  Type.Literal('system'),
  Type.Literal('data'),
]);

const MessageV2 = Type.Object({ ...role, role: Role, parts: Type.Array(Part) });
const MessageV1 = Type.Object({
  ...role,
  role: RoleV1,
  content: Type.Optional(Type.String()),
  parts: Type.Optional(Type.Array(Part)),
});

export const FilterSchema = Type.Object(
  {
    version: Type.Optional(Type.String({ maxLength: 100 })),
    language: Type.Optional(Type.String({ maxLength: 100 })),
    groups: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 })),
  },
  { description: 'Which pages are searched. A filter that the caller sets, not access control.' },
);

const ContextItem = Type.Object({
  type: Type.Union([Type.Literal('code'), Type.Literal('textSelection')]),
  value: Type.String({ maxLength: 20_000 }),
  path: Type.Optional(Type.String({ maxLength: 1_000 })),
  elementId: Type.Optional(Type.String({ maxLength: 1_000 })),
});

const common = {
  fp: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      '`anonymous`, or an identifier of the reader; ' +
      'a thread answers only to the one that began it.',
  }),
  threadId: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], {
      description: 'Continues a conversation; the stream’s finish event carries it.',
    }),
  ),
  retrievalPageSize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_RESULTS,
      default: RESULTS.assistant,
      description: 'Pages that the answer is made from.',
    }),
  ),
  filter: Type.Optional(Type.Union([FilterSchema, Type.Null()])),
  context: Type.Optional(Type.Array(ContextItem, { maxItems: 50 })),
  currentPath: Type.Optional(
    Type.String({ maxLength: 200, description: 'The page that the reader is on.' }),
  ),
};
const some = { minItems: 1, maxItems: MAX_MESSAGES };

/**
 * Body of `POST /discovery/v2/assistant/{domain}/message`. `trigger` and `messageId` are the chat
 * SDK's own.
 */
export const MessageBodyV2 = Type.Object({
  ...common,
  messages: Type.Array(MessageV2, some),
  trigger: Type.Optional(Type.Unknown()),
  messageId: Type.Optional(Type.Unknown()),
});
/** Body of `POST /discovery/v1/assistant/{domain}/message`. */
export const MessageBodyV1 = Type.Object({ ...common, messages: Type.Array(MessageV1, some) });
export type MessageBody = Static<typeof MessageBodyV2> | Static<typeof MessageBodyV1>;
/** Of the dashboard's playground: the reader is the person who is signed in. */
export const PlaygroundBody = Type.Omit(MessageBodyV2, ['fp']);
