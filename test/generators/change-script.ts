import type { ScriptedReply } from '../support/scripted-model.ts';
import type { FixtureSite } from './fixture-sites.ts';

/** Paths below the docs folder, without their ending. */
export const MOVED = { from: 'start/first-service', to: 'guides/services' };
export const REMOVED = { path: 'guides/backups', to: 'guides/upgrade' };
export const NEW = { path: 'guides/monitor', after: 'guides/configure', title: 'Monitor services' };

/** What the model does: a move, a deletion, and a new page behind another one of its group. */
export function changeScript(site: FixtureSite): ScriptedReply[] {
  const file = (page: string) => `${site.docsFolder}/${page}${site.ending}`;
  const text = site.hasTitleInFrontMatter
    ? `---\ntitle: ${NEW.title}\n---\n\nRun \`harbor watch\`.\n\n## Alerts\n\nAlerts go to a file.\n`
    : `# ${NEW.title}\n\nRun \`harbor watch\`.\n\n## Alerts\n\nAlerts go to a file.\n`;
  return [
    {
      toolUses: [
        { name: 'move_page', input: { from: file(MOVED.from), to: file(MOVED.to) } },
        { name: 'delete_page', input: { path: file(REMOVED.path), redirect_to: file(REMOVED.to) } },
        {
          name: 'str_replace_based_edit_tool',
          input: { command: 'create', path: file(NEW.path), file_text: text },
        },
      ],
    },
    {
      toolUses: [
        {
          name: 'edit_navigation',
          input: {
            action: 'add_page',
            page: file(NEW.path),
            after: file(NEW.after),
            group: ['Guides'],
          },
        },
      ],
    },
    { toolUses: [{ name: 'check', input: {} }] },
    {
      toolUses: [
        {
          name: 'finish',
          input: { title: 'Rearrange the guides', body: 'As asked.', message: 'Done.' },
        },
      ],
    },
  ];
}
