/** The body of a message to the assistant, in both generations of its API. */
import { type Static, Type } from '@sinclair/typebox';
import { RoleSchema } from '../../shared/jobs/conversation.ts';
import { MOST_RESULTS, RESULTS } from '../../db/search/number-of-results.ts';
import { worded } from '../../shared/text/worded.ts';

const MAX_MESSAGES = 200;
/**
 * Characters of the question, all its parts together: the key is public, and what is sent to the
 * model costs. Of the messages before it, the prompt includes as many as fit.
 */
export const MAX_TEXT = 100_000;

const QUESTION = 'How do I install it?';
const ASKED = { role: 'user', parts: [{ type: 'text', text: QUESTION }] };
const ASKED_V1 = { role: 'user', content: QUESTION };

const Part = Type.Object(
  {
    type: Type.String({ description: 'Any type is accepted; only `text` is read.' }),
    text: Type.Optional(Type.Unknown({ description: 'Read where it is a string.' })),
  },
  {
    title: 'MessagePart',
    description: 'A part of a message, as the chat SDK sends it back.',
    examples: [{ type: 'text', text: 'How do I install it?' }],
  },
);
const role = {
  id: Type.Optional(Type.String({ maxLength: 200, description: 'Message identifier.' })),
};
const parts = Type.Array(Part, { description: 'What was said.' });
const RoleV1 = Type.Union(
  [Type.Literal('user'), Type.Literal('assistant'), Type.Literal('system'), Type.Literal('data')],
  { title: 'RoleV1', description: 'Who speaks.' },
);

const MessageV2 = Type.Object(
  { ...role, role: RoleSchema, parts },
  {
    title: 'Message',
    description: 'A message of the conversation.',
    examples: [ASKED],
  },
);
const MessageV1 = Type.Object(
  {
    ...role,
    role: RoleV1,
    content: Type.Optional(Type.String({ description: 'Plain text of the message.' })),
    parts: Type.Optional(parts),
  },
  {
    title: 'MessageV1',
    description: 'A message of the conversation, with its text also as content.',
    examples: [ASKED_V1],
  },
);

const FilterSchema = Type.Object(
  {
    version: Type.Optional(Type.String({ maxLength: 100, description: 'Pages of this version.' })),
    language: Type.Optional(
      Type.String({ maxLength: 100, description: 'Pages in this language.' }),
    ),
    groups: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 50,
        description: 'Also pages that are for one of these groups.',
      }),
    ),
  },
  {
    title: 'Filter',
    examples: [{ version: '2.0' }],
    description: 'Which pages are searched. A filter that the caller sets, not access control.',
  },
);

export const OptionalFilter = Type.Optional(
  Type.Union([FilterSchema, Type.Null()], { description: 'Which pages are searched.' }),
);

const ContextItem = Type.Object(
  {
    type: Type.Union([Type.Literal('code'), Type.Literal('textSelection')], {
      title: 'ContextType',
      description: 'A code snippet, or text that the reader selected.',
    }),
    value: Type.String({
      maxLength: 20_000,
      description: 'The code snippet or the selected text.',
    }),
    path: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'The file or page it is from.' }),
    ),
    elementId: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'The element of the page that contains it.' }),
    ),
  },
  {
    title: 'ContextItem',
    description: 'What the reader asks about.',
    examples: [{ type: 'code', value: 'docent start', path: '/install' }],
  },
);

/** An unpaired surrogate became U+FFFD, and so would that of another reader. */
export const fp = worded('^[^\ufffd]*$', ', without an unpaired surrogate or U+FFFD', {
  minLength: 1,
  maxLength: 200,
  description:
    '`anonymous`, or an identifier of the reader; ' +
    'a thread answers only to the one that began it.',
});

const common = {
  fp,
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
  filter: OptionalFilter,
  context: Type.Optional(
    Type.Array(ContextItem, { maxItems: 50, description: 'What the reader asks about.' }),
  ),
  resumable: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'The answer continues for 30 seconds without its reader, who can resume it.',
    }),
  ),
  currentPath: Type.Optional(
    Type.String({ maxLength: 200, description: 'The page that the reader is on.' }),
  ),
};
const some = { minItems: 1, maxItems: MAX_MESSAGES, description: 'The conversation.' };

/**
 * Body of `POST /discovery/v2/assistant/{domain}/message`. `trigger` and `messageId` are the chat
 * SDK's own.
 */
export const MessageBodyV2 = Type.Object(
  {
    ...common,
    messages: Type.Array(MessageV2, some),
    trigger: Type.Optional(Type.Unknown({ description: 'Sent by the chat SDK.' })),
    messageId: Type.Optional(
      Type.Unknown({ description: 'Sent by the chat SDK: what it asks again.' }),
    ),
  },
  {
    title: 'AskAssistant',
    description: 'A question, and what came before it.',
    examples: [{ fp: 'anonymous', messages: [ASKED] }],
  },
);
/** Body of `POST /discovery/v1/assistant/{domain}/message`. */
export const MessageBodyV1 = Type.Object(
  { ...common, messages: Type.Array(MessageV1, some) },
  {
    title: 'AskAssistantV1',
    description: 'A question, and what came before it, of chat SDK 4.',
    examples: [{ fp: 'anonymous', messages: [ASKED_V1] }],
  },
);
export type MessageBody = Static<typeof MessageBodyV2> | Static<typeof MessageBodyV1>;
/** Of the dashboard's playground: the reader is the person who is signed in. */
export const PlaygroundBody = Type.Omit(MessageBodyV2, ['fp', 'resumable']);
