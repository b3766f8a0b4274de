import '../../data/no-eval.ts';
import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, type UIMessage } from 'ai';
import { useEffect, useRef, useState } from 'react';
import { urlOf } from '../../data/request.ts';

type DocsMessage = UIMessage<{ threadId?: string }>;

/**
 * The chat SDK's own hook, as a docs site uses it. `currentPath`: the page that is open. `raw` is
 * the stream of the last answer.
 */
export function useAssistantChat(projectId: string, currentPath?: string) {
  const [raw, setRaw] = useState('');
  const latest = useRef({ currentPath, threadId: undefined as string | undefined });
  useEffect(() => {
    latest.current.currentPath = currentPath;
  }, [currentPath]);
  const [transport] = useState(
    () =>
      new DefaultChatTransport<DocsMessage>({
        api: urlOf('POST /projects/:projectId/assistant', { params: { projectId } }),
        prepareSendMessagesRequest: ({ messages }) => {
          return { body: { messages, ...latest.current } };
        },
        fetch: async (input, init) => {
          setRaw('');
          return readAlong(await fetch(input, init), text => setRaw(old => old + text));
        },
      }),
  );
  const chat = useChat<DocsMessage>({
    transport,
    onFinish: ({ message }) => {
      latest.current.threadId = message.metadata?.threadId ?? latest.current.threadId;
    },
  });
  const ask = async (text: string) => {
    chat.clearError();
    void chat.sendMessage({ text });
  };
  return { ...chat, ask, raw, busy: chat.status === 'submitted' || chat.status === 'streaming' };
}

/** The same response; its text also goes to `onText` as it arrives. */
function readAlong(response: Response, onText: (text: string) => void): Response {
  if (!response.ok || !response.body) return response;
  const [forHook, forUs] = response.body.tee();
  const read = async () => {
    const reader = forUs.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) onText(part.value);
  };
  read().catch(() => undefined); // stopped: the hook shows the text so far
  return new Response(forHook, response);
}
