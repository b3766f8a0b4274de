import { createServer } from 'node:http';
import { closeServer, listen, readJson, sendError } from '../../../offline-model/protocol/http.ts';
import {
  type AnswerBlock,
  encodeEvents,
  encodeMessage,
  encodeServerSentEvent,
  type MessagesRequest,
  newId,
  type RequestBlock,
} from '../../../offline-model/protocol/messages-protocol.ts';

/** What vLLM's Messages API accepts; anything else is refused with 400. */
export const VLLM_BLOCKS = [
  'text',
  'image',
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
];
/** What Ollama's and llama.cpp's convert; anything else is dropped without a word. */
export const OLLAMA_BLOCKS = ['text', 'thinking', 'image', 'tool_use', 'tool_result'];

/** How an endpoint treats what it does not know. */
export type Dialect = 'vendor' | 'vllm' | 'ollama';

export interface Endpoint {
  url: string;
  /** As they came in. */
  requests: MessagesRequest[];
  /** The values of the headers that can authenticate, of the last request. */
  authenticated: { key: string | undefined; authorization: string | undefined };
  close(): Promise<void>;
}

/**
 * A model endpoint with a very small model: it answers with the sentence of a passage that shares
 * at least three words with the question, cited as its dialect allows, or says that there is none.
 */
export async function startEndpoint(dialect: Dialect): Promise<Endpoint> {
  const endpoint: Endpoint = {
    url: '',
    requests: [],
    authenticated: { key: undefined, authorization: undefined },
    close: () => closeServer(server),
  };
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await readJson(request)) as MessagesRequest;
      endpoint.requests.push(body);
      endpoint.authenticated = {
        key: request.headers['x-api-key'] as string | undefined,
        authorization: request.headers.authorization,
      };
      const blocks = allBlocks(body);
      const strange = blocks.find(block => !VLLM_BLOCKS.includes(block.type));
      if (dialect === 'vllm' && strange)
        return sendError(
          response,
          'invalid_request_error',
          `literal_error: Input should be ${VLLM_BLOCKS.join(', ')}, input_value=${strange.type}`,
          newId('req'),
        );
      const answer = {
        model: body.model,
        content: [reply(dialect, blocks)],
        stopReason: 'end_turn' as const,
        usage: { input: 100, cacheWrite: 0, cacheRead: 0, output: 20 },
      };
      if (!body.stream) {
        response.writeHead(200, { 'content-type': 'application/json' });
        return void response.end(JSON.stringify(encodeMessage(answer)));
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(encodeEvents(answer).map(encodeServerSentEvent).join(''));
    })();
  });
  endpoint.url = await listen(server, '127.0.0.1', 0);
  return endpoint;
}

/** Those of messages and tool results, in order. */
export function allBlocks({ messages }: MessagesRequest): RequestBlock[] {
  const within = (block: RequestBlock): RequestBlock[] => [
    block,
    ...(block.type === 'tool_result' && Array.isArray(block.content) ? block.content : []),
  ];
  return messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content.flatMap(within),
  );
}

interface Passage {
  text: string;
  cite: (sentence: string) => AnswerBlock;
}

function reply(dialect: Dialect, blocks: RequestBlock[]): AnswerBlock {
  const read = dialect === 'vendor' ? blocks : blocks.filter(isRead);
  const question = read.at(-1)?.text ?? '';
  const passages = dialect === 'vendor' ? searchResults(read) : numbered(read);
  let best: { passage: Passage; sentence: string; shared: number } | undefined;
  for (const passage of passages)
    for (const sentence of passage.text.match(/[^.\n]+\./g) ?? []) {
      const shared = words(sentence).filter(word => words(question).includes(word)).length;
      if (shared > (best?.shared ?? 2)) best = { passage, sentence: sentence.trim(), shared };
    }
  return (
    best?.passage.cite(best.sentence) ?? {
      type: 'text',
      text: 'The documentation does not cover that.',
    }
  );
}

const isRead = (block: RequestBlock): boolean => OLLAMA_BLOCKS.includes(block.type);
const words = (text: string): string[] => text.toLowerCase().match(/[a-z]{4,}/g) ?? [];

function searchResults(blocks: RequestBlock[]): Passage[] {
  return blocks
    .filter(block => block.type === 'search_result')
    .flatMap((block, index) =>
      (block.content as RequestBlock[]).map(({ text = '' }, at) => ({
        text,
        cite: (sentence: string): AnswerBlock => ({
          type: 'text',
          text: sentence,
          citations: [
            {
              type: 'search_result_location',
              cited_text: sentence,
              search_result_index: index,
              start_block_index: at,
              end_block_index: at + 1,
              source: String(block.source),
              title: block.title ?? null,
            },
          ],
        }),
      })),
    );
}

/** Cites the passage, and one that nobody gave it. */
function numbered(blocks: RequestBlock[]): Passage[] {
  return blocks.flatMap(({ text = '' }) => {
    const [marker] = /^\[\d+\]/.exec(text) ?? [];
    if (marker === undefined) return [];
    const cite = (sentence: string): AnswerBlock => ({
      type: 'text',
      text: `${sentence.replace(/\.$/, '')} ${marker}[99].`,
    });
    return [{ text, cite }];
  });
}
