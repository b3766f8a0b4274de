import type { ScriptedReply } from '../../support/scripted-model.ts';

/** An edit of docs/index.md. */
export const edit = (from: string, to: string): ScriptedReply => ({
  text: `Replacing ${from}.`,
  toolUses: [
    {
      name: 'str_replace_based_edit_tool',
      input: { command: 'str_replace', path: 'docs/index.md', old_str: from, new_str: to },
    },
  ],
});
export const finish = (title: string, body = `${title}.`): ScriptedReply => ({
  toolUses: [{ name: 'finish', input: { title, body, message: `${title}: done.` } }],
});
