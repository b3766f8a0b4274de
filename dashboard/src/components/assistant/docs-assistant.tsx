import { Conversation } from './conversation.tsx';
import { useAssistantChat } from './use-assistant-chat.ts';

/** The assistant beside a page of the docs. It answers from the indexed base. */
export function DocsAssistant({ projectId, path }: { projectId: string; path: string }) {
  const chat = useAssistantChat(projectId, path);
  return (
    <section aria-label="Assistant">
      <Conversation
        chat={chat}
        draft={`docs question ${projectId}`}
        placeholder="Ask about these docs"
      />
    </section>
  );
}
