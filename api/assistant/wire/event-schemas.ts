import { type TProperties, Type } from '@sinclair/typebox';

const text = (description: string) => Type.String({ description });
const id = text('Identifier of the text.');
const toolCallId = text('Identifier of the call.');
const providerExecuted = Type.Literal(true, { description: 'The server has called it.' });
const messageMetadata = Type.Object(
  {
    threadId: text('The thread, for the next request.'),
    finishReason: Type.Optional(
      Type.Literal('length', { description: 'The answer was cut off at its longest.' }),
    ),
  },
  { title: 'AnswerMetadata', description: 'What is known of the answer.' },
);

/** `text-delta` becomes the schema `AnswerTextDelta`. */
function chunk(type: string, description: string, members: TProperties = {}) {
  const name = type.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Type.Object(
    { type: Type.Literal(type, { description: 'The kind of event.' }), ...members },
    { title: `Answer${name}`, description },
  );
}

const Found = Type.Object(
  {
    path: text('The page’s path on the site.'),
    url: text('Its address.'),
    content: text('Markdown of the sections that were found.'),
    metadata: Type.Object(
      { title: text('The page’s title.') },
      { title: 'FoundPageMetadata', description: 'What is known of the page.' },
    ),
  },
  { title: 'FoundPage', description: 'What was found on a page.' },
);

/** Data of the events of an answer, before `[DONE]`. */
export const AnswerEventSchema = Type.Union(
  [
    chunk('start', 'The answer begins.', {
      messageId: text('Identifier of the answer.'),
      messageMetadata,
    }),
    chunk('start-step', 'A search begins, or the text.'),
    chunk('tool-input-available', 'The site is searched.', {
      toolCallId,
      toolName: text('search'),
      input: Type.Object(
        { query: text('What is looked for.') },
        { title: 'SearchInput', description: 'What the search is asked.' },
      ),
      providerExecuted,
    }),
    chunk('tool-output-available', 'The search has found pages.', {
      toolCallId,
      output: Type.Object(
        { results: Type.Array(Found, { description: 'The best first.' }) },
        { title: 'SearchOutput', description: 'What the search has found.' },
      ),
      providerExecuted,
    }),
    chunk('text-start', 'A text begins.', { id }),
    chunk('text-delta', 'A piece of the text.', { id, delta: text('The piece.') }),
    chunk('text-end', 'The text is whole.', { id }),
    chunk('source-url', 'A page that the answer cites.', {
      sourceId: text('Identifier of the source.'),
      url: text('The page’s address.'),
      title: text('The page’s title.'),
    }),
    chunk('finish-step', 'The search has ended, or the text.'),
    chunk('error', 'The answer ends early.', { errorText: text('Why, in one sentence.') }),
    chunk('finish', 'The answer has ended.', {
      messageMetadata,
      threadId: Type.Optional(text('The same; not to the chat SDK’s own transport.')),
    }),
  ],
  {
    title: 'AnswerEvent',
    description: 'The data of an event of an answer, as the chat SDK has it.',
    discriminator: 'type',
  },
);
