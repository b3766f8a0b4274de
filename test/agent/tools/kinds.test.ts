import type { ToolContext } from '../../../agent/tools/tool.ts';
import { call, toolContext } from './context.ts';

const MKDOCS = {
  'mkdocs.yml': `site_name: Kit
theme: !ENV [THEME, material]
plugins:
  - search
  - redirects:
      redirect_maps:
        'old.md': 'guides/install.md'
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
nav:
  # The home page comes first.
  - Home: index.md
  - Guides:
      - guides/install.md  # for newcomers
      - "Use it": guides/use.md
  - Help: help.md
`,
  'docs/index.md': '# Home\n\n[install](guides/install.md#npm) [use](./guides/use.md)\n',
  'docs/guides/install.md': '# Install\n\n## npm\n\n[use](use.md) [home](../index.md)\n',
  'docs/guides/use.md': '# Use\n\n[install](install.md)\n',
  'docs/help.md': '# Help\n',
};

const MDBOOK = {
  'book.toml': `[book]
title = "Kit"

[output.html.redirect]
"/old.html" = "guide/install.html"
`,
  'src/SUMMARY.md': `# Summary

[Welcome](README.md)

# Guide

- [Install](guide/install.md) <!-- keep -->
  - [On Linux](guide/linux.md)
- [Use](guide/use.md)
`,
  'src/README.md': '# Welcome\n\n[install](guide/install.md)\n',
  'src/guide/install.md': '# Install\n\n[use](use.md)\n',
  'src/guide/linux.md': '# Linux\n',
  'src/guide/use.md': '# Use\n\n[linux](linux.html)\n',
};

const SPHINX = {
  'docs/conf.py': 'project = "Kit"\nextensions = ["myst_parser"]\nhtml_theme = "furo"\n',
  'docs/index.md': `# Kit

\`\`\`{toctree}
:maxdepth: 2
:caption: Guides

guides/install
Use it <guides/use>
\`\`\`
`,
  'docs/guides/install.md': '# Install\n\n[use](use.md)\n',
  'docs/guides/use.md': '# Use\n\n:::{note}\n[install](install.md)\n:::\n',
  'docs/reference.rst': 'Reference\n=========\n\n.. toctree::\n   :maxdepth: 1\n\n   api\n',
  'docs/api.md': '# API\n',
};

const HUGO = {
  'hugo.toml': 'baseURL = "https://kit.example/"\ntitle = "Kit"\n',
  'content/_index.md': '---\ntitle: Home\n---\n',
  'content/docs/_index.md': '---\ntitle: Docs\n---\n',
  'content/docs/install.md': '---\ntitle: Install # keep\nweight: 10\n---\n\n[use](/docs/use/)\n',
  'content/docs/use.md': '+++\ntitle = "Use"\nweight = 20\n+++\n\n[install](../install/)\n',
  'content/docs/help.md': '---\ntitle: Help\nweight: 30\n---\n',
};

const text = async (context: ToolContext, path: string) =>
  (await context.workspace.readText(path)) ?? '';
const errors = async (context: ToolContext) =>
  (await context.check()).filter(({ severity }) => severity === 'error');

