import { openWorkspace } from '../../activities/workspace.ts';
import { runAgentLoop } from '../../bench/agent-loop.ts';
import { OFFLINE_MODEL } from '../../offline-model/server.ts';
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
    '---\ntitle: Workspaces\n---\n\nAn old workspace stays. See [install](../instal.md) and [home](/index).\n\nMore: http://semver.org and http://localhost:3000. We recieve mail. The `maxRetires` flag, or maxRetries.\n',
};

const job = (instruction: string, files: Record<string, string> = SITE) =>
  offlineJob(offline.client, instruction, files);

const page = (path: keyof typeof SITE, ...changes: [string, string][]) =>
  changes.reduce((text, [from, to]) => text.replaceAll(from, to), SITE[path]);

describe('mechanical instructions, through the real tools', () => {
  it.each([
    'Rename workspace to project across the docs',
    'Please replace the term workspace with project everywhere',
    'workspace -> project',
  ])('renames a term where readers read it: %s', async instruction => {
    const { diff, finished } = await job(instruction);
    expect(diff).toEqual({
      'docs/index.md': page('docs/index.md', ['workspace', 'project']),
      'docs/install.md': page(
        'docs/install.md',
        ['A workspace holds', 'A project holds'],
        ['Workspaces are', 'Projects are'],
        ['3 workspaces', '3 projects'],
      ),
      'docs/guides/workspaces.md': page(
        'docs/guides/workspaces.md',
        ['title: Workspaces', 'title: Projects'],
        ['workspace stays', 'project stays'],
      ),
    });
    expect(finished?.title).not.toBe('');
  });

  it('keeps to the page, the kind and the exceptions that the instruction names', async () => {
    expect((await job('Replace "workspace" with "project" in docs/index.md')).diff).toEqual({
      'docs/index.md': page('docs/index.md', ['workspace', 'project']),
    });
    expect((await job('Rename workspace to project in code blocks')).diff).toEqual({
      'docs/install.md': page('docs/install.md', ['the workspace comes', 'the project comes']),
    });
    expect(
      Object.keys(
        (await job('Rename workspace to project everywhere except the install page')).diff,
      ),
    ).toEqual(['docs/guides/workspaces.md', 'docs/index.md']);
  });

  it('takes a quoted word to the letter, but for the capital that begins a sentence, and backticks without', async () => {
    const files = { 'docs/a.md': 'An old sons list. Sons are old. Sonsy.\n' };
    expect((await job('Replace "sons" with "heirs"', files)).diff).toEqual({
      'docs/a.md': 'An old heirs list. Heirs are old. Sonsy.\n',
    });
    expect((await job('Replace `sons` with `heirs`', files)).diff).toEqual({
      'docs/a.md': 'An old heirs list. Sons are old. Sonsy.\n',
    });
  });

  it('lets links follow a heading whose text it changed, and no other', async () => {
    const { diff } = await job('Rename useThis to useThat', {
      'docs/hooks.md':
        '# Hooks\n\n[This](#usethis), [other](#usethisnow), [own](#mine)\n\n## useThis\n\n## useThisNow\n\n## useThis here {#mine}\n',
      'docs/guides/faq.md':
        'See [this](../hooks.md#usethis), [that](/hooks#usethis) and [elsewhere](../other.md#usethis).\n',
      'docs/other.md': '# Other\n\n## useThis\n',
    });
    expect(diff).toEqual({
      'docs/hooks.md':
        '# Hooks\n\n[This](#usethat), [other](#usethisnow), [own](#mine)\n\n## useThat\n\n## useThisNow\n\n## useThat here {#mine}\n',
      'docs/guides/faq.md':
        'See [this](../hooks.md#usethat), [that](/hooks#usethat) and [elsewhere](../other.md#usethat).\n',
      'docs/other.md': '# Other\n\n## useThat\n',
    });
  });

  it.each([
    ['Fix typo: chekc -> check', 'Do a chekc. Chekc it.', 'Do a check. Check it.'],
    [
      'fix typos',
      'Pass the the provdided option, then the massage and the reselect.',
      'Pass the provided option, then the massage and the reselect.',
    ],
    ['Fix a typo of "crucial"', 'It is cruical.', 'It is crucial.'],
    ['fix the typo "directy"', 'It is directy here.', 'It is directly here.'],
    [
      'Use const instead of var',
      'A var is old:\n\n```js\nvar a = 1;\n```',
      'A var is old:\n\n```js\nconst a = 1;\n```',
    ],
    ['Replace "old " with ""', 'An old cat. Hold old.', 'An cat. Hold old.'],
    ['Replace `old-` with ``', 'An old-cat, `old-x`.', 'An cat, `x`.'],
    ['Change Jade to Pug', 'Jade is a language. Jaded.', 'Pug is a language. Jaded.'],
    [
      'Switch javascript code blocks to js',
      'javascript:\n\n```javascript\na\n```',
      'javascript:\n\n```js\na\n```',
    ],
  ])('%s: %j becomes %j', async (instruction, before, after) => {
    expect(
      (await job(instruction, { 'docs/a.md': `${before}\n`, 'docs/b.md': 'Nothing here.\n' })).diff,
    ).toEqual({ 'docs/a.md': `${after}\n` });
  });

  it('takes no word for a typo that is right', async () => {
    const { diff, message } = await job('Fix typos', {
      'docs/a.md': 'Sign in in the app. What it is is a list to go on on Monday. The job ceases.\n',
    });
    expect({ diff, message }).toEqual({
      diff: {},
      message: expect.stringContaining('no misspelling'),
    });
  });

  it.each([
    "Fix typo: change 'then' to 'than'",
    'fix the typo "xyzzyq"',
    'use tables instead of lists',
  ])('leaves alone what it cannot tell: %s', async instruction => {
    const { diff, message } = await job(instruction, {
      'docs/a.md': 'First this, then that.\nAnd then lists of xyzzyq.\n',
    });
    expect(diff).toEqual({});
    expect(message).toMatch(/is a word of its own|I cannot tell how|I did not understand/);
  });

  it('names what it cannot find and changes nothing', async () => {
    const { diff, finished, message } = await job('Replace "widget" with "gadget"');
    expect({ diff, finished }).toEqual({ diff: {}, finished: null });
    expect(message).toContain('"widget" does not occur in the docs');
    expect((await job('Replace "workspace" with "project" in the billing page')).diff).toEqual({});
  });

  it('claims no edit that its tool refused', async () => {
    const { diff, message } = await job(
      'Add a page .github/notes.md titled "Notes" with the text "Hello."',
    );
    expect(diff).toEqual({});
    expect(message).toMatch(/^I changed nothing\. .*\.github\/notes\.md may not be changed/);
    expect(message).not.toContain('Added');
  });

  it.each<[string, keyof typeof SITE, [string, string][]]>([
    ['Bump Node.js from 18 to 20', 'docs/install.md', [['Node.js 18', 'Node.js 20']]],
    ['Upgrade acme to 2.0.0', 'docs/install.md', [['acme@1.2.3', 'acme@2.0.0']]],
    [
      'Update the docs to reflect the new workspace limit of 5 (up from 3)',
      'docs/install.md',
      [['up to 3', 'up to 5']],
    ],
    [
      'Use https instead of http',
      'docs/guides/workspaces.md',
      [['http://semver', 'https://semver']],
    ],
    ['Fix the typo "recieve"', 'docs/guides/workspaces.md', [['recieve', 'receive']]],
    ['fix typos in the workspaces guide', 'docs/guides/workspaces.md', [['recieve', 'receive']]],
    ['correct maxRetires typo', 'docs/guides/workspaces.md', [['maxRetires', 'maxRetries']]],
    ['Mend the broken links', 'docs/guides/workspaces.md', [['../instal.md', '../install.md']]],
    [
      'Change the title of the install page to "Set up: Acme"',
      'docs/install.md',
      [['title: "Install"', 'title: "Set up: Acme"']],
    ],
    [
      'Set the description of docs/install.md to Get going',
      'docs/install.md',
      [['How to install.', 'Get going']],
    ],
    [
      'Remove the text " Workspaces are cheap." from docs/install.md',
      'docs/install.md',
      [[' Workspaces are cheap.', '']],
    ],
    [
      'Append the line "- [ ] later" to docs/index.md',
      'docs/index.md',
      [['make a workspace.\n', 'make a workspace.\n- [ ] later\n']],
    ],
  ])('%s', async (instruction, path, changes) => {
    expect((await job(instruction)).diff).toEqual({ [path]: page(path, ...changes) });
  });

  it.each([
    [
      'Remove the word "old" from docs/a.md',
      'Hold the old, **old** and folder. An old',
      '\n\n`bold=old`, [old](old.md).\n\n```sh\nold\n```',
      'Hold the , and folder. An',
    ],
    [
      'Remove "is" from docs/a.md',
      'This is history. [is](is.md) it',
      '\n\n<a href="is.md">x</a>',
      'This history. [is](is.md) it',
    ],
    [
      'Remove the sentence "Run `it` [now](x.md)." from docs/a.md',
      'Well. Run `it` [now](x.md). So.',
      '',
      'Well. So.',
    ],
    [
      'Remove `old` from docs/a.md',
      'An old `old` thing, `x old`, bold',
      '',
      'An thing, `x `, bold',
    ],
    [
      'Remove the line "draft: true" from docs/a.md',
      '---\ndraft: true\n---\n',
      '\nx',
      '---\n---\n',
    ],
  ])(
    'removes whole words, and from code only what stands in backticks: %s',
    async (instruction, before, rest, after) => {
      expect((await job(instruction, { 'docs/a.md': `${before}${rest}\n` })).diff).toEqual({
        'docs/a.md': `${after}${rest}\n`,
      });
    },
  );

  it('says where a text that it may not remove is left', async () => {
    expect(
      await job('Remove "old" from docs/a.md', { 'docs/a.md': 'A folder, `old`.\n' }),
    ).toMatchObject({
      diff: {},
      message: expect.stringMatching(/only within other words, code or links\. In backticks/),
    });
    expect(
      (await job('Remove "old" from docs/a.md', { 'docs/a.md': 'An old folder.\n' })).finished
        ?.message,
    ).toContain('it is left within other words');
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
  });

  it('adds a section at the end, with its own level', async () => {
    const { diff } = await job('Add a section "Backups" to the install page: Take one daily.');
    expect(diff['docs/install.md']).toBe(
      `${SITE['docs/install.md']}\n## Backups\n\nTake one daily.\n`,
    );
  });

  it('takes a text after a colon as it is', async () => {
    const { diff } = await job(
      'Create a page docs/notes.md:\n\n# Notes\n\nRename nothing. Run `npm start`:\n\n```sh\nnpm start\n```\n\nDone.',
    );
    expect(diff['docs/notes.md']).toBe(
      '# Notes\n\nRename nothing. Run `npm start`:\n\n```sh\nnpm start\n```\n\nDone.\n',
    );
  });

  it('mends the links that its own edit broke, so that finish is accepted', async () => {
    const { diff, finished, toolErrors } = await job(
      'Add the line "See [setup](/instal) for more." to docs/index.md',
    );
    expect(toolErrors).toEqual([expect.stringContaining('finish: Not finished')]);
    expect(diff['docs/index.md']).toContain('[setup](/install)');
    expect(finished?.body).toContain('Mended 1 link');
  });

  it('leaves links alone that count from a docs folder, with files outside of it', async () => {
    const files = {
      ...SITE,
      'README.md': '# Acme\n',
      'docs/guides/workspaces.md':
        'See [install](/install), [home](/) and [both](/guides/workspaces#a).\n',
    };
    const { diff, message } = await job('Fix broken links', files);
    expect({ diff, message }).toEqual({
      diff: {},
      message: expect.stringContaining('no broken internal links'),
    });
  });

  it.each<[string, Record<string, string | null>]>([
    [
      'Add a page about web hooks with the text "They tell."',
      { 'docs/web-hooks.md': '---\ntitle: "Web hooks"\n---\n\nThey tell.\n' },
    ],
    [
      'Create a new page "Glossary" in the guides folder with the content "Words."',
      { 'docs/guides/glossary.md': '---\ntitle: "Glossary"\n---\n\nWords.\n' },
    ],
    [
      'Change the install title to Set up',
      { 'docs/install.md': page('docs/install.md', ['title: "Install"', 'title: "Set up"']) },
    ],
    [
      'Rename the page guides/workspaces.md to guides/rooms.md',
      { 'docs/guides/workspaces.md': null },
    ],
    [
      'Move the install page to guides',
      { 'docs/install.md': null, 'docs/guides/install.md': page('docs/install.md') },
    ],
    [
      'Remove the text "Start with " from the index page',
      { 'docs/index.md': page('docs/index.md', ['Start with ', '']) },
    ],
    [
      'Update Node.js 18 to 20',
      { 'docs/install.md': page('docs/install.md', ['Node.js 18', 'Node.js 20']) },
    ],
  ])(
    'takes what newcomers say, in a repository with more than docs: %s',
    async (instruction, expected) => {
      const { diff, finished } = await job(instruction, { ...SITE, 'README.md': '# Acme\n' });
      expect(diff).toMatchObject(expected);
      expect(finished).not.toBeNull();
    },
  );

  it('moves and deletes pages, and their links follow', async () => {
    const moved = await job('Move docs/install.md to docs/guides/setup.md');
    expect(moved.diff['docs/install.md']).toBeNull();
    expect(moved.diff['docs/index.md']).toContain('](/guides/setup)');
    const deleted = await job('Delete docs/guides/workspaces.md and redirect to docs/index.md');
    expect(deleted.diff['docs/guides/workspaces.md']).toBeNull();
    expect(deleted.finished).not.toBeNull();
  });

  it('carries out several instructions in order and names the one that it did not understand', async () => {
    const { diff, finished } = await job(
      'Append the line 1 to docs/index.md. Append the line 2 to docs/index.md. Improve the tone.',
    );
    expect(diff).toEqual({ 'docs/index.md': `${SITE['docs/index.md']}1\n2\n` });
    expect(finished?.body).toContain('Improve the tone');
  });

  it('declines what needs judgement, says what it can do and how to get more', async () => {
    const { diff, finished, message, steps } = await job(
      'Write a friendly tutorial about webhooks for beginners',
    );
    expect({ diff, finished, steps }).toEqual({ diff: {}, finished: null, steps: 1 });
    expect(message).toContain('ANTHROPIC_API_KEY');
    expect(message).toContain('rename or replace');
  });

  it('carries out 50 queued instructions in order in a few steps', async () => {
    const workspace = openWorkspace(memorySnapshot({ 'docs/log.md': '# Log\n' }), new Map());
    const follow = Array.from({ length: 50 }, (_, index) => ({
      type: 'text' as const,
      text: `Append the line ${index + 1} to docs/log.md`,
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

  it('knows where a page is after it was moved in the same prompt, also by its title', async () => {
    const { diff } = await job(
      'Move docs/install.md to docs/guides/setup.md. Append the line "- a" to docs/guides/setup.md. Append the line "- b" to the welcome page. Append the line "- c" to the welcome page.',
    );
    expect(diff['docs/guides/setup.md']).toContain('3 workspaces.\n- a\n');
    expect(diff['docs/index.md']).toMatch(/- b\n- c\n$/);
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
    expect(finished?.message).toContain('no broken internal links');
  });

  it('goes on with a follow-up after a finished turn without repeating the first', async () => {
    const workspace = openWorkspace(memorySnapshot(SITE), new Map());
    const options = { docsFolder: 'docs', model: OFFLINE_MODEL };
    const first = await runAgentLoop(
      offline.client,
      workspace,
      'Append the line 1 to docs/index.md',
      options,
    );
    await runAgentLoop(offline.client, workspace, 'Append the line 2 to docs/index.md', {
      ...options,
      messages: first.messages,
    });
    expect(await workspace.readText('docs/index.md')).toBe(`${SITE['docs/index.md']}1\n2\n`);
  });
});

describe('a conflict with other people', () => {
  it('carries the instructions out again where their edits took the place of ours', async () => {
    const workspace = openWorkspace(memorySnapshot(SITE), new Map());
    const options = { docsFolder: 'docs', model: OFFLINE_MODEL };
    const first = await runAgentLoop(
      offline.client,
      workspace,
      'Append the line 1 to docs/index.md. Append the line 2 to docs/install.md',
      options,
    );
    workspace.write('docs/index.md', `${SITE['docs/index.md']}Theirs.\n`);
    const note =
      '<docent-note>Somebody else changed docs/index.md where you had changed it too. Their version stands in the workspace. Make your change again on top of theirs, keeping what they wrote.</docent-note>';
    await runAgentLoop(offline.client, workspace, note, { ...options, messages: first.messages });
    expect(await workspace.readText('docs/index.md')).toBe(`${SITE['docs/index.md']}Theirs.\n1\n`);
    expect(await workspace.readText('docs/install.md')).toBe(`${SITE['docs/install.md']}2\n`);
  });
});
