import { DocentError } from './docent-error.ts';
import { readEvents } from './event-stream.ts';
import { type Abortable, type Connection, Http } from './http.ts';
import type {
  AnswerEvent,
  AskAssistant,
  Feedback,
  FoundPage,
  Message,
  Page,
  ReadPage,
  Search,
  SearchResult,
} from './openapi.ts';

export { DocentError } from './docent-error.ts';
export type { Connection } from './http.ts';

export interface AssistantOptions extends Connection {
  /** An assistant key, `svc_dsc_…`: public, for browsers, too. */
  apiKey: string;
  /** The site that is asked about. */
  domain: string;
}
/** `fp` is `anonymous` unless it names the reader; `threadId` continues a conversation. */
export interface Asking extends Partial<Omit<AskAssistant, 'messages'>>, Abortable {}

export interface AnswerSource {
  url: string;
  title: string;
}
export type AnswerPart =
  | { type: 'start'; threadId: string; messageId: string }
  /** What a search found, before the answer is written. */
  | { type: 'results'; results: FoundPage[] }
  /** A piece of Markdown. */
  | { type: 'text'; text: string }
  | ({ type: 'source' } & AnswerSource)
  | { type: 'finish'; threadId: string };

export interface Answer {
  text: string;
  sources: AnswerSource[];
  threadId: string;
  messageId: string;
}

/** Answers readers' questions from the docs of a site. */
export class Assistant {
  readonly #http: Http;
  readonly #domain: string;

  constructor(options: AssistantOptions) {
    if (!options.domain) throw new TypeError('domain is missing.');
    this.#http = new Http(options);
    this.#domain = encodeURIComponent(options.domain);
  }

  /**
   * The parts of the answer as they are written. Leaving the loop ends the answer. Throws
   * `DocentError`: `answer-failed` with the reason, `interrupted` if the answer was cut off.
   */
  async *ask(question: string | Message[], asking: Asking = {}): AsyncGenerator<AnswerPart> {
    const { signal, ...given } = asking;
    const messages: Message[] =
      typeof question === 'string'
        ? [{ role: 'user', parts: [{ type: 'text', text: question }] }]
        : question;
    const stream = await this.#http.request(
      `/discovery/v2/assistant/${this.#domain}/message`,
      {
        ...{ method: 'POST', body: { fp: 'anonymous', ...given, messages }, signal },
        // 503 comes before anything is asked.
        ...{ accept: 'text/event-stream', isRepeatable: false, isRepeatableAfter503: true },
      },
      ({ body }) => body,
    );
    let hasText = false;
    for await (const { data } of readEvents(stream, signal)) {
      const event = JSON.parse(data) as AnswerEvent;
      // After a further search, the text continues in a paragraph of its own.
      if (event.type === 'text-start' && hasText) yield { type: 'text', text: '\n\n' };
      hasText ||= event.type === 'text-delta';
      const part = partOf(event);
      if (part) yield part;
      if (event.type === 'finish') return;
    }
    throw new DocentError('The answer was cut off.', { code: 'interrupted' });
  }

  /** The whole answer. */
  async answer(question: string | Message[], asking?: Asking): Promise<Answer> {
    const answer: Answer = { text: '', sources: [], threadId: '', messageId: '' };
    for await (const part of this.ask(question, asking)) {
      if (part.type === 'start')
        Object.assign(answer, { threadId: part.threadId, messageId: part.messageId });
      if (part.type === 'text') answer.text += part.text;
      if (part.type === 'source') answer.sources.push({ url: part.url, title: part.title });
    }
    return answer;
  }

  /** Pages for some words, the best first. */
  async search(body: Search, { signal }: Abortable = {}): Promise<SearchResult[]> {
    return await this.#http.json(this.#of('search'), { method: 'POST', body, signal });
  }

  /** The Markdown of a page. */
  async page(body: ReadPage, { signal }: Abortable = {}): Promise<Page> {
    return await this.#http.json(this.#of('page'), { method: 'POST', body, signal });
  }

  /** A vote on an answer or a page; the last one counts. */
  async vote(body: Feedback, { signal }: Abortable = {}): Promise<void> {
    await this.#http.request(this.#of('feedback'), { method: 'POST', body, signal }, () => {});
  }

  #of(what: string): string {
    return `/discovery/v1/${what}/${this.#domain}`;
  }
}

function partOf(event: AnswerEvent): AnswerPart | undefined {
  switch (event.type) {
    case 'start':
      return {
        ...{ type: 'start', messageId: event.messageId },
        threadId: event.messageMetadata.threadId,
      };
    case 'tool-output-available':
      return { type: 'results', results: event.output.results };
    case 'text-delta':
      return { type: 'text', text: event.delta };
    case 'source-url':
      return { type: 'source', url: event.url, title: event.title };
    case 'error':
      throw new DocentError(event.errorText, { code: 'answer-failed' });
    case 'finish':
      return { type: 'finish', threadId: event.messageMetadata.threadId };
    default:
      return undefined;
  }
}
