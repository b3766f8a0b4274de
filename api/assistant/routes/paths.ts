import { COMMON_PROBLEMS, problems } from '../../plugins/problems.ts';

export const PATHS = {
  messageV2: '/discovery/v2/assistant/:domain/message',
  messageV1: '/discovery/v1/assistant/:domain/message',
  /** Where the hooks of chat SDKs ask for an answer that was interrupted. */
  resumeV2: '/discovery/v2/assistant/:domain/message/:chatId/stream',
  thread: '/discovery/v1/assistant/:domain/thread/:threadId',
  search: '/discovery/v1/search/:domain',
  page: '/discovery/v1/page/:domain',
  feedback: '/discovery/v1/feedback/:domain',
  mcp: '/discovery/v1/mcp/:domain',
} as const;

/** What agents of readers fetch; a key is needed only where the project is not public. */
export const MARKDOWN_PATHS = {
  llms: '/discovery/v1/:domain/llms.txt',
  llmsFull: '/discovery/v1/:domain/llms-full.txt',
  page: '/discovery/v1/:domain/*',
} as const;

/** Options of every route of the assistant. */
export const ROUTE = { config: { access: 'assistant' as const } };

/** The errors that every route of the assistant may answer. */
export const FAILURES = problems(
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  ...COMMON_PROBLEMS,
);
