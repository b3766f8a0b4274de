import { useState } from 'react';
import { Snippet } from '../controls/copy.tsx';
import { Segments } from '../controls/segments.tsx';

export function agentSnippet(baseUrl: string, projectId: string, key = '$ADMIN_KEY'): string {
  return `curl -X POST ${baseUrl}/v2/agent/${projectId}/job \\
  -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\
  -d '{"prompt": "Set the description of docs/index.md to \\"Start here\\""}'`;
}

function agentV1Snippet(baseUrl: string, projectId: string): string {
  const prompt = 'Set the description of docs/index.md to \\"Start here\\"';
  return `curl -N -X POST ${baseUrl}/v1/agent/${projectId}/job \\
  -H "Authorization: Bearer $ADMIN_KEY" -H "Content-Type: application/json" \\
  -d '{"messages": [{"role": "user", "content": "${prompt}"}]}'`;
}

/** `origins`: the ones that the key allows; a request without a page names one of them. */
export function assistantSnippet(
  baseUrl: string,
  domain: string,
  key = '$ASSISTANT_KEY',
  origins: readonly string[] = [],
): string {
  const message = '{"role": "user", "parts": [{"type": "text", "text": "How do I begin?"}]}';
  return `curl -N -X POST ${baseUrl}/discovery/v2/assistant/${domain}/message \\
  -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\${originHeader(origins)}
  -d '{"fp": "anonymous", "messages": [${message}]}'`;
}

function originHeader([origin]: readonly string[]): string {
  return origin === undefined ? '' : `\n  -H "Origin: ${origin.replace('*.', 'www.')}" \\`;
}

function hookSnippet(baseUrl: string, domain: string): string {
  return `import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport } from 'ai';

let threadId = null; // of this conversation
const transport = new DefaultChatTransport({
  api: '${baseUrl}/discovery/v2/assistant/${domain}/message',
  headers: { Authorization: 'Bearer ' + ASSISTANT_KEY },
  body: () => ({ fp: 'anonymous', threadId }),
});

export function Assistant() {
  const { messages, sendMessage } = useChat({
    transport,
    onFinish: ({ message }) => { threadId = message.metadata?.threadId ?? threadId; },
  });
  // sendMessage({ text: 'How do I begin?' })
}`;
}

const KINDS = [
  ['agent', 'Agent'],
  ['agent-v1', 'Agent, v1'],
  ['assistant', 'Assistant'],
  ['hook', 'React hook'],
] as const;

/** Examples with this project's ids, ready to paste. */
export function KeySnippets({
  baseUrl,
  projectId,
  domain,
}: {
  baseUrl: string;
  projectId: string;
  domain: string;
}) {
  const [kind, setKind] = useState<(typeof KINDS)[number][0]>('agent');
  const text = {
    agent: agentSnippet(baseUrl, projectId),
    'agent-v1': agentV1Snippet(baseUrl, projectId),
    assistant: assistantSnippet(baseUrl, domain),
    hook: hookSnippet(baseUrl, domain),
  }[kind];
  return (
    <section className="section" aria-labelledby="snippets">
      <div className="row-between">
        <h2 id="snippets">Examples</h2>
        <Segments label="Example" options={KINDS} value={kind} onChange={setKind} />
      </div>
      <Snippet text={text} what="example" />
      <p className="small faint">
        For everything else, see the <a href="/reference">API reference</a>.
      </p>
    </section>
  );
}
