import { PASSAGE, READER_CONTEXT } from '../../shared/agent-text.ts';
import { isSmallTalk } from './small-talk.ts';
import {
  type AnswerBlock,
  blocksOf,
  type MessagesRequest,
  type RequestBlock,
  type SearchResultCitation,
} from '../protocol/messages-protocol.ts';
import { textOf } from '../transcript.ts';
import { excerpt } from './excerpt.ts';
import { isVague, judge, type Passage, TUNING } from './relevance.ts';
import { tokens } from '../words.ts';

/** Passages that one answer quotes; the second where it is worth nearly what the first is. */
const MAX_PASSAGES = 2;
const BESIDE_BEST = 0.8;

/** Characters that are read of a question: more is a pasted log, not a question. */
const LONGEST_QUESTION = 2_000;

/** A question that is about what the one before was about. */
const LEANS_BACK = new RegExp(
  '\\b(?:its?|that|this|these|those|they|them|their|one)\\b|' +
    '^\\W*(?:and|but|what about|how about)\\b',
  'i',
);

const NOT_COVERED =
  'The documentation does not cover that, as far as I can find: none of the pages that match ' +
  'holds an answer.';

/**
 * Answers from the search results of a request, in the pages' own words: the parts that hold most
 * of the question, each block with its citation. Cites nothing where the results do not hold the
 * answer.
 */
export function answerQuestion(request: MessagesRequest): AnswerBlock[] {
  const { last, before, passages } = readRequest(request);
  if (isSmallTalk(last)) {
    return [
      {
        type: 'text',
        text: 'Hello! Ask me something, and I will look it up in this documentation.',
      },
    ];
  }
  if (isVague(`${before} ${last}`))
    return [
      {
        type: 'text',
        text:
          'I look up words in this documentation, and that question has none that I could look ' +
          'for. Name what it is about, and I will try again.',
      },
    ];
  const { answered, passages: candidates, asked } = judge({ own: last, before }, passages);
  if (!answered) return [{ type: 'text', text: NOT_COVERED }];
  const excerpts = candidates
    .flatMap(passage => excerpt(passage, asked) ?? [])
    .sort((a, b) => b.worth - a.worth);
  const enough = Math.max(TUNING.inUnit, (excerpts[0]?.worth ?? 0) * BESIDE_BEST);
  const blocks: AnswerBlock[] = [];
  for (const { passage, cited, shown } of excerpts
    .filter(({ worth }) => worth >= enough)
    .slice(0, MAX_PASSAGES)) {
    if (blocks.some(block => block.type === 'text' && block.text === shown)) continue;
    blocks.push(
      { type: 'text', text: `${blocks.length > 0 ? '\n\n' : ''}From “${passage.title}”:\n\n` },
      { type: 'text', text: shown, citations: [citation(passage, cited)] },
    );
  }
  return blocks.length > 0 ? blocks : [{ type: 'text', text: NOT_COVERED }];
}

function citation(passage: Passage, cited: string): SearchResultCitation {
  return {
    type: 'search_result_location',
    cited_text: cited,
    search_result_index: passage.result,
    start_block_index: passage.block,
    end_block_index: passage.block + 1,
    source: passage.source,
    title: passage.title,
  };
}

/**
 * The last question, the question before it if the last one depends on it (else ''), and every
 * passage in the request.
 */
function readRequest(request: MessagesRequest): {
  last: string;
  before: string;
  passages: Passage[];
} {
  const passages: Passage[] = [];
  const questions: string[] = [];
  let results = 0;
  const collect = (blocks: RequestBlock[]) => {
    for (const block of blocks) {
      if (block.type === 'tool_result' && Array.isArray(block.content)) collect(block.content);
      if (block.type !== 'search_result') continue;
      const result = results++;
      for (const [index, part] of blocksOf(block.content).entries()) {
        const { 1: heading = '', 2: text = '' } = PASSAGE.exec(part.text ?? '') ?? [];
        passages.push({
          title: block.title ?? '',
          heading,
          text,
          result,
          block: index,
          source: typeof block.source === 'string' ? block.source : '',
        });
      }
    }
  };
  for (const message of request.messages) {
    const blocks = blocksOf(message.content);
    collect(blocks);
    const text = textOf(blocks.filter(block => !block.text?.startsWith(READER_CONTEXT))).trim();
    if (message.role === 'user' && text) questions.push(text);
  }
  const last = (questions.at(-1) ?? '').slice(0, LONGEST_QUESTION);
  const leans = tokens(last).length < 2 || (LEANS_BACK.test(last) && tokens(last).length < 4);
  return {
    last,
    before: leans ? (questions.at(-2) ?? '').slice(0, LONGEST_QUESTION) : '',
    passages,
  };
}
