import '../../data/no-eval.ts';
import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, type UIMessage } from 'ai';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { ChatMessage } from '../../components/assistant/chat-message.tsx';
import { TextBox } from '../../components/forms/text-box.tsx';
import { Icon } from '../../components/text/icons.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Page } from '../../layout/page.tsx';
import {
  emptyTrial,
  type Trial,
  TrialForm,
  trialBody,
} from '../../components/assistant/request-options.tsx';
import { useProject } from '../../data/place.ts';
import { urlOf } from '../../data/request.ts';

type DocsMessage = UIMessage<{ threadId?: string }>;

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
  const [trial, setTrial] = useState<Trial>(emptyTrial);
  const [raw, setRaw] = useState('');
  const latest = useRef({ trial, threadId: undefined as string | undefined });
  useEffect(() => {
    latest.current.trial = trial;
  }, [trial]);
  const [transport] = useState(
    () =>
      new DefaultChatTransport<DocsMessage>({
        api: urlOf('POST /projects/:projectId/assistant', { params: { projectId } }),
        prepareSendMessagesRequest: ({ messages }) => ({
          body: { messages, threadId: latest.current.threadId, ...trialBody(latest.current.trial) },
        }),
        fetch: async (input, init) => {
          setRaw('');
          return readAlong(await fetch(input, init), text => setRaw(old => old + text));
        },
      }),
  );
  const { messages, sendMessage, status, stop, error, clearError } = useChat<DocsMessage>({
    transport,
    onFinish: ({ message }) => {
      latest.current.threadId = message.metadata?.threadId ?? latest.current.threadId;
    },
  });
  const busy = status === 'submitted' || status === 'streaming';
  const ask = async (text: string) => {
    clearError();
    void sendMessage({ text });
  };
  return (
    <div className="split">
      <div className="stack">
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
        {error && <Notice tone="bad">{sentence(error)}</Notice>}
        <TextBox
          label="Question"
          placeholder="How do I …?"
          submit="Ask"
          busy={busy}
          error={null}
          onSubmit={ask}
          hint="Ctrl + Enter asks"
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
      <aside className="split-side" aria-label="What the request carries">
        <TrialForm value={trial} onChange={setTrial} />
        <details className="card raw">
          <summary className="card-head">
            <h2>Raw stream</h2>
            <Icon name="chevrons" size={16} />
          </summary>
          <pre tabIndex={0} role="region" aria-label="Raw stream">
            {raw || 'The events of the last answer appear here.'}
          </pre>
        </details>
      </aside>
    </div>
  );
}

/** The same answer, with its text told to `onText` as it passes. */
function readAlong(response: Response, onText: (text: string) => void): Response {
  if (!response.ok || !response.body) return response;
  const [forHook, forUs] = response.body.tee();
  const read = async () => {
    const reader = forUs.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) onText(part.value);
  };
  read().catch(() => undefined); // stopped: the hook shows what there is to show
  return new Response(forHook, response);
}

/** The hook's error of a refused request is the body: a problem document. */
function sentence(error: Error): string {
  try {
    return (JSON.parse(error.message) as { detail?: string }).detail ?? error.message;
  } catch {
    return error.message;
  }
}
