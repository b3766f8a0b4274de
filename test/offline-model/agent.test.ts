import { runPrompt } from '../../automations/run-prompt.ts';
import { openWorkspace } from '../../agent/workspace.ts';
import { runAgentLoop } from '../../bench/agent-loop.ts';
import { OFFLINE_MODEL } from '../../shared/agent-text.ts';
import { FORMS } from '../../offline-model/forms.ts';
import { memorySnapshot } from '../support/memory-snapshot.ts';
import { offlineJob } from './offline-job.ts';
import { useOfflineModel } from './use-offline-model.ts';

const offline = useOfflineModel();

const SITE = {
  'docs/docs.json':
    '{\n  "navigation": {\n    "pages": [\n      "index",\n      "install",\n      "guides/workspaces"\n    ]\n  }\n}\n',
  'docs/index.md':
    '---\ntitle: Welcome\n---\n\nStart with [Install](/install), then make a workspace.\n',
  'docs/install.md':
    '---\ntitle: "Install"\ndescription: How to install.\n---\n\nYou need Node.js 18.\n\n```bash\nnpm install acme@1.2.3 # the workspace comes later\n```\n\nA workspace holds files. Workspaces are cheap. You may have up to 3 workspaces.\n',
  'docs/guides/workspaces.md':
    '---\ntitle: Workspaces\n---\n\nAn old workspace stays. See [install](../old/install.md) and [home](/index).\n\nMore: http://semver.org and http://localhost:3000. We recieve mail. The `maxRetires` flag, or maxRetries.\n',
};

const job = (instruction: string, files: Record<string, string> = SITE) =>
  offlineJob(offline.client, instruction, files);

const page = (path: keyof typeof SITE, ...changes: [string, string][]) =>
  changes.reduce((text, [from, to]) => text.replaceAll(from, to), SITE[path]);

