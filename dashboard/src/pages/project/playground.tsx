import { useState } from 'react';
import { Conversation } from '../../components/assistant/conversation.tsx';
import {
  noOptions,
  type RequestOptions,
  RequestOptionsForm,
} from '../../components/assistant/request-options.tsx';
import { useAssistantChat } from '../../components/assistant/use-assistant-chat.ts';
import { Button } from '../../components/controls/button.tsx';
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
      <Round key={`${project.id} ${round}`} projectId={project.id} />
    </Page>
  );
}

function Round({ projectId }: { projectId: string }) {
  const [options, setOptions] = useState<RequestOptions>(noOptions);
  const chat = useAssistantChat(projectId, options);
  return (
    <div className="split">
      <Conversation
        chat={chat}
        empty="Ask something that your docs answer, and something that they do not."
        draft={`question ${projectId}`}
        placeholder="How do I …?"
        hint="Ctrl + Enter to ask"
      />
      <aside className="split-side" aria-label="Request options">
        <RequestOptionsForm value={options} onChange={setOptions} />
        <RawStream text={chat.raw} />
      </aside>
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
