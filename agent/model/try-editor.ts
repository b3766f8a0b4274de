import { type Anthropic, APIError } from '@anthropic-ai/sdk';
import { EDITOR_NAME } from '../../shared/agent-text.ts';
import { GrowingMessage } from '../../shared/models/growing-message.ts';
import type { ModelClient } from '../../shared/models/messages-api.ts';
import { readUsage } from '../../shared/models/reported-usage.ts';
import { type ModelParams, streamMessage } from '../../shared/models/stream-message.ts';
import type { EditorTrial } from '../../shared/models/verdict.ts';
import { replacedOnce } from '../tools/edits/replaced-once.ts';
import { toolDefinitions } from '../tools/definitions.ts';
import { resolveCall } from '../tools/registry.ts';
import { type WholeReply, wholeReply } from './whole-reply.ts';

const MAX_TOKENS = 4_000;
const PAGE = 'Uploads may have 10 MB.\nA job may have 100 steps.\n';
const WANTED = PAGE.replace('10 MB', '25 MB');
const INSTRUCTION =
  `The file docs/limits.md is:\n\n${PAGE}\nUploads may have 25 MB now. ` +
  `Change that with one call of ${EDITOR_NAME}, with the command str_replace.`;

/** The signal alone bounds a trial. */
const UNTIL_SIGNAL = { firstMs: 3_600_000, idleMs: 3_600_000 };

type Messages = Anthropic.Beta.BetaMessageParam[];

export interface TrialOptions {
  model: string;
  hasNativeEditor: boolean;
  signal: AbortSignal;
}

/**
 * Gives a model the agent's tools and a page to edit: whether it calls the editor, makes the edit,
 * and reads the call's result. Two calls of some 5,000 input tokens. Rejects if the endpoint cannot
 * be reached.
 */
export async function tryEditor(client: ModelClient, options: TrialOptions): Promise<EditorTrial> {
  const question: Messages = [{ role: 'user', content: INSTRUCTION }];
  const first = await ask(client, options, question);
  if ('refused' in first)
    return {
      edits: false,
      says: `it refuses the agent’s tools with ${first.refused}`,
      tokensPerSecond: null,
    };
  const { reply, tokensPerSecond } = first;
  const problem = problemWith(reply);
  if (problem) return { edits: false, says: problem, tokensPerSecond };
  const results = reply.content.flatMap(block =>
    block.type === 'tool_use'
      ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'Edited docs/limits.md.' }]
      : [],
  );
  const second = await ask(client, options, [
    ...question,
    { role: 'assistant', content: reply.content },
    { role: 'user', content: results },
  ]);
  if ('refused' in second)
    return {
      edits: false,
      says: `it refuses a tool’s result with ${second.refused}`,
      tokensPerSecond,
    };
  return { edits: true, says: 'it edits pages with the agent’s tools', tokensPerSecond };
}

type Asked = { refused: string } | { reply: WholeReply; tokensPerSecond: number | null };

async function ask(
  client: ModelClient,
  { model, hasNativeEditor, signal }: TrialOptions,
  messages: Messages,
): Promise<Asked> {
  const params: ModelParams = {
    model,
    max_tokens: MAX_TOKENS,
    system: 'You edit documentation with the tools that you are given.',
    tools: toolDefinitions({ hasNativeEditor }),
    messages,
  };
  const message = new GrowingMessage();
  let began = 0;
  try {
    const asked = client.beta.messages.create({ ...params, stream: true }, { signal });
    await streamMessage(asked, message, {
      model,
      signal,
      patience: UNTIL_SIGNAL,
      onEvent: () => {
        began ||= performance.now();
      },
    });
  } catch (error) {
    if (!(error instanceof APIError) || error.status === undefined) throw error;
    return { refused: sentenceOf(error) };
  }
  const seconds = (performance.now() - began) / 1000;
  return { reply: wholeReply(message), tokensPerSecond: speed(message, seconds) };
}

/** Status and the server's own words. */
function sentenceOf(error: APIError): string {
  return error.message.replaceAll(/\s+/g, ' ').slice(0, 300).replace(/\.$/, '');
}

/** A whole answer that arrives at once tells nothing. */
function speed({ usage }: GrowingMessage, seconds: number): number | null {
  const { outputTokens } = readUsage(usage).usage;
  return seconds > 0.05 && outputTokens > 1 ? outputTokens / seconds : null;
}

/** Why the page is not as it should be after the reply's calls, if it is not. */
function problemWith({ content, notRun }: WholeReply): string | undefined {
  const calls = content.flatMap(block => (block.type === 'tool_use' ? [block] : []));
  if (calls.length === 0) return 'it answers with text where it should call the editor';
  let page = PAGE;
  for (const { id, name, input } of calls) {
    if (notRun[id] !== undefined) return `a call did not come whole (${notRun[id]})`;
    const call = resolveCall(name, input);
    if (call.error !== undefined) return `it makes a call that is not valid (${call.error})`;
    if (call.tool.name !== 'str_replace') return `it calls ${call.tool.name} instead of the editor`;
    const { old_str: old, new_str: replacement } = call.input as Record<string, string>;
    const replaced = replacedOnce(page, old ?? '', replacement ?? '');
    if ('starts' in replaced) return 'its edit names a text that the page does not have';
    page = replaced.text;
  }
  return page === WANTED ? undefined : 'its edit leaves the page wrong';
}
