import '../../data/no-eval.ts';
import type { ChatStatus, UIMessage } from 'ai';
import { useState } from 'react';
import { ChatMessage } from '../../components/assistant/chat-message.tsx';
import {
  noOptions,
  type RequestOptions,
  RequestOptionsForm,
} from '../../components/assistant/request-options.tsx';
import { useAssistantChat } from '../../components/assistant/use-assistant-chat.ts';
import { Button } from '../../components/controls/button.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { TextBox } from '../../components/forms/text-box.tsx';
import { Icon } from '../../components/text/icons.tsx';
import { useProject } from '../../data/place.ts';
import { Page } from '../../layout/page.tsx';

/** Asks the real assistant with the chat SDK's own hook, as a docs site does. */
export function PlaygroundPage() {
  const { project } = useProject();
  const [round, setRound] = useState(0);
  return (
    <Page
      title="Playground"
      lead="The assistant as your readers get it: same route, same stream, same hook."
      actions={<Button onClick={() => setRound(n => n + 1)}>New conversation</Button>}
    >
      <Conversation key={`${project.id} ${round}`} projectId={project.id} />
    </Page>
  );
}

function Conversation({ projectId }: { projectId: string }) {
  const [options, setOptions] = useState<RequestOptions>(noOptions);
  const { messages, status, busy, error, raw, ask, stop } = useAssistantChat(projectId, options);
  return (
    <div className="split">
      <div className="stack">
        <Messages messages={messages} status={status} />
        {error && <Notice tone="bad">{sentence(error)}</Notice>}
        <TextBox
          draft={`question ${projectId}`}
          label="Question"
          placeholder="How do I …?"
          submit="Ask"
          busy={busy}
          error={null}
          onSubmit={ask}
          hint="Ctrl + Enter to ask"
        >
          {busy && (
            <Button
              small
              onClick={() => {
                void stop();
              }}
            >
              Stop
            </Button>
          )}
        </TextBox>
      </div>
      <aside className="split-side" aria-label="Request options">
        <RequestOptionsForm value={options} onChange={setOptions} />
        <RawStream text={raw} />
      </aside>
    </div>
  );
}

function Messages({ messages, status }: { messages: UIMessage[]; status: ChatStatus }) {
  const busy = status === 'submitted' || status === 'streaming';
  return (
    <div role="log" aria-label="Conversation" aria-live="polite">
      <ol className="chat">
        {messages.length === 0 && (
          <li className="chat-empty soft">
            Ask something that your docs answer, and something that they do not.
          </li>
        )}
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
  );
}

function RawStream({ text }: { text: string }) {
  return (
    <details className="card raw">
      <summary className="card-head">
        <h2>Raw stream</h2>
        <Icon name="chevrons" size={16} />
      </summary>
      <pre tabIndex={0} role="region" aria-label="Raw stream">
        {text || 'The events of the last answer appear here.'}
      </pre>
    </details>
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
