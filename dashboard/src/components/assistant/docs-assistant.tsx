import '../../data/no-eval.ts';
import { Notice } from '../feedback/notice.tsx';
import { TextBox } from '../forms/text-box.tsx';
import { ChatMessage } from './chat-message.tsx';
import { noOptions } from './request-options.tsx';
import { useAssistantChat } from './use-assistant-chat.ts';

/** The assistant beside a page of the docs. It answers from the indexed base. */
export function DocsAssistant({ projectId, path }: { projectId: string; path: string }) {
  const { messages, status, busy, error, ask } = useAssistantChat(projectId, {
    ...noOptions,
    currentPath: path,
  });
  return (
    <section className="docs-assistant" aria-label="Assistant">
      <div role="log" aria-label="Conversation" aria-live="polite">
        <ol className="chat">
          {messages.map(message => (
            <ChatMessage
              key={message.id}
              message={message}
              streaming={busy && message.id === messages.at(-1)?.id}
            />
          ))}
          {status === 'submitted' && (
            <li className="working">
              <span className="spinner" /> Searching …
            </li>
          )}
        </ol>
      </div>
      {error && <Notice tone="bad">The question could not be answered. Try again.</Notice>}
      <TextBox
        draft={`docs question ${projectId}`}
        label="Question"
        placeholder="Ask about these docs"
        submit="Ask"
        busy={busy}
        error={null}
        onSubmit={ask}
      />
    </section>
  );
}
