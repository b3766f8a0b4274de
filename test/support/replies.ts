import type { MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';
import type { ScriptedAnswer, ScriptedReply } from './scripted-model.ts';

/** What a model of a script says, time and again. */

export const EDITOR = 'str_replace_based_edit_tool';
export const edit = (from: string, to: string, path = 'docs/guide.md'): ScriptedAnswer => ({
  text: `${from} becomes ${to}.`,
  toolUses: [{ name: EDITOR, input: { command: 'str_replace', path, old_str: from, new_str: to } }],
});
export const finish = (title: string, body = `${title}, as asked.`): ScriptedAnswer => ({
  toolUses: [{ name: 'finish', input: { title, body, message: `${title}: done.` } }],
});

/** Of files in which docs/guide.md says "The first line." */
export const EDIT = edit('first', 'second');
export const FINISH = finish('Say second');
/** Begins to speak and says nothing more for a minute. */
export const THINKING: ScriptedAnswer = { text: 'Thinking…', silentMs: 60_000 };

/** A reply that is given when the test says so. */
export function held(reply: ScriptedReply): { reply: Promise<ScriptedReply>; release(): void } {
  let release = (): void => undefined;
  const given = new Promise<ScriptedReply>(resolve => {
    release = () => resolve(reply);
  });
  return { reply: given, release };
}

/** Cites the first block of the first search result, as the real API would. */
export function cite(request: MessagesRequest) {
  const blocks = request.messages.flatMap(message =>
    typeof message.content === 'string' ? [] : message.content,
  );
  const found = blocks.find(block => block.type === 'search_result')!;
  return {
    type: 'search_result_location' as const,
    cited_text: '',
    search_result_index: 0,
    start_block_index: 0,
    end_block_index: 1,
    source: String(found.source),
    title: found.title ?? null,
  };
}
