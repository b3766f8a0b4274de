import { policyViolations } from '../../../agent/policy/policy.ts';
import { call, toolContext } from './context.ts';

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const FILES = {
  'docs/docs.json': json({
    navigation: {
      languages: [
        {
          language: 'en',
          groups: [
            {
              group: 'Start',
              pages: [
                'index',
                'guides/install',
                { group: 'Deep', root: 'guides/index', pages: ['guides/only'] },
              ],
            },
          ],
        },
        { $ref: './nav/fr.json' },
      ],
    },
    redirects: { $ref: './redirects.json' },
  }),
  'docs/nav/fr.json': '{ "language": "fr", "pages": ["fr/index", "/guides/install.mdx"] }\n',
  'docs/redirects.json': '[\n  { "source": "/old", "destination": "/guides/install" }\n]\n',
  'docs/index.mdx':
    '---\ntitle: Home\n---\n\n[a](/guides/install#npm) [b](guides/install.mdx?x=1) <Card href="/guides/install" /> ![c](/guides/install.png)\n\n`[code](/guides/install)`\n\n[d]: ./guides/install\n\n[/guides/install](/guides/install)\n',
  'docs/guides/index.md': '[install](./install) [only](only.md)\n',
  'docs/guides/install.mdx':
    '---\ntitle: Install\n---\n\n[home](../index.mdx) [up](.) [self](#npm) [only](./only) ![i](install.png)\n\n# npm\n',
  'docs/guides/install.png': 'png',
  'docs/guides/only.md': '# Only\n',
  'docs/fr/index.mdx': 'x',
  'README.md': '[docs](docs/guides/install.mdx)\n',
  'mkdocs.yml': 'nav:\n  - guides/install.md\n',
};

