import { type Static, Type } from '@sinclair/typebox';

const SOURCE = { id: '1', url: 'https://docs.example.com/install', title: 'Install' };
const MESSAGE = {
  id: 'msg_01k9y6w0c4x2v8n5s7q1m3d6ht',
  role: 'assistant',
  text: 'Run `npm install acme`.',
  sources: [SOURCE],
  createdAt: '2026-11-23T09:14:31.020Z',
  vote: null,
} as const;
const THREAD = { threadId: 'thread_7d9s2k4f8g1h5j6q', createdAt: MESSAGE.createdAt };

const Vote = Type.Object(
  {
    helpful: Type.Boolean({ description: 'Whether the answer helped.' }),
    tags: Type.Array(Type.String(), { description: 'What was wrong with it.' }),
    comment: Type.Union([Type.String(), Type.Null()], { description: 'In the reader’s words.' }),
  },
  { title: 'AnswerVote', description: 'What the reader thinks of an answer.' },
);
export const Message = Type.Object(
  {
    id: Type.Union([Type.String(), Type.Null()], {
      description: 'As in the stream; null if the page sent none.',
    }),
    role: Type.Union([Type.Literal('user'), Type.Literal('assistant')], {
      title: 'ThreadRole',
      description: 'Who wrote it.',
    }),
    text: Type.String({ description: 'Markdown.' }),
    sources: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'As in the stream.' }),
          url: Type.String({ description: 'The page’s address.' }),
          title: Type.String({ description: 'The page’s title.' }),
        },
        { title: 'ThreadSource', description: 'A page that the answer cites.' },
      ),
      { description: 'Of an answer.' },
    ),
    createdAt: Type.String({ format: 'date-time', description: 'When it was stored.' }),
    vote: Type.Union([Vote, Type.Null()], { description: 'Of an answer, if there is one.' }),
  },
  { title: 'ThreadMessage', description: 'A message of a conversation.', examples: [MESSAGE] },
);
const next = Type.Union([Type.String(), Type.Null()], {
  description: 'Where the next page begins; null: there is none.',
});
export const Thread = Type.Object(
  {
    threadId: Type.String({ description: 'Unique identifier of the conversation.' }),
    createdAt: Type.String({ format: 'date-time', description: 'When it began.' }),
    messages: Type.Array(Message, { description: 'In order.' }),
    nextCursor: next,
  },
  {
    title: 'Thread',
    description: 'A page of a conversation.',
    examples: [{ ...THREAD, messages: [MESSAGE], nextCursor: null }],
  },
);
export type ThreadBody = Static<typeof Thread>;
export const ThreadList = Type.Object(
  {
    threads: Type.Array(
      Type.Object(
        {
          threadId: Type.String({ description: 'Unique identifier of the conversation.' }),
          createdAt: Type.String({ format: 'date-time', description: 'When it began.' }),
          updatedAt: Type.String({ format: 'date-time', description: 'When it was last used.' }),
        },
        { title: 'ThreadListItem', description: 'A conversation.' },
      ),
      { description: 'The reader’s conversations.' },
    ),
    nextCursor: next,
  },
  {
    title: 'ThreadList',
    description: 'A page of the conversations of a reader.',
    examples: [{ threads: [{ ...THREAD, updatedAt: MESSAGE.createdAt }], nextCursor: null }],
  },
);
export const Deleted = Type.Object(
  {
    threads: Type.Integer({ description: 'Conversations.' }),
    questions: Type.Integer({ description: 'Entries of the list of questions.' }),
    feedback: Type.Integer({ description: 'What the reader said of pages.' }),
  },
  {
    title: 'ThreadsDeleted',
    description: 'What was deleted.',
    examples: [{ threads: 2, questions: 3, feedback: 1 }],
  },
);

const Fp = Type.String({
  ...{ minLength: 1, maxLength: 200, examples: ['reader-42'] },
  description: 'The reader, as your site names them.',
});
const Cursor = Type.Optional(
  Type.String({
    ...{ maxLength: 200, examples: ['100'] },
    description: 'nextCursor of the previous page.',
  }),
);
/** Required, which is said only where the project is there. */
export const ReaderQuery = Type.Object({ fp: Type.Optional(Fp) });
export const ReaderPage = Type.Object({ fp: Type.Optional(Fp), cursor: Cursor });
export const ThreadPage = Type.Object({ cursor: Cursor });
export const OwnThreadPage = Type.Object({
  fp: Type.Optional({ ...Fp, description: 'The reader who began it, unless it was anonymous.' }),
  cursor: Cursor,
});
export const threadId = Type.String({
  ...{ minLength: 1, maxLength: 200, examples: [THREAD.threadId] },
  description: 'The conversation, from the stream.',
});
export const ProjectParams = Type.Object({
  projectId: Type.String({ description: 'Unique identifier of the project.', examples: ['prj_…'] }),
});
export const ThreadParams = Type.Object({ ...ProjectParams.properties, threadId });
