import { agentPrompt } from '../../activities/prompts/system-prompt.ts';
import { siteInPrompt } from '../../activities/site/site-in-prompt.ts';
import { memorySnapshot } from '../support/memory-snapshot.ts';

const promptOf = async (files: Record<string, string>) =>
  agentPrompt({
    repository: 'acme/kit',
    docsFolder: 'docs',
    site: await siteInPrompt(memorySnapshot(files), { docsFolder: 'docs', kind: null }),
    baseRef: 'main',
    callerSystem: [],
    agentsFiles: [],
  });

describe('pages that are not read, in the prompt of the agent', () => {
  it.each([
    ['Sphinx', { 'docs/conf.py': 'extensions = ["myst_parser"]\n' }],
    ['a plain folder', {}],
  ])('are named in one sentence: %s', async (_kind, files) => {
    const read = { ...files, 'docs/index.md': '# Kit\n' };
    const prompt = await promptOf({ ...read, 'docs/a.rst': 'A\n=\n', 'docs/b.adoc': '= B\n' });
    expect(prompt).toContain(
      '\n1 reStructuredText page and 1 AsciiDoc page are not read: only Markdown is. ' +
        'Say so if the instruction is about them.\n',
    );
    expect(await promptOf(read)).not.toContain('not read');
  });
});
