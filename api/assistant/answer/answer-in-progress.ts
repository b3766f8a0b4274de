import type { ModelClient } from '../../../shared/models/messages-api.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Embed } from '../../../search/embed.ts';
import type { Config } from '../../../shared/config.ts';
import { type Books, LedgerEntry } from '../../../db/models/ledger.ts';
import type { Queryable } from '../../../db/pool.ts';
import type { Thread } from '../../../db/assistant/threads.ts';
import type { Project } from '../../../db/projects/projects.ts';
import type { FirstIndex, SiteNotes } from '../../../db/search/site-notes.ts';
import { newId } from '../../../shared/ids.ts';
import type { FeaturesOf } from '../../../db/models/open-features.ts';
import type {
  SearchFilter,
  SearchRequest,
  SearchResult,
} from '../../../db/search/search-request.ts';
import { GrowingText } from '../../../shared/models/growing-text.ts';
import type { PassageFormat, ReaderContext } from '../model/prompt.ts';
import { type AnswerWindow, answerWindow } from '../model/window.ts';
import type { AnswerUsage, FinishReason } from '../wire/answer-events.ts';
import type { AnswerStream } from '../wire/answer-stream.ts';
import { Citations } from './citations.ts';
import type { MergedThread } from './conversation.ts';
import type { KeptAnswer, KeptAnswers } from './kept-answer.ts';

export interface AnswerDeps {
  config: Config;
  /** For what is stored of a conversation: threads, questions. */
  db: Queryable;
  /** Each call is flushed to it before it is made. */
  books: Books;
  /** Settles a call, as often as it takes; resolves after the first attempt. */
  settle(work: () => Promise<void>): Promise<void>;
  client: ModelClient;
  model: string;
  /** What the model's endpoint supports. */
  featuresOf: FeaturesOf;
  log: FastifyBaseLogger;
  search(request: SearchRequest): Promise<SearchResult[]>;
  /** Set if embeddings are on. */
  embed?: Embed | undefined;
  /** One page in its sections; undefined if there is none, or the filter excludes it. */
  readPage(request: {
    projectId: string;
    path: string;
    filter?: SearchFilter;
  }): Promise<SearchResult | undefined>;
  siteNotes(projectId: string): Promise<SiteNotes>;
  /** Whether there is a page at this path or address that the filter lets through. */
  hasPage(request: { projectId: string; path: string; filter?: SearchFilter }): Promise<boolean>;
  /**
   * By model, how many of its next answers wait whole, because thoughts came in the text of one
   * without a beginning; filled by answers.
   */
  thinkers: Map<string, number>;
  /** The answers that continue without their reader; filled by them. */
  kept: KeptAnswers;
}

export interface AnswerRequest {
  project: Project;
  apiKeyId: string;
  /** False: a question is asked again, and neither it nor the answer is stored. */
  fromReader: boolean;
  thread: Thread;
  conversation: MergedThread;
  pageSize: number;
  filter: SearchFilter | undefined;
  reader: ReaderContext;
}

/** One answer while it is made: what it needs, what was asked, and what there is of it so far. */
export interface AnswerInProgress {
  deps: AnswerDeps;
  request: AnswerRequest;
  out: AnswerStream;
  /** Aborts when nobody waits for the answer any more. */
  left: AbortSignal;
  /** Of an answer whose reader may come back. */
  kept?: KeptAnswer | undefined;
  messageId: string;
  citations: Citations;
  passages: PassageFormat;
  /** The endpoint gives the model's thoughts as blocks of their own. */
  separatesThoughts: boolean;
  window: AnswerWindow;
  /** Characters of passages that the window still has room for. */
  room: number;
  /** By the clock of `performance.now()`. */
  beganAt: number;
  /** Pages of the first search, best first: suggestions come from them. */
  found: Pick<SearchResult, 'path' | 'title' | 'score'>[];
  /**
   * All text so far, suggestions included: hooks send an answer back with them, and the thread must
   * recognize it.
   */
  text: GrowingText;
  /** The text part that is open on the wire, and how many there were. */
  openText: string | undefined;
  texts: number;
  usage: AnswerUsage;
  reason: FinishReason;
  /** Why there is no whole answer, if `reason` is `error`. */
  failure: unknown;
  /**
   * The site is still being read for the first time: nothing is known of whether its docs answer
   * what the pages so far do not.
   */
  firstIndex: FirstIndex | null;
  /** The entry of a call that is not made yet. */
  nextCall: LedgerEntry | undefined;
  settling: Promise<void>[];
}

export function beginAnswer(
  given: Pick<AnswerInProgress, 'deps' | 'request' | 'out' | 'left' | 'kept' | 'nextCall'>,
): AnswerInProgress {
  const window = answerWindow(given.deps.config, given.deps.model);
  return {
    ...given,
    window,
    room: window.passages,
    messageId: newId('tmsg'),
    citations: new Citations(),
    passages: 'numbered',
    separatesThoughts: false,
    beganAt: performance.now(),
    found: [],
    text: new GrowingText(),
    openText: undefined,
    texts: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    reason: 'stop',
    failure: undefined,
    firstIndex: null,
    settling: [],
  };
}

/** Enters a call of an answer. Throws 503 if Postgres cannot store it: then none is made. */
export async function enterCall(
  { books, model }: Pick<AnswerDeps, 'books' | 'model'>,
  { project, apiKeyId }: Pick<AnswerRequest, 'project' | 'apiKeyId'>,
): Promise<LedgerEntry> {
  const { organizationId, id: projectId } = project;
  return LedgerEntry.enter(books, {
    ...{ purpose: 'assistant', organizationId, projectId, apiKeyId, model },
  });
}
