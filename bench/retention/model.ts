import type { MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';
import { EDITOR } from '../../test/support/replies.ts';
import type { ScriptedReply } from '../../test/support/scripted-model.ts';

/** An instruction of the load: the model does it with one edit. */
export function instruction(page: number, from: string, to: string): string {
  return `Replace "${from}" by "${to}" in page-${page}.md.`;
}

/** Edits what the last instruction names, then finishes; answers readers with two sentences. */
export function answer(request: MessagesRequest): ScriptedReply {
  const isAgent = request.tools?.some(({ name }) => name === EDITOR);
  if (!isAgent) return { text: 'The widget is set on its page. See the page about it.' };
  const said = JSON.stringify(request.messages).replaceAll('\\"', '"');
  const all = [...said.matchAll(/Replace "(\w+)" by "(\w+)" in page-(\d+)\.md/g)];
  const [, from = '', to = '', page = ''] = all.at(-1) ?? [];
  if (said.includes(`"new_str":"${to}"`))
    return {
      toolUses: [
        {
          name: 'finish',
          input: {
            title: `Rename ${from}`,
            body: `Renames ${from} to ${to}.`,
            message: `${from} is now ${to}.`,
          },
        },
      ],
    };
  const input = { command: 'str_replace', path: `page-${page}.md`, old_str: from, new_str: to };
  return { toolUses: [{ name: EDITOR, input }] };
}