describe('move_page', () => {
  it('updates links, navigation and redirects', async () => {
    const context = toolContext(FILES);
    const result = await call(context, 'move_page', {
      from: '/guides/install',
      to: 'docs/start/set up.mdx',
    });
    const text = (path: string) => context.workspace.readText(path);
    expect(context.workspace.has('docs/guides/install.mdx')).toBe(false);
    expect(await text('docs/start/set up.mdx')).toBe(
      '---\ntitle: Install\n---\n\n[home](../index.mdx) [up](../guides) [self](#npm) [only](../guides/only) ![i](../guides/install.png)\n\n# npm\n',
    );
    expect(await text('docs/index.mdx')).toBe(
      '---\ntitle: Home\n---\n\n[a](/start/set%20up#npm) [b](start/set%20up.mdx?x=1) <Card href="/start/set%20up" /> ![c](/guides/install.png)\n\n`[code](/guides/install)`\n\n[d]: ./start/set%20up\n\n[/guides/install](/start/set%20up)\n',
    );
    expect(await text('docs/guides/index.md')).toBe(
      '[install](../start/set%20up) [only](only.md)\n',
    );
    expect(await text('docs/docs.json')).toBe(
      FILES['docs/docs.json'].replace('"guides/install"', '"start/set up"'),
    );
    expect(await text('docs/nav/fr.json')).toBe(
      '{ "language": "fr", "pages": ["fr/index", "/start/set up.mdx"] }\n',
    );
    expect(JSON.parse((await text('docs/redirects.json')) ?? '')).toEqual([
      { source: '/old', destination: '/start/set up' },
      { source: '/guides/install', destination: '/start/set up' },
    ]);
    expect(result.content).toContain('mkdocs.yml:2 names it');
    expect(await context.check()).toEqual([]);
  });

  it('moved there and back leaves the navigation as it was and no redirect that loops', async () => {
    const context = toolContext(FILES);
    await call(context, 'move_page', { from: 'guides/only.md', to: 'docs/other/only.md' });
    await call(context, 'move_page', { from: 'other/only.md', to: 'docs/guides/only.md' });
    const changes = await context.workspace.changes();
    expect([...changes.keys()]).toEqual(['docs/guides/install.mdx', 'docs/redirects.json']);
    expect(changes.get('docs/guides/install.mdx')?.toString()).toBe(
      FILES['docs/guides/install.mdx'].replace('./only', 'only'),
    );
    expect(JSON.parse(changes.get('docs/redirects.json')?.toString() ?? '')).toEqual([
      { source: '/old', destination: '/guides/install' },
      { source: '/other/only', destination: '/guides/only' },
    ]);
  });

  it('moves images within links, and reports which links of the page it could not update', async () => {
    const context = toolContext({
      'docs/a.md':
        '[![Logo](img/x.png)](b.md)\n\n<img src="img/x.png" srcset="img/x.png 1x, b.md 2x">\n\n[escaped](img/x\\_y.png)\n',
      'docs/b.md': '<a href=a.md>a</a>\n',
      'docs/c.mdx': '<Card href={"/a"} />\n',
      'docs/img/x.png': 'png',
      'docs/img/x_y.png': 'png',
    });
    const { content } = await call(context, 'move_page', { from: 'a.md', to: 'docs/s/a.md' });
    expect(await context.workspace.readText('docs/s/a.md')).toBe(
      '[![Logo](../img/x.png)](../b.md)\n\n<img src="../img/x.png" srcset="../img/x.png 1x, ../b.md 2x">\n\n[escaped](img/x\\_y.png)\n',
    );
    expect(await context.workspace.readText('docs/b.md')).toBe('<a href=s/a.md>a</a>\n');
    expect(await context.workspace.readText('docs/c.mdx')).toBe('<Card href={"/s/a"} />\n');
    expect(content).toContain(
      '- docs/s/a.md:5 has a relative link, which still starts from docs/a.md',
    );
    expect(await context.check()).toMatchObject([{ path: 'docs/s/a.md', line: 5 }]);
  });

  it('keeps the anchors of redirects, and says which one would hide the page', async () => {
    const redirects = [
      { source: '/old', destination: '/b#x' },
      { source: '/older', destination: '/b?x=1' },
      { source: '/new/:slug*', destination: '/b' },
      { source: '/other/*', destination: '/a' },
    ];
    const context = toolContext({
      'docs/docs.json': json({ redirects }),
      'docs/a.md': 'x\n',
      'docs/b.md': '# X\n',
    });
    const { content } = await call(context, 'move_page', { from: 'b.md', to: 'docs/new/b.md' });
    expect(JSON.parse((await context.workspace.readText('docs/docs.json')) ?? '')).toMatchObject({
      redirects: [
        { destination: '/new/b#x' },
        { destination: '/new/b?x=1' },
        {},
        { destination: '/a' },
        { source: '/b', destination: '/new/b' },
      ],
    });
    expect(content).toContain(
      '\n- docs/docs.json redirects /new/:slug*, which takes readers away from /new/b: change or remove that redirect',
    );
    expect(content).not.toContain('/other/*');
  });

  it('leaves a navigation file alone that is not UTF-8, and says so', async () => {
    const context = toolContext({
      'docs/docs.json': Buffer.from(
        json({ name: 'Caf\u00e9', navigation: { pages: ['a'] } }),
        'latin1',
      ),
      'docs/a.md': 'x\n',
    });
    const { content } = await call(context, 'move_page', { from: 'a.md', to: 'docs/b.md' });
    expect(content).toMatch(/Could not update these.*\n- docs\/docs\.json is not UTF-8 text/);
    expect([...(await context.workspace.changes()).keys()]).toEqual(['docs/a.md', 'docs/b.md']);
  });

  it.each([
    ['guides/only', 'docs/index.mdx', /exists already/],
    ['guides/only', 'README2.md', /Only files under docs/],
    ['guides/only', '../x.md', /"\.\."/],
    ['guides/onl', 'docs/x.md', /Nearest: docs\/guides\/only\.md/],
    ['docs/guides/install.png', 'docs/x.png', /not a page/],
    ['README.md', 'docs/x.md', /README\.md may not be changed/],
  ])('%s to %s is refused', async (from, to, message) => {
    const context = toolContext(FILES);
    expect(await call(context, 'move_page', { from, to })).toMatchObject({
      isError: true,
      content: expect.stringMatching(message),
    });
    expect((await context.workspace.changes()).size).toBe(0);
  });

  it('does not move what other pages import, unless the project allows new imports', async () => {
    const files = {
      'docs/a.mdx': 'import S from "/snippets/s.mdx"\n\n<S />\n',
      'docs/snippets/s.mdx': 'x\n',
    };
    const input = { from: 'snippets/s.mdx', to: 'docs/parts/s.mdx' };
    expect((await call(toolContext(files), 'move_page', input)).content).toContain('docs/a.mdx:1');
    const context = toolContext(files, { allowMdxCode: true });
    await call(context, 'move_page', input);
    expect(await context.workspace.readText('docs/a.mdx')).toBe(
      'import S from "/parts/s.mdx"\n\n<S />\n',
    );
  });
});

