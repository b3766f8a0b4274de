import { type JobStack, startJobStack } from '../support/job-stack.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

const CONFIG = `site_name: Kit
# The order that readers see.
nav:
  - Home: index.md
  - Guides:
      - guides/install.md # first
      - guides/use.md
  - Help: help.md
`;
const FILES = {
  'mkdocs.yml': CONFIG,
  'docs/index.md': '# Home\n\n[install](guides/install.md)\n',
  'docs/guides/install.md': '# Install\n',
  'docs/guides/use.md': '# Use\n',
  'docs/help.md': '# Help\n',
};
const EDITOR = 'str_replace_based_edit_tool';
const FINISH = { name: 'finish', input: { title: 'Tidy up', body: 'As asked.', message: 'Done.' } };

/** A deletion by hand leaves an entry; the tools do not. */
const SCRIPT: ScriptedReply[] = [
  { toolUses: [{ name: 'delete_page', input: { path: 'docs/help.md' } }] },
  {
    toolUses: [
      {
        name: 'move_page',
        input: { from: 'docs/guides/install.md', to: 'docs/guides/set-up.md' },
      },
    ],
  },
  {
    toolUses: [
      {
        name: EDITOR,
        input: { command: 'create', path: 'docs/guides/faq.md', file_text: '# FAQ\n' },
      },
    ],
  },
  {
    toolUses: [
      {
        name: 'edit_navigation',
        input: {
          action: 'add_page',
          page: 'docs/guides/faq.md',
          after: 'docs/guides/set-up.md',
          group: ['Guides'],
        },
      },
    ],
  },
  { toolUses: [FINISH] },
];

describe('a job on a MkDocs site', () => {
  let stack: JobStack;
  let played = 0;
  beforeAll(async () => {
    stack = await startJobStack({
      files: FILES,
      script: () => SCRIPT[played++] ?? { text: 'Nothing to do.' },
    });
  });
  afterAll(() => stack.close());

  it('opens a pull request whose nav is whole, in a file outside the docs folder', async () => {
    const { id } = await stack.create('Tidy up the guides.');
    const job = await stack.rest(id);
    expect(job.prLink).not.toBeNull();
    const branches = stack.git('branch', '--list', '--format=%(refname:short)').trim().split('\n');
    const branch = branches.find(name => name !== 'main') ?? '';
    expect(stack.git('show', `${branch}:mkdocs.yml`)).toBe(
      CONFIG.replace(
        '      - guides/install.md # first\n',
        '      - guides/set-up.md # first\n      - guides/faq.md\n',
      ).replace('  - Help: help.md\n', ''),
    );
    expect(stack.git('show', `${branch}:docs/index.md`)).toContain('(guides/set-up.md)');
  });
});
