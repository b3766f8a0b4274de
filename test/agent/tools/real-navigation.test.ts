import { policyViolations } from '../../../agent/policy/policy.ts';
import type { ToolContext } from '../../../agent/tools/tool.ts';
import { call, toolContext } from './context.ts';

async function text({ workspace }: ToolContext, path: string): Promise<string> {
  return (await workspace.read(path))?.toString('utf8') ?? '';
}

describe('the navigation of real sites', () => {
  it('has redirects of Docusaurus in a file of their own', async () => {
    const redirects = '/** Old to new. */\nexport const redirects = [\n  // By hand\n];\n';
    const context = toolContext({
      'docusaurus.config.js': `import { redirects } from './redirects.config.js';
export default { url: 'https://x.example', baseUrl: '/', presets: [['classic', { docs: {} }]],
  plugins: [['@docusaurus/plugin-client-redirects', { redirects }]] };`,
      'redirects.config.js': redirects,
      'docs/a.md': '# A\n',
    });
    await call(context, 'move_page', { from: 'docs/a.md', to: 'docs/b.md' });
    expect(await text(context, 'redirects.config.js')).toContain(
      "{ from: '/docs/a', to: '/docs/b' }",
    );
    expect(await policyViolations(context.workspace, context.project)).toEqual([]);
  });

  it('keeps the weights of Hugo that need no change', async () => {
    const page = (title: string, weight: number) =>
      `---\ntitle: ${title}\nweight: ${weight}\n---\n`;
    const context = toolContext(
      {
        'hugo.toml': 'title = "x"\n',
        'content/g/_index.md': '---\ntitle: G\n---\n',
        'content/g/a.md': page('A', 2),
        'content/g/b.md': page('B', 2),
        'content/g/c.md': page('C', 3),
        'content/g/d.md': page('D', 6),
        'content/g/new.md': '---\ntitle: New\n---\n',
      },
      { docsFolder: 'content' },
    );
    await call(context, 'edit_navigation', {
      action: 'add_page',
      page: 'content/g/new.md',
      after: 'content/g/b.md',
    });
    const changes = [...(await context.workspace.changes())].map(([path, bytes]) => [
      path,
      /weight: \d+/.exec(String(bytes))?.[0],
    ]);
    expect(Object.fromEntries(changes)).toEqual({
      'content/g/c.md': 'weight: 4',
      'content/g/new.md': 'weight: 3',
    });
  });

  it('names a page from the docs folder in awesome-nav, as the entries beside it do', async () => {
    const nav = 'nav:\n  - One: about/one.md\n';
    const context = toolContext({
      'mkdocs.yml': 'site_name: X\nplugins:\n  - awesome-nav\n',
      'docs/index.md': '# H\n',
      'docs/about/.nav.yml': nav,
      'docs/about/one.md': '# One\n',
      'docs/about/two.md': '# Two\n',
    });
    await call(context, 'edit_navigation', {
      action: 'add_page',
      page: 'docs/about/two.md',
      after: 'docs/about/one.md',
    });
    expect(await text(context, 'docs/about/.nav.yml')).toBe(`${nav}  - Two: about/two.md\n`);
  });
});
