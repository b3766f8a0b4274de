import { updateProject } from '../../db/projects/projects.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, EDITOR, finish } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { valeProgram } from '../support/vale.ts';

const vale = valeProgram();
const INI = 'StylesPath = styles\n[*.md]\nBasedOnStyles = House\n';

(vale ? describe : describe.skip)('a job of a site with a .vale.ini', () => {
  let stack: JobStack;
  let script: ScriptedReply[] = [];
  beforeAll(async () => {
    stack = await startJobStack({
      files: {
        '.vale.ini': INI,
        'styles/House/Simple.yml':
          'extends: existence\nmessage: "No %s."\ntokens: [utilize, leverage]\n',
        'docs/guide.md': '# Guide\n\nThe first line.\n\nWe utilize it.\n',
      },
      env: { VALE_PATH: vale! },
      script: () => script.shift() ?? { text: 'Done.' },
    });
    await updateProject(stack.pool, stack.project.id, { settings: { allowPaths: ['.vale.ini'] } });
  }, 60_000);
  afterAll(() => stack?.close());

  const told = () => JSON.stringify(stack.model.requests.at(-1)!.body.messages);
  const times = (text: string) => told().split(text).length - 1;
  const body = async () => {
    const { rows } = await stack.pool.query<{ body: string }>(
      'select body from publications order by created_at desc limit 1',
    );
    return rows[0]!.body;
  };

  it('is told once what is new, publishes, and cannot change its rules', async () => {
    script = [
      edit('The first line.', 'We leverage the first line.'),
      { toolUses: [{ name: 'check', input: {} }] },
      finish('Say leverage'),
      finish('Say leverage'),
    ];
    const { id } = await stack.create('Say leverage');
    expect((await stack.rest(id)).prLink).not.toBeNull();
    expect(times('warning: docs/guide.md:3 prose: House.Simple: No leverage.')).toBe(2);
    expect(told()).toContain("the repository's rules of prose name 1 place");
    expect(told()).not.toContain('No utilize');
    expect(await body()).toContain('`docs/guide.md:3` warning: House.Simple: No leverage.');

    script = [
      {
        toolUses: [
          {
            name: EDITOR,
            input: { command: 'str_replace', path: '.vale.ini', old_str: 'House', new_str: '' },
          },
        ],
      },
      finish('No rules'),
    ];
    await stack.message(id, 'Drop the rules');
    await stack.rest(id);
    script = [edit('We utilize it.', 'We utilize and leverage it.'), finish('More')];
    await stack.message(id, 'Say more');
    await stack.rest(id);
    expect(stack.git('show', `${await branch(id)}:.vale.ini`)).not.toContain('House');
    expect(told()).toContain('warning: docs/guide.md:5 prose: House.Simple: No leverage.');
  }, 120_000);

  const branch = async (id: string) => {
    const { rows } = await stack.pool.query<{ branch: string }>(
      'select branch from jobs where id = $1',
      [id],
    );
    return rows[0]!.branch;
  };
});
