import type Anthropic from '@anthropic-ai/sdk';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../../shared/config.ts';
import type { Queryable } from '../../../shared/db/pool.ts';
import type { Project } from '../../../shared/db/projects/projects.ts';
import type {
  SearchFilter,
  SearchRequest,
  SearchResult,
} from '../../../shared/search/search-request.ts';
import type { AnswerStream } from '../wire/answer-stream.ts';
import type { Citations } from './citations.ts';
import type { Merged } from './conversation.ts';
import type { AnswerUsage, FinishReason } from '../wire/answer-events.ts';
import type { GrowingText } from '../model/growing-text.ts';
import type { ReaderContext } from '../model/prompt.ts';

/** What answers are made with. */
export interface AnswerDeps {
  config: Config;
  /** For what is noted: threads, questions, the ledger. */
  db: Queryable;
  client: Anthropic;
  model: string;
  log: FastifyBaseLogger;
  search(request: SearchRequest): Promise<SearchResult[]>;
  /** One page in its sections; undefined where there is none, or the filter leaves it out. */
  readPage(request: {
    projectId: string;
    path: string;
    filter?: SearchFilter;
  }): Promise<SearchResult | undefined>;
  siteInstructions(projectId: string): Promise<string | null>;
}

export interface AnswerRequest {
  project: Project;
  apiKeyId: string;
  thread: { id: string; projectId: string; fp: string };
  conversation: Merged;
  pageSize: number;
  filter: SearchFilter | undefined;
  reader: ReaderContext;
}

/** An answer while it is made. */
export interface Answering {
  out: AnswerStream;
  messageId: string;
  citations: Citations;
  /** Pages of the first search, best first: what suggestions are taken from. */
  found: Pick<SearchResult, 'path' | 'title' | 'score'>[];
  /**
   * Everything said so far, in the end the suggestions too: hooks send an answer back with them,
   * and the thread must know it again.
   */
  text: GrowingText;
  /** The text part that is open on the wire, and how many there were. */
  openText: string | undefined;
  texts: number;
  usage: AnswerUsage;
  reason: FinishReason;
  /** Ledger rows on their way to the database. */
  ledger: Promise<void>[];
}

/** The search of a request, with whatever words. */
export function searchRequest(request: AnswerRequest, query: string): SearchRequest {
  return {
    projectId: request.project.id,
    query,
    pageSize: request.pageSize,
    ...(request.filter && { filter: request.filter }),
    ...(request.reader.currentPath && { currentPath: request.reader.currentPath }),
  };
}
