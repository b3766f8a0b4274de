import type { ToolContext } from '../../activities/tools/tool.ts';
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
