import { blocksOf, type MessagesRequest, type RequestMessage } from './messages-protocol.ts';

/**
 * Holds a body against what the API itself would refuse; returns the sentence of the refusal,
 * or undefined where the body is a request.
 */
export function refuse(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return 'The request body is not valid JSON.';
  const request = body as Partial<MessagesRequest>;
  if (typeof request.model !== 'string') return 'model: Field required';
  if (!Number.isInteger(request.max_tokens) || (request.max_tokens ?? 0) < 1)
    return 'max_tokens: Input should be greater than or equal to 1';
  if (!Array.isArray(request.messages)) return 'messages: Field required';
  if (request.messages.length === 0) return 'messages: at least one message is required';
  return refuseMessages(request.messages);
}

const UNANSWERED = '`tool_use` ids were found without `tool_result` blocks immediately after';
const UNEXPECTED = 'unexpected `tool_use_id` found in `tool_result` blocks';

function refuseMessages(messages: RequestMessage[]): string | undefined {
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message?.role !== 'user' && message?.role !== 'assistant')
      return `messages.${index}.role: Input should be 'user' or 'assistant'`;
    const blocks = blocksOf(message.content);
    if (blocks.length === 0 && index < messages.length - 1)
      return (
        `messages.${index}: all messages must have non-empty content ` +
        'except for the optional final assistant message'
      );
    if (blocks.some(block => block.type === 'text' && !block.text))
      return 'messages: text content blocks must be non-empty';
    const results = blocks
      .filter(block => block.type === 'tool_result')
      .map(block => block.tool_use_id ?? '');
    const missing = open.filter(id => !results.includes(id));
    if (missing.length > 0) return `messages.${index}: ${UNANSWERED}: ${missing.join(', ')}.`;
    const stray = results.filter(id => !open.includes(id));
    if (stray.length > 0) return `messages.${index}: ${UNEXPECTED}: ${stray.join(', ')}.`;
    open =
      message.role === 'assistant'
        ? blocks.filter(block => block.type === 'tool_use').map(block => block.id ?? '')
        : [];
  }
  return open.length > 0 ? `messages: ${UNANSWERED}: ${open.join(', ')}.` : undefined;
}