describe('its instructions, through the real tools', () => {
  it('are those that a person wrote of an automation', async () => {
    const instruction = 'Rename "workspace" to "project"';
    const automation = { name: 'Weekly', trigger: { kind: 'manual' }, instruction } as const;
    const definition = { ...automation, context: [], paths: [], labels: [], draft: true };
    const { finished } = await job(runPrompt(definition, { kind: 'hand' }, undefined));
    expect(finished).toMatchObject({ title: instruction });
  });

  it('renames a term where readers read it, and says where else it is', async () => {
    const { diff, finished } = await job('Rename "workspace" to "project"');
    expect(diff).toEqual({
      'docs/index.md': page('docs/index.md', ['workspace', 'project']),
      'docs/install.md': page('docs/install.md', ['A workspace holds', 'A project holds']),
      'docs/guides/workspaces.md': page('docs/guides/workspaces.md', [
        'old workspace',
        'old project',
      ]),
    });
    expect(finished).toMatchObject({
      title: 'Rename "workspace" to "project"',
      message:
        'Replaced “workspace” with “project” in 3 places on 3 pages. ' +
        '“workspace” is still on 1 line: docs/install.md:9.',
    });
  });

  it('counts only what it was allowed to change', async () => {
    const skill = '# Workspaces\n\nA workspace.\n\nEach workspace has files.\n';
    const { diff, finished } = await job('Rename "workspace" to "project"', {
      ...SITE,
      'docs/skills/make/SKILL.md': skill,
    });
    expect(Object.keys(diff)).toEqual([
      'docs/guides/workspaces.md',
      'docs/index.md',
      'docs/install.md',
    ]);
    const { message = '' } = finished ?? {};
    expect(message).toMatch(/^Not done, or only in part: Replaced .+ in 3 places on 3 pages\. /);
    expect(message).toContain('docs/skills/make/SKILL.md may not be changed.');
    expect(message.match(/may not be changed/g)).toHaveLength(1);
  });

  it('says so where it was allowed to change nothing', async () => {
    const { diff, finished, message } = await job('Rename "workspace" to "project"', {
      'docs/index.md': '# Home\n',
      'docs/skills/make/SKILL.md': 'A workspace.\n',
    });
    expect(diff).toEqual({});
    expect(finished).toBeNull();
    expect(message).toMatch(
      /^I changed nothing\. docs\/skills\/make\/SKILL\.md may not be changed/,
    );
  });

  it.each([
    ['docs/index.md', ['docs/index.md']],
    ['index', ['docs/index.md']],
    ['/index.md', ['docs/index.md']],
    ['guides', ['docs/guides/workspaces.md']],
    ['docs/guides/', ['docs/guides/workspaces.md']],
    ['docs', ['docs/guides/workspaces.md', 'docs/index.md', 'docs/install.md']],
  ])('keeps to the page or folder that is named: %s', async (place, expected) => {
    const { diff } = await job(`Replace "workspace" with "project" in ${place}`);
    expect(Object.keys(diff)).toEqual(expected);
  });

  it('takes a folder for a folder, not for its index page', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 15 }, (_, index) => [`docs/en/p${index}.md`, 'The default theme.\n']),
    );
    const { diff, finished } = await job('Rename "default theme" to "base theme" in docs/en', {
      ...files,
      'docs/en/index.md': '# Home\n',
      'docs/de/a.md': 'The default theme.\n',
    });
    expect(diff).toEqual(
      Object.fromEntries(Object.keys(files).map(path => [path, 'The base theme.\n'])),
    );
    expect(finished?.message).toContain('in 15 places on 15 pages in docs/en');
  });

  it('asks which one, where a page and a folder have the name', async () => {
    const files = { 'docs/en.md': 'a b\n', 'docs/en/index.md': 'a b\n' };
    const { diff, message } = await job('Replace "a" with "c" in en', files);
    expect(diff).toEqual({});
    expect(message).toContain('“en” can be docs/en.md or the folder docs/en/');
    expect(Object.keys((await job('Replace "a" with "c" in en/', files)).diff)).toEqual([
      'docs/en/index.md',
    ]);
  });

  it('says where a phrase is that it cannot replace, in code and across lines', async () => {
    const { diff, message } = await job('Rename "default theme" to "skin"', {
      'docs/a.md': 'The default\ntheme\n\n```\ndefault theme\n```\n',
    });
    expect(diff).toEqual({});
    expect(message).toContain('“default theme” is still on 2 lines: docs/a.md:1, docs/a.md:5.');
  });

  it('leaves addresses, settings and imports alone, and says where', async () => {
    const text =
      '---\ntitle: setup\nslug: setup\n---\n\nimport setup from "./setup.mdx";\n\n' +
      '[setup](/setup), <Card href="/setup" title="setup" />, `setup`, Setup, setups.\n';
    const { diff, finished } = await job('Rename "setup" to "start"', {
      'docs/a.mdx': text,
      'docs/setup.mdx': 'x\n',
    });
    expect(diff).toEqual({
      'docs/a.mdx': text
        .replace('title: setup', 'title: start')
        .replace('[setup]', '[start]')
        .replace('title="setup"', 'title="start"'),
    });
    expect(finished?.message).toContain(
      '“setup” is still on 3 lines: docs/a.mdx:3, docs/a.mdx:6, docs/a.mdx:8.',
    );
  });

  it('leaves expressions and tags alone', async () => {
    const text =
      '<setup>\n\n{setup} and setup\n\n</setup>\n\nexport const x = {\n  setup: 1,\n};\n';
    const { diff } = await job('Rename "setup" to "start"', { 'docs/a.mdx': text });
    expect(diff).toEqual({ 'docs/a.mdx': text.replace('and setup', 'and start') });
  });

  it('replaces a text in addresses of other sites, but not in links to pages', async () => {
    const { diff, finished } = await job('Replace "acme.run" with "acme.go"', {
      'docs/a.md': 'See https://acme.run/x, [b](acme.run.md), `acme.run`, acme.runs.\n',
      'docs/acme.run.md': 'x\n',
    });
    expect(diff).toEqual({
      'docs/a.md': 'See https://acme.go/x, [b](acme.run.md), `acme.go`, acme.runs.\n',
    });
    expect(finished?.message).toContain('in 2 places. “acme.run” is still on 1 line: docs/a.md:1.');
  });

  it('takes a text to the letter', async () => {
    const files = { 'docs/a.md': 'An old sons list. Sons are old. Sonsy. $& (a*b).\n' };
    expect((await job('Replace "sons" with "heirs"', files)).diff).toEqual({
      'docs/a.md': 'An old heirs list. Sons are old. Sonsy. $& (a*b).\n',
    });
    expect((await job('Replace "(a*b)" with "$&"', files)).diff).toEqual({
      'docs/a.md': 'An old sons list. Sons are old. Sonsy. $& $&.\n',
    });
    expect((await job('Replace "old " with ""', files)).diff).toEqual({
      'docs/a.md': 'An sons list. Sons are old. Sonsy. $& (a*b).\n',
    });
  });

  it('says what it cannot find and changes nothing', async () => {
    const { diff, finished, message } = await job('Replace "widget" with "gadget"');
    expect({ diff, finished }).toEqual({ diff: {}, finished: null });
    expect(message).toContain('I found no “widget” as words of their own on the pages of the docs');
    expect((await job('Replace "workspace" with "project" in billing.md')).message).toContain(
      'There is no page or folder “billing.md”.',
    );
  });

  it.each<[string, keyof typeof SITE, [string, string][]]>([
    [
      'Set the title of docs/install.md to "Set up: Acme"',
      'docs/install.md',
      [['title: "Install"', 'title: "Set up: Acme"']],
    ],
    [
      'Set the description of install to "Get going"',
      'docs/install.md',
      [['How to install.', 'Get going']],
    ],
    [
      'Set the sidebarTitle of guides/workspaces.md to "Rooms"',
      'docs/guides/workspaces.md',
      [['title: Workspaces\n', 'title: Workspaces\nsidebarTitle: Rooms\n']],
    ],
    [
      'Append the line "- [ ] later" to docs/index.md',
      'docs/index.md',
      [['make a workspace.\n', 'make a workspace.\n\n- [ ] later\n']],
    ],
    ['Fix broken links', 'docs/guides/workspaces.md', [['../old/install.md', '../install.md']]],
  ])('%s', async (instruction, path, changes) => {
    expect((await job(instruction)).diff).toEqual({ [path]: page(path, ...changes) });
  });

  it('sets the title of a page without frontmatter in its first heading', async () => {
    const instruction = 'Set the title of a.md to "Bee"';
    expect((await job(instruction, { 'docs/a.md': '# Ay\n\nx\n' })).diff).toEqual({
      'docs/a.md': '# Bee\n\nx\n',
    });
    expect(await job(instruction, { 'docs/a.md': '---\ntitle: >-\n  Ay\n---\n' })).toMatchObject({
      diff: {},
      message: expect.stringContaining('I set only fields that are a text of one line'),
    });
    const toml = '+++\ntitle = "Ay"\n+++\n';
    expect((await job(instruction, { 'docs/a.md': toml })).diff).toEqual({});
  });

  it('keeps what it does not set in frontmatter, with its comments', async () => {
    const text = "---\ntitle: 'Ay' # short\ntags: [a]\nhidden: false\n---\n";
    const { diff } = await job(
      'Set the title of a.md to "Bee". Set the hidden of a.md to "true". Set the icon of a.md to "#1"',
      { 'docs/a.md': text },
    );
    expect(diff['docs/a.md']).toBe(
      '---\ntitle: \'Bee\' # short\ntags: [a]\nhidden: true\nicon: "#1"\n---\n',
    );
    expect((await job('Set the tags of a.md to "b"', { 'docs/a.md': text })).diff).toEqual({});
  });

  it('appends to lists without a gap', async () => {
    const appended = async (instruction: string) =>
      (await job(instruction, { 'docs/a.md': '# A\n\n- x\n' })).diff['docs/a.md'];
    expect(await appended('Append the line "- z" to a.md')).toBe('# A\n\n- x\n- z\n');
    expect(await appended('Append the text "z" to a.md')).toBe('# A\n\n- x\n\nz\n');
  });

  it('adds a page in the form of its neighbours and lists it', async () => {
    const { diff } = await job(
      'Add a page docs/guides/faq.md titled "Questions: all" with the text "Ask us.\n\nDaily."',
    );
    expect(diff['docs/guides/faq.md']).toBe(
      '---\ntitle: "Questions: all"\n---\n\nAsk us.\n\nDaily.\n',
    );
    expect(JSON.parse(diff['docs/docs.json'] ?? '')).toEqual({
      navigation: { pages: ['index', 'install', 'guides/workspaces', 'guides/faq'] },
    });
    const other = await job('Add a page new/faq.mdx titled "F"');
    expect(JSON.parse(other.diff['docs/docs.json'] ?? '').navigation.pages).toContain('new/faq');
  });

  it.each(['x.rst', 'x', 'guides/x.txt', 'guides/'])(
    'writes no page of another kind: %s',
    async name => {
      const { diff, message } = await job(`Add a page ${name} titled "X" with the text "x"`);
      expect(diff).toEqual({});
      expect(message).toContain(`names end in .md or .mdx, and “${name}” does not`);
    },
  );

  it('adds a section at the end, with its own level', async () => {
    const instruction = 'Add a section "Backups" to install.md with the text "Take one daily."';
    const { diff } = await job(instruction);
    expect(diff['docs/install.md']).toBe(
      `${SITE['docs/install.md']}\n## Backups\n\nTake one daily.\n`,
    );
  });

  it('claims no edit that its tool refused', async () => {
    const { diff, message } = await job(
      'Add a page .github/notes.md titled "Notes" with the text "Hello."',
      { 'README.md': '# Acme\n' },
    );
    expect(diff).toEqual({});
    expect(message).toMatch(/^I changed nothing\. .*notes\.md/);
    expect(message).not.toContain('Added');
  });

  it('reports what the checks find in a text that it was given', async () => {
    const { diff, message, toolErrors } = await job(
      'Append the line "See [setup](/instal) for more." to docs/index.md',
    );
    expect(toolErrors[0]).toContain('finish: Not finished');
    expect(diff['docs/index.md']).toContain('[setup](/instal)');
    expect(message).toMatch(/The checks found something that I cannot fix:.*\/instal/s);
  });

  it('leaves links alone that count from a docs folder, with files outside of it', async () => {
    const files = {
      ...SITE,
      'README.md': '# Acme\n',
      'docs/guides/workspaces.md':
        'See [install](/install), [home](/), [both](/guides/workspaces#a), [out](../../README.md).\n',
    };
    const { diff, message } = await job('Fix broken links', files);
    expect({ diff, message }).toEqual({
      diff: {},
      message: expect.stringContaining('no broken link to a page'),
    });
  });

  it('carries out several instructions in order, and none of them beside words that it does not know', async () => {
    const lines = 'Append the line "1" to docs/index.md. Append the line "2" to docs/index.md.';
    expect((await job(lines)).diff).toEqual({
      'docs/index.md': `${SITE['docs/index.md']}\n1\n\n2\n`,
    });
    const { diff, message } = await job(`${lines} Only if it is short.`);
    expect(diff).toEqual({});
    expect(message).toContain('so I did not carry it out');
  });

  it('declines what is no form, and says what it can do and how to get more', async () => {
    const { diff, finished, message, steps } = await job(
      'Write a friendly tutorial about webhooks for beginners',
    );
    expect({ diff, finished, steps }).toEqual({ diff: {}, finished: null, steps: 1 });
    expect(message).toContain('ANTHROPIC_API_KEY');
    for (const { form } of FORMS) expect(message).toContain(`- ${form}\n`);
  });

  it('carries out 50 queued instructions in order in a few steps', async () => {
    const workspace = openWorkspace(memorySnapshot({ 'docs/log.md': '# Log\n' }), new Map());
    const follow = Array.from({ length: 50 }, (_, index) => ({
      type: 'text' as const,
      text: `Append the line "${index + 1}" to docs/log.md`,
    }));
    const last = follow.pop()?.text ?? '';
    const result = await runAgentLoop(offline.client, workspace, last, {
      docsFolder: 'docs',
      model: OFFLINE_MODEL,
      messages: [{ role: 'user', content: follow }],
    });
    const lines = (await workspace.readText('docs/log.md'))
      ?.split('\n')
      .filter(line => /^\d+$/.test(line));
    expect(lines).toEqual(Array.from({ length: 50 }, (_, index) => String(index + 1)));
    expect(result.steps).toBeLessThan(8);
  });

  it('knows every page and line of a site that is told in parts', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 405 }, (_, index) => [
        `docs/p${100 + index}.md`,
        `A workspace.\n\nAnother workspace, see [home](/p${504 - index}).\n`,
      ]),
    );
    const { diff, finished } = await job(
      'Replace "workspace" with "project" in p504.md. Fix broken links.',
      files,
    );
    expect(diff).toEqual({ 'docs/p504.md': 'A project.\n\nAnother project, see [home](/p100).\n' });
    expect(finished?.message).toContain('no broken link to a page');
  });

  it('goes on with a follow-up after a finished turn without repeating the first', async () => {
    const workspace = openWorkspace(memorySnapshot(SITE), new Map());
    const options = { docsFolder: 'docs', model: OFFLINE_MODEL };
    const first = await runAgentLoop(
      offline.client,
      workspace,
      'Append the line "1" to docs/index.md',
      options,
    );
    await runAgentLoop(offline.client, workspace, 'Append the line "2" to docs/index.md', {
      ...options,
      messages: first.messages,
    });
    expect(await workspace.readText('docs/index.md')).toBe(`${SITE['docs/index.md']}\n1\n\n2\n`);
  });
});

describe('a conflict with other people', () => {
  it('carries the instructions out again where their edits took the place of ours', async () => {
    const workspace = openWorkspace(memorySnapshot(SITE), new Map());
    const options = { docsFolder: 'docs', model: OFFLINE_MODEL };
    const first = await runAgentLoop(
      offline.client,
      workspace,
      'Append the line "1" to docs/index.md. Append the line "2" to docs/install.md',
      options,
    );
    workspace.write('docs/index.md', `${SITE['docs/index.md']}Theirs.\n`);
    const note =
      '<docent-note>Somebody else changed docs/index.md where you had changed it too. Their version stands in the workspace. Make your change again on top of theirs, keeping what they wrote.</docent-note>';
    await runAgentLoop(offline.client, workspace, note, { ...options, messages: first.messages });
    expect(await workspace.readText('docs/index.md')).toBe(
      `${SITE['docs/index.md']}Theirs.\n\n1\n`,
    );
    expect(await workspace.readText('docs/install.md')).toBe(`${SITE['docs/install.md']}\n2\n`);
  });
});
