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
});
