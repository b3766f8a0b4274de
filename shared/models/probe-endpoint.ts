import { type Anthropic, APIError } from '@anthropic-ai/sdk';
import type { FeatureName } from './feature-names.ts';
import type { ModelClient } from './messages-api.ts';

type Message = Anthropic.Message;
type Params = Anthropic.MessageCreateParamsNonStreaming;

/** What one probe call said of a feature. */
export interface ProbeResult {
  feature: FeatureName;
  works: boolean;
  /** One sentence for people: what the endpoint answered. */
  says: string;
}

/** What a probe found. `refusal` is set if not even a plain question is answered. */
export type Probe = { refusal: string } | { refusal: null; results: ProbeResult[] };

const MAX_TOKENS = 1_500;
/** A fact that no model knows: an answer with this number read the passage. */
const FACT = '48,613';
const QUESTION = 'What is the upload limit of the Marlowe gateway, in kilobytes?';
const PASSAGE = `The Marlowe gateway accepts uploads of at most ${FACT} kilobytes.`;
/** One black pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';

/**
 * Asks an endpoint what it supports with a model: a plain question first, then one small call for
 * each feature, with a fact to find where that tells more than a status. Some six calls of at most
 * 1,500 output tokens. Rejects only if the endpoint cannot be reached.
 */
export async function probeEndpoint(
  client: ModelClient,
  model: string,
  signal?: AbortSignal,
): Promise<Probe> {
  const refusal = await plainRefusal(client, model, signal);
  if (refusal !== null) return { refusal };
  const ask = asker(client, model, signal);
  const results: ProbeResult[] = [];
  for (const [feature, probe] of PROBES) results.push({ feature, ...(await probe(ask)) });
  return { refusal: null, results };
}

/**
 * Asks a plain question. Null if it is answered, else how it was refused. Rejects if the endpoint
 * cannot be reached.
 */
export async function plainRefusal(
  client: ModelClient,
  model: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const ask = asker(client, model, signal);
  const plain = await ask({ messages: [{ role: 'user', content: 'Say: ready.' }] });
  return typeof plain === 'string' ? plain : null;
}

function asker(client: ModelClient, model: string, signal?: AbortSignal): Ask {
  return async params => {
    try {
      return await client.messages.create(
        { model, max_tokens: MAX_TOKENS, messages: question([]), ...params },
        signal && { signal },
      );
    } catch (error) {
      if (error instanceof APIError && error.status !== undefined)
        return `refused with ${error.status}`;
      throw error;
    }
  };
}

type Ask = (params: Partial<Params>) => Promise<Message | string>;
type Verdict = Omit<ProbeResult, 'feature'>;

const PROBES: readonly (readonly [FeatureName, (ask: Ask) => Promise<Verdict>])[] = [
  ['citations', probeCitations],
  ['context-management', probeContextManagement],
  ['prompt-caching', probeCaching],
  ['thinking', probeThinking],
  ['images', probeImages],
];

async function probeCitations(ask: Ask): Promise<Verdict> {
  const answer = await ask({
    messages: question([
      {
        type: 'search_result',
        source: 'https://docs.example/marlowe',
        title: 'Marlowe',
        content: [{ type: 'text', text: PASSAGE }],
        citations: { enabled: true },
      },
    ]),
  });
  if (typeof answer === 'string') return { works: false, says: answer };
  const texts = answer.content.flatMap(block => (block.type === 'text' ? [block] : []));
  const cited = texts.some(block =>
    block.citations?.some(citation => citation.type === 'search_result_location'),
  );
  if (cited) return { works: true, says: 'search results are read and cited' };
  const read = texts.some(block => /48[,.\s]?613/.test(block.text));
  return {
    works: false,
    says: read ? 'search results are read, not cited' : 'search results are ignored',
  };
}

async function probeContextManagement(ask: Ask): Promise<Verdict> {
  const answer = await ask({
    context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
  } as Partial<Params>);
  if (typeof answer === 'string') return { works: false, says: answer };
  const works = 'context_management' in answer && answer.context_management != null;
  return { works, says: works ? 'old tool results are dropped there' : 'ignored' };
}

async function probeCaching(ask: Ask): Promise<Verdict> {
  const answer = await ask({
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  });
  if (typeof answer === 'string') return { works: false, says: answer };
  const works = typeof answer.usage.cache_read_input_tokens === 'number';
  return { works, says: works ? 'cached tokens are reported' : 'no cached tokens are reported' };
}

async function probeThinking(ask: Ask): Promise<Verdict> {
  const answer = await ask({ thinking: { type: 'adaptive' } });
  if (typeof answer === 'string') return { works: false, says: answer };
  const works = answer.content.some(
    block => block.type === 'thinking' || block.type === 'redacted_thinking',
  );
  return { works, says: works ? 'thinking blocks are returned' : 'no thinking block came back' };
}

async function probeImages(ask: Ask): Promise<Verdict> {
  const answer = await ask({
    messages: question([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
    ]),
  });
  return typeof answer === 'string'
    ? { works: false, says: answer }
    : { works: true, says: 'image blocks are accepted' };
}

function question(blocks: Anthropic.ContentBlockParam[]): Anthropic.MessageParam[] {
  return [{ role: 'user', content: [...blocks, { type: 'text', text: QUESTION }] }];
}
