import type Anthropic from '@anthropic-ai/sdk';

/** What Docent calls of the Messages API; the clients of all providers have it. */
export interface ModelClient {
  messages: Pick<Anthropic['messages'], 'create'>;
  beta: { messages: Pick<Anthropic['beta']['messages'], 'create'> };
}
