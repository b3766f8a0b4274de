import type { AssistantDeps } from '../../assistant/deps.ts';
import { answerQuestion } from '../../assistant/answer/answer-question.ts';
import { openAnswer } from '../../assistant/routes/answer-message.ts';
import type { AnswerEvent, Encoding, Source } from '../../assistant/wire/answer-events.ts';
import { Problem } from '../../../shared/errors.ts';
import { ANONYMOUS } from '../../../db/assistant/threads.ts';
import type { McpExchange } from '../tool.ts';
import { siteAddresses } from './site-addresses.ts';

export interface WholeAnswer {
  text: string;
  sources: Source[];
  threadId: string;
  messageId: string;
}

/** Pages to read next, which the answer ends with for chats. */
const SUGGESTIONS = /\s*```suggestions\n[^`]*```\s*/g;

/** An answer of the assistant, whole: admitted, counted and stored as one over HTTP. */
export async function askWhole(
  deps: AssistantDeps,
  { request, reply, progress }: McpExchange,
  { question, goal, threadId }: { question: string; goal?: string; threadId?: string },
): Promise<WholeAnswer> {
  const collected = new CollectedAnswer();
  const answer = await openAnswer(
    deps,
    request,
    reply,
    {
      fp: ANONYMOUS,
      ...(threadId !== undefined && { threadId }),
      ...(goal !== undefined && { context: [{ type: 'textSelection' as const, value: goal }] }),
      messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }],
    },
    collected.encoding,
  );
  try {
    await progress('Reading the docs'); // from here on the stream is kept open
    await answerQuestion(answer);
  } finally {
    answer.out.end();
    answer.out.destroy();
  }
  if (collected.failure !== undefined) throw new Problem('unavailable', collected.failure);
  const said = collected.text.replace(SUGGESTIONS, '').trim();
  const site = await siteAddresses(deps, request.project);
  const [text = said] = await site.absolute([{ path: '/', text: said }]);
  return {
    ...{ text, sources: collected.sources },
    ...{ threadId: answer.request.thread.id, messageId: answer.messageId },
  };
}

/** Takes the place of a wire format: it keeps what others write out. */
class CollectedAnswer {
  text = '';
  sources: Source[] = [];
  failure: string | undefined;
  readonly encoding: Encoding = {
    headers: {},
    keepAlive: '',
    encode: event => {
      this.#take(event);
      return '';
    },
  };

  #take(event: AnswerEvent): void {
    if (event.type === 'text') this.text += event.text;
    else if (event.type === 'text-end') this.text += '\n\n';
    else if (event.type === 'error') this.failure = event.sentence;
    else if (event.type === 'finish') this.sources = event.sources;
  }
}
