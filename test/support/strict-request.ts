import type { MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';
import { blocksOf } from '../../offline-model/protocol/messages-protocol.ts';

/**
 * What the strictest servers refuse beside the order of messages: vLLM any tool without a schema,
 * the vendor repeated ids, inputs that are no objects, and messages that say nothing.
 */
export function strictRefusal({ tools = [], messages }: MessagesRequest): string | undefined {
  const schemaless = tools.findIndex(tool => !('input_schema' in tool) && !isNative(tool));
  if (schemaless !== -1) return `tools.${schemaless}.input_schema: Field required`;
  const ids = new Set<string>();
  for (const [at, { role, content }] of messages.entries()) {
    const blocks = blocksOf(content);
    if (blocks.some(({ type, text }) => type === 'text' && !text?.trim()))
      return `messages.${at}: text content blocks must contain non-whitespace text`;
    if (role === 'assistant' && blocks.every(({ type }) => type.endsWith('thinking')))
      return `messages.${at}: the content of a message may not be thinking only`;
    for (const block of blocks) {
      if (block.type !== 'tool_use') continue;
      const {
        id = '',
        name = '',
        input,
      } = block as { id?: string; name?: string; input?: unknown };
      if (!/^[a-zA-Z0-9_-]+$/.test(id)) return `messages.${at}: tool_use.id: ${id} does not match`;
      if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) return `messages.${at}: tool_use.name: ${name}`;
      if (ids.has(id)) return `messages.${at}: \`tool_use\` ids must be unique`;
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        return `messages.${at}: tool_use.input: Input should be a valid dictionary`;
      ids.add(id);
    }
  }
  return undefined;
}

function isNative({ type = '' }: { type?: string }): boolean {
  return type.startsWith('text_editor_');
}