describe('MkDocs', () => {
  const make = () => toolContext(MKDOCS, { docsFolder: '' });

  it('moves a page with nav, redirects and links, comments and tags kept', async () => {
    const context = make();
    const { content } = await call(context, 'move_page', {
      from: 'docs/guides/install.md',
      to: 'docs/start/set-up.md',
    });
    expect(await text(context, 'mkdocs.yml')).toBe(
      MKDOCS['mkdocs.yml']
        .replace('- guides/install.md  # for', '- start/set-up.md  # for')
        .replace(
          "'old.md': 'guides/install.md'",
          "'old.md': 'start/set-up.md'\n        'guides/install.md': 'start/set-up.md'",
        ),
    );
    expect(await text(context, 'docs/index.md')).toBe(
      '# Home\n\n[install](start/set-up.md#npm) [use](./guides/use.md)\n',
    );
    expect(await text(context, 'docs/start/set-up.md')).toBe(
      '# Install\n\n## npm\n\n[use](../guides/use.md) [home](../index.md)\n',
    );
    expect(await text(context, 'docs/guides/use.md')).toContain('(../start/set-up.md)');
    expect(content).toContain('Its address was /guides/install/ and is now /start/set-up/.');
    expect(await errors(context)).toEqual([]);
  });

  it('deletes a page and leaves no nav entry', async () => {
    const context = make();
    await call(context, 'delete_page', { path: 'docs/help.md' });
    expect(await text(context, 'mkdocs.yml')).toBe(
      MKDOCS['mkdocs.yml'].replace('  - Help: help.md\n', ''),
    );
    expect(await errors(context)).toEqual([]);
  });

  it('lists a new page after another, and refuses to finish while nav names no page', async () => {
    const context = make();
    context.workspace.write('docs/guides/update.md', '# Update: how to\n');
    const { isError } = await call(context, 'edit_navigation', {
      action: 'add_page',
      page: 'docs/guides/update.md',
      title: 'Update: how to',
      after: 'Use it',
      group: ['Guides'],
    });
    expect(isError).toBeUndefined();
    expect(await text(context, 'mkdocs.yml')).toBe(
      MKDOCS['mkdocs.yml'].replace(
        '      - "Use it": guides/use.md\n',
        '      - "Use it": guides/use.md\n      - "Update: how to": guides/update.md\n',
      ),
    );
    expect(await errors(context)).toEqual([]);
    context.workspace.remove('docs/guides/update.md');
    const refused = await call(context, 'finish', { title: 'x', body: 'x', message: 'x' });
    expect(refused.finish).toBeUndefined();
    expect(refused.content).toContain('The navigation names guides/update.md');
  });

  it('adds a group, moves and renames entries', async () => {
    const context = make();
    context.workspace.write('docs/faq.md', '# FAQ\n');
    await call(context, 'edit_navigation', {
      action: 'add_group',
      title: 'More',
      pages: ['docs/faq.md'],
      after: 'Help',
    });
    await call(context, 'edit_navigation', { action: 'move', entry: 'Help', group: ['More'] });
    await call(context, 'edit_navigation', { action: 'rename', entry: 'More', title: 'Other' });
    const result = await call(context, 'edit_navigation', {
      action: 'move',
      entry: 'docs/index.md',
      group: ['Nowhere'],
    });
    expect(result).toMatchObject({ isError: true });
    expect(result.content).toContain('The groups are: Guides; Other.');
    expect(await text(context, 'mkdocs.yml')).toBe(
      MKDOCS['mkdocs.yml'].replace(
        '  - Help: help.md\n',
        '  - Other:\n      - FAQ: faq.md\n      - Help: help.md\n',
      ),
    );
    expect(await errors(context)).toEqual([]);
  });
});

describe('mdBook', () => {
  const make = () => toolContext(MDBOOK, { docsFolder: '' });

  it('moves a chapter with its place, its redirect and links', async () => {
    const context = make();
    await call(context, 'move_page', { from: 'src/guide/install.md', to: 'src/start/install.md' });
    expect(await text(context, 'src/SUMMARY.md')).toBe(
      MDBOOK['src/SUMMARY.md'].replace('guide/install.md', 'start/install.md'),
    );
    expect(await text(context, 'book.toml')).toBe(
      MDBOOK['book.toml'].replace(
        '"guide/install.html"\n',
        '"start/install.html"\n"/guide/install.html" = "../start/install.html"\n',
      ),
    );
    expect(await text(context, 'src/README.md')).toContain('(start/install.md)');
    expect(await text(context, 'src/start/install.md')).toContain('(../guide/use.md)');
    expect(await errors(context)).toEqual([]);
  });

  it('keeps the chapters below one that goes, and adds one in its place', async () => {
    const context = make();
    await call(context, 'delete_page', {
      path: 'src/guide/install.md',
      redirect_to: 'src/guide/use.md',
    });
    context.workspace.write('src/guide/mac.md', '# On macOS\n');
    await call(context, 'edit_navigation', {
      action: 'add_page',
      page: 'src/guide/mac.md',
      after: 'On Linux',
    });
    expect(await text(context, 'src/SUMMARY.md')).toBe(
      MDBOOK['src/SUMMARY.md']
        .replace('(guide/install.md)', '()')
        .replace('linux.md)\n', 'linux.md)\n  - [On macOS](guide/mac.md)\n'),
    );
    expect(await text(context, 'src/README.md')).toContain('(guide/use.md)');
    expect(await errors(context)).toEqual([]);
  });
});

describe('Sphinx', () => {
  const make = () => toolContext(SPHINX, { docsFolder: 'docs' });

  it('moves, lists and deletes pages in the toctrees', async () => {
    const context = make();
    await call(context, 'move_page', { from: 'docs/guides/use.md', to: 'docs/using/use.md' });
    expect(await text(context, 'docs/index.md')).toBe(
      SPHINX['docs/index.md'].replace('<guides/use>', '<using/use>'),
    );
    expect(await text(context, 'docs/guides/install.md')).toContain('(../using/use.md)');
    expect(await text(context, 'docs/using/use.md')).toContain('(../guides/install.md)');
    context.workspace.write('docs/guides/faq.md', '# FAQ\n');
    expect(await errors(context)).toMatchObject([{ path: 'docs/guides/faq.md' }]);
    await call(context, 'edit_navigation', {
      action: 'add_page',
      page: 'docs/guides/faq.md',
      after: 'docs/guides/install.md',
    });
    await call(context, 'delete_page', { path: 'docs/guides/install.md' });
    expect(await text(context, 'docs/index.md')).toBe(
      SPHINX['docs/index.md']
        .replace('guides/install\n', 'guides/faq\n')
        .replace('<guides/use>', '<using/use>'),
    );
  });
});

