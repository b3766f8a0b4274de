import { call, edit, toolContext } from './context.ts';

const FILES = {
  'docs/a.md': '---\ntitle: A\n---\n\n[b](b.md)\n',
  'docs/b.md': '---\ntitle: B\n---\n\n[gone](gone.md)\n',
};
const OUTCOME = { title: 'Explain\n  b', body: 'Why.', message: 'Done.' };

describe('finish', () => {
  it('accepts whole work, also none', async () => {
    const context = toolContext(FILES);
    expect(await call(context, 'finish', OUTCOME)).toMatchObject({
      finish: { title: 'Explain b', body: 'Why.', message: 'Done.' },
    });
  });

  it("is refused while the job's own breakage stands, not for what was broken before", async () => {
    const context = toolContext(FILES);
    await edit(context, {
      command: 'insert',
      path: 'docs/b.md',
      insert_line: 5,
      insert_text: '[also gone](also-gone.md)',
    });
    const refused = await call(context, 'finish', OUTCOME);
    expect(refused.finish).toBeUndefined();
    expect(refused.content).toContain('error: docs/b.md:6 link: also-gone.md leads nowhere');
    expect(refused.content).not.toContain('docs/b.md:5');
    await edit(context, {
      command: 'str_replace',
      path: 'docs/b.md',
      old_str: 'also-gone.md',
      new_str: 'a.md',
    });
    expect((await call(context, 'finish', OUTCOME)).finish).toBeDefined();
  });

  it('is refused for what may not be published', async () => {
    const context = toolContext(FILES);
    await edit(context, {
      command: 'create',
      path: 'docs/c.md',
      file_text: '---\ntitle: C\n---\n\nsk-ant-api03-q7Zp2Lx9Vb4Nc8Wd1Kf6Tg3Hj5Rm0Sy\n',
    });
    const refused = await call(context, 'finish', OUTCOME);
    expect(refused).toMatchObject({
      isError: true,
      summary: 'refused: 1 change',
      content: expect.stringContaining('looks like a secret'),
    });
    expect(refused.content).not.toContain('q7Zp2');
  });

  it('is accepted with what is broken once no repair round is left', async () => {
    const context = { ...toolContext(FILES), repairRoundsLeft: 0 };
    await edit(context, {
      command: 'str_replace',
      path: 'docs/a.md',
      old_str: 'b.md',
      new_str: 'c.md',
    });
    expect((await call(context, 'finish', OUTCOME)).finish).toBeDefined();
  });

  it('needs a title', async () => {
    expect((await call(toolContext(FILES), 'finish', { ...OUTCOME, title: ' \n ' })).isError).toBe(
      true,
    );
  });
});

describe('check', () => {
  it('tells findings, of all changes or of the named files', async () => {
    const context = toolContext(FILES);
    expect((await call(context, 'check', {})).content).toBe(
      'Nothing that this job changed is broken.',
    );
    await edit(context, {
      command: 'str_replace',
      path: 'docs/a.md',
      old_str: 'b.md',
      new_str: 'c.md',
    });
    expect((await call(context, 'check', {})).content).toMatch(
      /^error: docs\/a\.md:5 link: c\.md leads nowhere/,
    );
    expect((await call(context, 'check', { paths: ['/b'] })).summary).toBe('no findings');
    expect((await call(context, 'check', { paths: ['x.md'] })).isError).toBe(true);
  });
});
