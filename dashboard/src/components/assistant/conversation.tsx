import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { TextBox } from '../forms/text-box.tsx';
import { ChatMessage } from './chat-message.tsx';
import type { useAssistantChat } from './use-assistant-chat.ts';

/** Questions to the assistant and its answers: in the playground, and beside a page of the docs. */
export function Conversation({
  chat: { messages, status, busy, error, ask, stop },
  empty,
  ...box
}: {
  chat: ReturnType<typeof useAssistantChat>;
  /** Before the first question. */
  empty?: string;
  draft: string;
  placeholder: string;
  hint?: ReactNode;
}) {
  return (
    <div className="stack">
      <div role="log" aria-label="Conversation" aria-live="polite">
        <ol className="chat">
          {empty && messages.length === 0 && <li className="chat-empty soft">{empty}</li>}
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
      {error && <Notice tone="bad">{sentence(error)}</Notice>}
      <TextBox label="Question" submit="Ask" busy={busy} error={null} onSubmit={ask} {...box}>
        {busy && (
          <Button small onClick={() => void stop()}>
            Stop
          </Button>
        )}
      </TextBox>
    </div>
  );
}

/** The message of the hook's error is the response body: a problem document. */
function sentence(error: Error): string {
  try {
    return (JSON.parse(error.message) as { detail?: string }).detail ?? error.message;
  } catch {
    return error.message;
  }
}