describe('Hugo', () => {
  const make = () => toolContext(HUGO, { docsFolder: 'content' });

  it('moves a page with an alias, and places one by weight', async () => {
    const context = make();
    const { content } = await call(context, 'move_page', {
      from: 'content/docs/use.md',
      to: 'content/docs/usage.md',
    });
    expect(content).toContain('Its address was /docs/use/ and is now /docs/usage/.');
    expect(await text(context, 'content/docs/usage.md')).toBe(
      '+++\ntitle = "Use"\nweight = 20\naliases = ["/docs/use/"]\n+++\n\n[install](../install/)\n',
    );
    expect(await text(context, 'content/docs/install.md')).toContain('[use](/docs/usage/)');
    context.workspace.write('content/docs/faq.md', '---\ntitle: FAQ\n---\n');
    await call(context, 'edit_navigation', {
      action: 'add_page',
      page: 'content/docs/faq.md',
      after: 'Install',
    });
    expect(await text(context, 'content/docs/faq.md')).toBe('---\ntitle: FAQ\nweight: 15\n---\n');
    await call(context, 'edit_navigation', { action: 'rename', entry: 'Install', title: 'Set up' });
    expect(await text(context, 'content/docs/install.md')).toContain('title: "Set up" # keep\n');
  });
});

describe('VitePress', () => {
  const FILES = {
    'docs/.vitepress/config.ts':
      "import { defineConfig } from 'vitepress';\n\nexport default defineConfig({\n  title: 'Kit',\n" +
      "  themeConfig: {\n    sidebar: [\n      // first steps\n      { text: 'Install', link: '/guide/install' },\n" +
      "      { text: 'Use', link: '/guide/use' },\n    ],\n  },\n});\n",
    'docs/index.md': '# Kit\n\n[install](/guide/install#npm)\n',
    'docs/guide/install.md': '# Install\n\n## npm\n\n[use](./use)\n',
    'docs/guide/use.md': '# Use\n\n[install](./install.md)\n',
  };

  it('moves a page with its entry in config.ts, and site paths stay site paths', async () => {
    const context = toolContext(FILES, { docsFolder: 'docs', allowMdxCode: true });
    const { content } = await call(context, 'move_page', {
      from: 'docs/guide/install.md',
      to: 'docs/start/install.md',
    });
    const config = await text(context, 'docs/.vitepress/config.ts');
    // Either the entry leads to the new place, or the file is named.
    const isListed = config.includes("link: '/start/install'");
    expect(isListed || content.includes('docs/.vitepress/config.ts')).toBe(true);
    expect(config).toContain('// first steps');
    expect(await text(context, 'docs/index.md')).toContain('(/start/install#npm)');
    expect(await text(context, 'docs/start/install.md')).toContain('(../guide/use)');
    expect(await text(context, 'docs/guide/use.md')).toContain('(../start/install.md)');
  });
});

describe('Docusaurus', () => {
  const FILES = {
    'docusaurus.config.js':
      "module.exports = {\n  title: 'Kit',\n  url: 'https://kit.example',\n  baseUrl: '/',\n" +
      "  presets: [['classic', { docs: { sidebarPath: './sidebars.json' } }]],\n};\n",
    'sidebars.json': '{\n  "docs": ["intro", "docker"]\n}\n',
    'docs/intro.md': '# Intro\n\n[docker](./docker.md) [same](/docs/docker)\n',
    'docs/docker.md': '# Docker\n\n[intro](intro.md)\n',
  };

  it('knows the page in sidebars.json though the project has the whole repository', async () => {
    const context = toolContext(FILES, { docsFolder: '' });
    const { content } = await call(context, 'move_page', {
      from: 'docs/docker.md',
      to: 'docs/run/docker.md',
    });
    expect(content).toContain('Its address was /docs/docker and is now /docs/run/docker.');
    expect(await text(context, 'sidebars.json')).toBe(
      FILES['sidebars.json'].replace('"docker"', '"run/docker"'),
    );
    expect(await text(context, 'docs/intro.md')).toBe(
      '# Intro\n\n[docker](./run/docker.md) [same](/docs/run/docker)\n',
    );
    // Docusaurus finds intro.md from the top of the docs as well, so the link stays.
    expect(await errors(context)).toEqual([]);
  });
});

