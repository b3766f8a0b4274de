import type Anthropic from '@anthropic-ai/sdk';
import { NOT_RUN, withBlankLine } from '../../shared/agent-text.ts';
import type { Block, TranscriptEntry } from '../../db/jobs/transcript.ts';
import type { ModelFeatures } from '../../shared/models/feature-names.ts';
import { type Effort, jobThinking } from '../../shared/models/thinking.ts';
import { divideWindow } from '../../shared/models/window.ts';
import { isPlanning, isPlanningTool } from '../planning/phase.ts';
import { toolDefinitions } from '../tools/definitions.ts';
import type { StopReason } from './whole-reply.ts';
import { dropOldResults, estimatedTokens, type Message } from './drop-old-results.ts';

type MessageParam = Anthropic.Beta.BetaMessageParam;
type Params = Anthropic.Beta.MessageCreateParamsNonStreaming;

const CACHED = { cache_control: { type: 'ephemeral' } } as const;
/** Old tool results are dropped once a request grows past this many input tokens. */
const CLEAR_ABOVE_TOKENS = 120_000;
const KEEP_TOOL_USES = 12;

const OVERFLOW: StopReason = 'model_context_window_exceeded';
/** The window was full although the estimate was below it: each time, less is sent. */
const SHARE_AFTER_OVERFLOW = 0.6;

export interface RequestOptions {
  model: string;
  /** The most output tokens. */
  maxTokens: number;
  /** Tokens that the endpoint accepts in one request, answer included. */
  contextTokens: number;
  features: ModelFeatures;
  hasNativeEditor: boolean;
  effort?: Effort | undefined;
  /** Those that the job may read. */
  webPages?: readonly string[] | undefined;
}

/**
 * The Messages API request for a transcript. System, tools and all earlier messages are byte for
 * byte those of the request before, and the end is marked for caching, so that a step pays only for
 * what is new.
 */
export function modelRequest(transcript: TranscriptEntry[], options: RequestOptions): Params {
  const prompt = transcript.findLast(entry => entry.meta.system)?.meta.system ?? '';
  const system = [{ type: 'text' as const, text: prompt, ...CACHED }];
  const only = isPlanning(transcript) ? isPlanningTool : undefined;
  const tools = toolDefinitions({ ...options, only });
  const { maxTokens, room: beside } = divideWindow(options.contextTokens, options.maxTokens);
  const request = {
    model: options.model,
    max_tokens: maxTokens,
    ...jobThinking(options.features, options.effort),
    system,
    tools,
  };
  const messages = toMessages(withoutForeignThinking(transcript, options.model));
  const whole = beside - estimatedTokens({ system, tools });
  const overflows = transcript.filter(({ meta }) => meta.stopReason === OVERFLOW).length;
  const room = Math.min(CLEAR_ABOVE_TOKENS, whole) * SHARE_AFTER_OVERFLOW ** overflows;
  // The API begins to drop at a size that a small window does not have.
  if (options.features.has('context-management') && room === CLEAR_ABOVE_TOKENS)
    return { ...request, messages: markForCaching(messages), ...DROPPED_BY_THE_API };
  return {
    ...request,
    messages: markForCaching(dropOldResults(messages, room)),
  };
}

const DROPPED_BY_THE_API = {
  betas: ['context-management-2025-06-27'],
  context_management: {
    edits: [
      {
        type: 'clear_tool_uses_20250919',
        trigger: { type: 'input_tokens', value: CLEAR_ABOVE_TOKENS },
        keep: { type: 'tool_uses', value: KEEP_TOOL_USES },
        clear_at_least: { type: 'input_tokens', value: 20_000 },
      },
    ],
  },
} satisfies Partial<Params>;

/** Only the model that thought can read what it thought: others refuse the signature. */
function withoutForeignThinking(transcript: TranscriptEntry[], model: string): TranscriptEntry[] {
  return transcript.map(entry =>
    entry.meta.model === undefined || entry.meta.model === model
      ? entry
      : { ...entry, content: entry.content.filter(block => !isThinking(block)) },
  );
}

function isThinking({ type }: Block): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

/**
 * Entries to messages: neighbours of one role become one message, tool results before text, every
 * tool use answered.
 */
export function toMessages(transcript: TranscriptEntry[]): Message[] {
  const messages: Message[] = [];
  let unanswered: string[] = [];
  const answerRest = (): void => {
    add(messages, 'user', unanswered.map(notRun));
    unanswered = [];
  };
  transcript.forEach(({ kind, content }, i) => {
    if (kind === 'tool_results') {
      unanswered = unanswered.filter(id => !answers(content, id));
      add(messages, 'user', content.map(endedByBlankLine));
      return;
    }
    const hasMoreResults = transcript
      .slice(i)
      .some(
        later => later.kind === 'tool_results' && unanswered.some(id => answers(later.content, id)),
      );
    if (!hasMoreResults) answerRest();
    if (kind === 'assistant') add(messages, 'assistant', content);
    else add(messages, 'user', content.map(endedByBlankLine));
    if (kind === 'assistant')
      unanswered.push(...content.flatMap(block => (block.type === 'tool_use' ? [block.id] : [])));
  });
  answerRest();
  return messages;
}

/** Some servers join the texts of a message as they are: the last word and the next would be one. */
function endedByBlankLine(block: Block): Block {
  return block.type === 'text' ? { ...block, text: withBlankLine(block.text) } : block;
}

function add(messages: Message[], role: Message['role'], content: Block[]): void {
  if (content.length === 0) return;
  const last = messages.at(-1);
  if (last?.role === role) last.content.push(...content);
  else messages.push({ role, content: [...content] });
}

function answers(content: Block[], id: string): boolean {
  return content.some(block => block.type === 'tool_result' && block.tool_use_id === id);
}

/** The turn ended between a call and its result; the API refuses a tool use without an answer. */
function notRun(id: string): Block {
  return {
    type: 'tool_result',
    tool_use_id: id,
    is_error: true,
    content: NOT_RUN,
  };
}

/**
 * Marks the ends of the last two user messages: the older one is what the last request wrote, so it
 * is read now.
 */
function markForCaching(messages: Message[]): MessageParam[] {
  const users = messages.flatMap((message, i) => (message.role === 'user' ? [i] : [])).slice(-2);
  return messages.map((message, i) => {
    if (!users.includes(i)) return message;
    return {
      ...message,
      content: message.content.map((block, b) =>
        b === message.content.length - 1 ? { ...block, ...CACHED } : block,
      ),
    };
  });
}
