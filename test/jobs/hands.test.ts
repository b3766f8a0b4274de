import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, EDITOR, finish } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const FILES = { 'docs/guide.md': '# Guide\n\nThe first line.\n', 'assets/login.png': PNG };
const SCRIPT: ScriptedReply[] = [
  { toolUses: [{ name: EDITOR, input: { command: 'view', path: 'assets/login.png' } }] },
  {
    toolUses: [
      { name: 'add_image', input: { path: 'docs/login.png', from: 'assets/login.png' } },
      { name: 'add_image', input: { path: 'docs/other.gif', from: 'assets/login.png' } },
      {
        name: 'replace_all',
        input: { find: 'The (first)\\nline|first line', replace: 'other line', regex: true },
      },
    ],
  },
  edit('The other line.', '![The login page](login.png)'),
  finish('Show the login page'),
];

describe.each([
  ['all', true],
  ['none', false],
])('a job that works with images, on an endpoint with features: %s', (features, seesImages) => {
  let stack: JobStack;
  beforeAll(async () => {
    let step = 0;
    stack = await startJobStack({
      files: FILES,
      env: { MODEL_FEATURES: features },
      script: () => SCRIPT[step++] ?? { text: 'Done.' },
    });
  }, 60_000);
  afterAll(() => stack?.close());

  it('looks at one if it can, and publishes one byte for byte', async () => {
    const { id } = await stack.create('Show the login page in the guide');
    const job = await stack.rest(id);
    expect(job.prLink).not.toBeNull();
    const sent = JSON.stringify(stack.model.requests.at(-1)!.body.messages);
    expect(sent).toContain('assets/login.png: PNG image, 1 × 1 pixels');
    expect(sent.includes(PNG.toString('base64'))).toBe(seesImages);
    expect(sent.includes('"media_type":"image/png"')).toBe(seesImages);
    expect(sent.includes('This model cannot see images')).toBe(!seesImages);
    expect(sent).toContain('not of the type that docs/other.gif names');
    expect(stack.model.prefixBreaks()).toEqual([]);
    const branch = stack
      .git('for-each-ref', '--format=%(refname)', 'refs/heads')
      .split('\n')
      .find(ref => ref.includes('docent/'))!;
    expect(stack.git('rev-parse', `${branch}:docs/login.png`)).toBe(
      stack.git('rev-parse', 'main:assets/login.png'),
    );
  }, 60_000);

  it('gets the images that a person attaches, and publishes one', async () => {
    const upload = async (name: string, bytes: Buffer) => {
      const path = `/v2/agent/${stack.project.id}/upload`;
      const data = bytes.toString('base64');
      return (await stack.call('POST', path, { name, data })).body as { id: string };
    };
    const picture = Buffer.concat([PNG, Buffer.from('different')]);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>');
    const [first, second] = [await upload('menu.png', picture), await upload('a<b.svg', svg)];
    const stranger = await upload('other.png', Buffer.concat([PNG, Buffer.from('unused')]));
    const add = (path: string, from: string) => ({ name: 'add_image', input: { path, from } });
    SCRIPT.push(
      {
        toolUses: [
          add('docs/menu.png', first.id),
          add('docs/icon.svg', second.id),
          add('docs/no.png', stranger.id),
          add('docs/bad.gif', first.id),
        ],
      },
      edit('# Guide', '# Guide\n\n![The menu](menu.png) ![An icon](icon.svg)'),
      finish('Show the menu'),
    );
    const { id } = await stack.create('Show this menu', { uploads: [first.id, second.id] });
    expect((await stack.rest(id)).prLink).not.toBeNull();
    const messages = stack.model.requests.at(-1)!.body.messages;
    const sent = JSON.stringify(messages);
    expect(sent).toContain(`Attached image ${first.id}, \\"menu.png\\": PNG image, 1 × 1 pixels`);
    expect(sent).toContain(`Attached image ${second.id}, \\"a‹b.svg\\": SVG image`);
    expect(sent.includes(picture.toString('base64'))).toBe(seesImages);
    expect(sent).toContain(`No instruction of this job has an image ${stranger.id}.`);
    expect(sent).toContain('not of the type that docs/bad.gif names');
    const { source } = (await stack.job(id)) as { source: { ref: string | null } };
    const published = stack.git('show', `${source.ref}:docs/icon.svg`);
    expect(published).toBe(svg.toString());
    expect(stack.git('ls-tree', '--name-only', source.ref!, 'docs/')).not.toContain('no.png');
    const { messages: read } = await stack.get<{ messages: object[] }>(id, '/messages');
    expect(read[0]).toMatchObject({
      type: 'instruction',
      uploads: [
        { id: first.id, name: 'menu.png', mediaType: 'image/png', size: picture.length },
        { id: second.id, mediaType: 'image/svg+xml' },
      ],
    });
  }, 60_000);
});