describe('docs.json', () => {
  const FILES = {
    'docs/docs.json':
      '{\n  "name": "Kit",\n  "navigation": {\n    "groups": [\n' +
      '      { "group": "Start", "pages": ["index", "install"] },\n' +
      '      {\n        "group": "Guides",\n        "pages": [\n          "guides/use",\n          "guides/help"\n        ]\n      }\n    ]\n  }\n}\n',
    'docs/index.md': '---\ntitle: Home\n---\n',
    'docs/install.md': '---\ntitle: Install\n---\n',
    'docs/guides/use.md': '---\ntitle: Use\n---\n',
    'docs/guides/help.md': '---\ntitle: Help\n---\n',
    'docs/guides/faq.md': '---\ntitle: FAQ\n---\n',
  };
  const edit = async (...edits: Record<string, unknown>[]) => {
    const context = toolContext(FILES);
    const results = [];
    for (const one of edits) results.push(await call(context, 'edit_navigation', one));
    return { context, results, json: await text(context, 'docs/docs.json') };
  };

  it('lists a page after another one, moves and removes entries', async () => {
    const { json } = await edit(
      { action: 'add_page', page: 'docs/guides/faq.md', after: 'Use', group: ['Guides'] },
      { action: 'move', entry: 'Help', group: ['Start'], at: 'start' },
      { action: 'remove', entry: 'docs/install.md' },
      { action: 'rename', entry: 'Guides', title: 'How to' },
    );
    expect(json).toBe(
      FILES['docs/docs.json']
        .replace('["index", "install"]', '["guides/help", "index"]')
        .replace('"guides/use",\n          "guides/help"', '"guides/use",\n          "guides/faq"')
        .replace('"Guides"', '"How to"'),
    );
  });

  it('adds a group with pages that were elsewhere', async () => {
    const { json } = await edit({
      action: 'add_group',
      title: 'More',
      pages: ['docs/guides/faq.md', 'docs/guides/help.md'],
      after: 'Start',
    });
    expect(JSON.parse(json)).toMatchObject({
      navigation: {
        groups: [
          { group: 'Start' },
          { group: 'More', pages: ['guides/faq', 'guides/help'] },
          { group: 'Guides', pages: ['guides/use'] },
        ],
      },
    });
  });

  it('adds a group where it was asked for, though its pages stood before that place', async () => {
    const navigation = {
      groups: [
        { group: 'A', pages: ['index', 'install', { group: 'Inner', pages: ['guides/use'] }] },
        { group: 'B', pages: ['guides/help'] },
      ],
    };
    const files = { ...FILES, 'docs/docs.json': JSON.stringify({ navigation }, null, 2) };
    const context = toolContext(files, { docsFolder: 'docs' });
    const { isError } = await call(context, 'edit_navigation', {
      action: 'add_group',
      title: 'New',
      pages: ['docs/install.md', 'docs/guides/help.md'],
      before: 'Inner',
    });
    expect(isError).toBeUndefined();
    expect(JSON.parse(await text(context, 'docs/docs.json'))).toEqual({
      navigation: {
        groups: [
          {
            group: 'A',
            pages: [
              'index',
              { group: 'New', pages: ['install', 'guides/help'] },
              { group: 'Inner', pages: ['guides/use'] },
            ],
          },
        ],
      },
    });
  });

  it('says which groups there are, and what to do with titles and redirects', async () => {
    const { results } = await edit(
      { action: 'add_page', page: 'docs/guides/faq.md', group: ['Other'] },
      { action: 'rename', entry: 'docs/install.md', title: 'x' },
      { action: 'add_page', page: 'docs/install.md' },
      { action: 'add_redirect', from: '/old', to: '/install' },
    );
    expect(results.map(({ content }) => content)).toEqual([
      expect.stringContaining('The groups are: Start; Guides.'),
      expect.stringContaining('set `title` or `sidebarTitle`'),
      expect.stringContaining('is in the navigation already'),
      expect.stringContaining('has no list of redirects'),
    ]);
  });
});

describe('a plain folder', () => {
  it('keeps the list of pages in a README', async () => {
    const context = toolContext({
      'docs/README.md': '# Kit\n\n- [Install](install.md) - first\n- [Use](use.md)\n\nMore text.\n',
      'docs/install.md': '# Install\n',
      'docs/use.md': '# Use\n',
      'docs/faq.md': '# FAQ\n',
    });
    await call(context, 'edit_navigation', {
      action: 'add_page',
      page: 'docs/faq.md',
      after: 'Install',
    });
    await call(context, 'delete_page', { path: 'docs/use.md' });
    await call(context, 'move_page', { from: 'docs/install.md', to: 'docs/start/install.md' });
    expect(await text(context, 'docs/README.md')).toBe(
      '# Kit\n\n- [Install](start/install.md) - first\n- [FAQ](faq.md)\n\nMore text.\n',
    );
    expect(await errors(context)).toEqual([]);
  });
});
