import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Conversation } from '../../components/assistant/conversation.tsx';
import { useAssistantChat } from '../../components/assistant/use-assistant-chat.ts';
import { Button } from '../../components/controls/button.tsx';
import { Icon } from '../../components/text/icons.tsx';
import { AnswerCost } from '../../components/usage/answer-cost.tsx';
import { useOrganization, useProject } from '../../data/place.ts';
import { usageQuery } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';

const DAYS = 30;

/** Asks the real assistant with the chat SDK's own hook, as a docs site does. */
export function PlaygroundPage() {
  const { project } = useProject();
  const [round, setRound] = useState(0);
  return (
    <Page
      title="Playground"
      lead="The assistant as your readers see it."
      actions={<Button onClick={() => setRound(n => n + 1)}>New conversation</Button>}
    >
      <Round key={`${project.id} ${round}`} projectId={project.id} />
    </Page>
  );
}

function Round({ projectId }: { projectId: string }) {
  const chat = useAssistantChat(projectId);
  return (
    <div className="split">
      <Conversation
        chat={chat}
        empty="Ask something that your docs answer, and something that they do not."
        draft={`question ${projectId}`}
        placeholder="How do I …?"
        hint="Ctrl + Enter to ask"
      />
      <aside className="split-side" aria-label="About the answers">
        <Cost answers={chat.messages.length} isBusy={chat.busy} />
        <RawStream text={chat.raw} />
      </aside>
    </div>
  );
}

/** Read again after each answer. */
function Cost({ answers, isBusy }: { answers: number; isBusy: boolean }) {
  const { slug } = useOrganization();
  const usage = useQuery({ ...usageQuery(slug, DAYS), enabled: !isBusy });
  const { refetch } = usage;
  useEffect(() => {
    if (answers > 0 && !isBusy) void refetch();
  }, [answers, isBusy, refetch]);
  return usage.data ? <AnswerCost usage={usage.data} days={DAYS} /> : null;
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