describe('delete_page', () => {
  it('takes it out of the navigation with the group it leaves empty, and names what still links to it', async () => {
    const context = toolContext({
      'docs/docs.json': json({
        navigation: {
          groups: [
            { group: 'A', pages: ['a'] },
            { group: 'B', pages: ['b'] },
          ],
        },
      }),
      'docs/a.md': '[b](/b)\n',
      'docs/b.md': 'x\n',
    });
    const result = await call(context, 'delete_page', { path: 'b.md' });
    expect(await context.workspace.readText('docs/docs.json')).toBe(
      json({ navigation: { groups: [{ group: 'A', pages: ['a'] }] } }),
    );
    expect(result.content).toContain('docs/a.md:1 links to it (/b)');
    expect(await context.check()).toMatchObject([
      { path: 'docs/a.md', line: 1, rule: 'link', severity: 'error' },
    ]);
  });

  it('with redirect_to leads links and redirects there', async () => {
    const context = toolContext(FILES);
    await call(context, 'delete_page', { path: '/guides/install', redirect_to: 'guides/only' });
    const text = (path: string) => context.workspace.readText(path);
    expect(await text('docs/guides/index.md')).toBe('[install](./only) [only](only.md)\n');
    expect(JSON.parse((await text('docs/redirects.json')) ?? '')).toContainEqual({
      source: '/guides/install',
      destination: '/guides/only',
    });
    expect(await text('docs/nav/fr.json')).toBe('{ "language": "fr", "pages": ["fr/index"] }\n');
    // The page that takes its place has none of its headings.
    expect(await text('docs/index.mdx')).not.toContain('#');
    expect(await context.check()).toEqual([]);
  });

  it('keeps a group whose root page stays', async () => {
    const context = toolContext(FILES);
    await call(context, 'delete_page', {
      path: 'guides/only.md',
      redirect_to: 'guides/index.md',
    });
    expect(await context.workspace.readText('docs/docs.json')).toContain('"root": "guides/index"');
    expect(await context.workspace.readText('docs/guides/index.md')).toBe(
      '[install](./install) [only](index.md)\n',
    );
  });

  it.each([
    [{ path: 'nowhere.md' }, /There is no file nowhere\.md/],
    [{ path: 'guides/only.md', redirect_to: '/nowhere' }, /redirect_to: There is no file/],
    // The policy refuses a redirect to another site, so the tool does not offer one.
    [{ path: 'guides/only.md', redirect_to: 'https://new.example/only' }, /redirect_to: /],
    [{ path: 'guides/only.md', redirect_to: 'guides/only' }, /is to be deleted/],
    [{ path: 'mkdocs.yml' }, /may not be changed/],
  ])('%j is refused', async (input, message) => {
    const context = toolContext(FILES);
    expect(await call(context, 'delete_page', input)).toMatchObject({
      isError: true,
      content: expect.stringMatching(message),
    });
    expect((await context.workspace.changes()).size).toBe(0);
  });
});

describe('a rename in letter case only', () => {
  const docs = {
    'docs/docs.json': json({ navigation: { pages: ['index', 'Guides/Install'] } }),
    'docs/index.md': '[install](Guides/Install.md) [again](/Guides/Install)\n',
    'docs/Guides/Install.md': '# Install\n\n[home](../index.md)\n',
  };

  it.each([
    ['docs/Guides/install.md', 'Guides/install'],
    ['docs/guides/install.md', 'guides/install'],
    ['docs/guides/Install.md', 'guides/Install'],
  ])('to %s takes links and navigation with it', async (to, address) => {
    const context = toolContext(docs);
    const result = await call(context, 'move_page', { from: 'docs/Guides/Install.md', to });
    expect([result.content, result.isError]).toEqual([
      expect.stringContaining(`Moved docs/Guides/Install.md to ${to}`),
      undefined,
    ]);
    expect(await context.workspace.readText(to)).toBe(docs['docs/Guides/Install.md']);
    expect(context.workspace.has('docs/Guides/Install.md')).toBe(false);
    expect(await context.workspace.readText('docs/index.md')).toBe(
      `[install](${address}.md) [again](/${address})\n`,
    );
    const navigation = await context.workspace.readText('docs/docs.json');
    expect(navigation).toContain(`"${address}"`);
    expect(navigation).not.toContain('redirects');
    expect(await policyViolations(context.workspace, context.project)).toEqual([]);
  });

  it('is refused where another file would stay beside it', async () => {
    const context = toolContext({ ...docs, 'docs/Guides/More.md': 'x\n' });
    expect(
      await call(context, 'move_page', { from: 'docs/Guides/Install.md', to: 'docs/guides/x.md' }),
    ).toMatchObject({ isError: true, content: expect.stringContaining('letter case') });
  });
});

describe('a sidebar that comes from a plugin', () => {
  const site = {
    'astro.config.mjs':
      "import starlight from '@astrojs/starlight';\nimport topics from 'starlight-sidebar-topics';\n" +
      "export default defineConfig({\n  integrations: [starlight({ title: 'x', plugins: [starlightSidebarTopics([])] })],\n});\n",
    'src/content/docs/index.md': '---\ntitle: Home\n---\n',
    'src/content/docs/a.md': '---\ntitle: A\n---\n',
  };

  it('is named when a page is made or deleted, and nothing is claimed', async () => {
    const context = toolContext(site, { docsFolder: 'src/content/docs' });
    const made = await call(context, 'str_replace_based_edit_tool', {
      command: 'create',
      path: 'src/content/docs/b.md',
      file_text: '---\ntitle: B\n---\n',
    });
    expect(made.content).toMatch(
      /not known\. astro\.config\.mjs:4: The sidebar comes from a plugin/,
    );
    expect(made.content).not.toContain('It is in the navigation');
    const deleted = await call(context, 'delete_page', { path: 'src/content/docs/a.md' });
    expect(deleted.content).toMatch(
      /astro\.config\.mjs:4: The sidebar .* It may still list the page/,
    );
  });
});
