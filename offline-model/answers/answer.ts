import { PASSAGE, READER_CONTEXT } from '../../shared/agent-text.ts';
import {
  type AnswerBlock,
  blocksOf,
  type MessagesRequest,
  type RequestBlock,
} from '../protocol/messages-protocol.ts';
import { textOf } from '../transcript.ts';
import { excerpt, type Excerpt } from './excerpt.ts';
import { answering, isVague, type Passage, TUNING, weighQuestion } from './relevance.ts';
import { tokens } from './words.ts';

/** Passages that one answer quotes; the second if it is worth nearly what the first is. */
const MAX_PASSAGES = 2;
const BESIDE_BEST = 0.8;

/** A question that is about what the one before was about. */
const LEANS_BACK =
  /\b(?:its?|that|this|these|those|they|them|their|one)\b|^\W*(?:and|but|what about|how about)\b/i;
/** A greeting or thanks and nothing else: "Hi, how do I add a page?" is a question. */
const SMALL_TALK =
  /^\W*(?:hi|hello|hey|good|morning|thanks?|thx|cheers|bye)\b(?:\W+(?:there|all|you|so|very|much|many|a lot|again|for|your|the|help|that|helped|was|great|nice|morning|evening))*\W*$/i;

/**
 * Answers from the search results of a request, in the pages' own words: the parts that hold most
 * of the question, each block with its citation. Cites nothing if the results do not hold the
 * answer.
 */
export function answerQuestion(request: MessagesRequest): AnswerBlock[] {
  const { last, before, passages } = readRequest(request);
  if (SMALL_TALK.test(last))
    return said('Hello! Ask me something, and I will look it up in this documentation.');
  const question = `${before} ${last}`.trim();
  if (isVague(question))
    return said(
      'I look up words in this documentation, and that question has none that I could look for. ' +
        'Name what it is about, and I will try again.',
    );
  const asked = weighQuestion(last, before);
  const excerpts = answering(question, asked, passages)
    .flatMap(passage => excerpt(passage, asked) ?? [])
    .toSorted((a, b) => b.worth - a.worth);
  const enough = Math.max(TUNING.inUnit, (excerpts[0]?.worth ?? 0) * BESIDE_BEST);
  const quoted = excerpts
    .filter(({ shown }, index) => excerpts.findIndex(one => one.shown === shown) === index)
    .filter(({ worth }) => worth >= enough)
    .slice(0, MAX_PASSAGES);
  return quoted.length > 0
    ? quoted.flatMap(quote)
    : said(
        'The documentation does not cover that, as far as I can find: none of the pages that ' +
          'match holds an answer.',
      );
}

function said(text: string): AnswerBlock[] {
  return [{ type: 'text', text }];
}

function quote({ passage, cited, shown }: Excerpt, index: number): AnswerBlock[] {
  const { title, source, result, block } = passage;
  return [
    { type: 'text', text: `${index > 0 ? '\n\n' : ''}From “${title}”:\n\n` },
    {
      type: 'text',
      text: shown,
      citations: [
        {
          type: 'search_result_location',
          cited_text: cited,
          search_result_index: result,
          start_block_index: block,
          end_block_index: block + 1,
          source,
          title,
        },
      ],
    },
  ];
}

/**
 * The last question, the question before it if the last one depends on it (else ''), and every
 * passage in the request.
 */
function readRequest({ messages }: MessagesRequest) {
  const contents = messages.map(({ role, content }) => ({ role, blocks: blocksOf(content) }));
  const passages = contents
    .flatMap(({ blocks }) => blocks)
    .flatMap(block => (block.type === 'tool_result' ? blocksOf(block.content) : [block]))
    .filter(({ type }) => type === 'search_result')
    .flatMap(passagesOf);
  const [last = '', earlier = ''] = contents
    .filter(({ role }) => role === 'user')
    .map(({ blocks }) => blocks.filter(({ text }) => !text?.startsWith(READER_CONTEXT)))
    .map(blocks => textOf(blocks).trim())
    .filter(text => text !== '')
    .map(text => text.slice(0, 2_000)) // more is a pasted log
    .toReversed();
  const length = tokens(last).length;
  const leans = length < 2 || (LEANS_BACK.test(last) && length < 4);
  return { last, before: leans ? earlier : '', passages };
}

function passagesOf({ title = '', source, content }: RequestBlock, result: number): Passage[] {
  return blocksOf(content).map(({ text: whole = '' }, block) => {
    const { 1: heading = '', 2: text = '' } = PASSAGE.exec(whole) ?? [];
    return {
      title,
      heading,
      text,
      result,
      block,
      source: typeof source === 'string' ? source : '',
    };
  });
}
