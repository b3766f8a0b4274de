import { resolveCall, toolDefinitions, tools } from '../../../agent/tools/registry.ts';

describe('toolDefinitions', () => {
  it("tells the model of every tool, the editor by Anthropic's own definition", () => {
    const definitions = toolDefinitions();
    expect(definitions[0]).toEqual({
      type: 'text_editor_20250728',
      name: 'str_replace_based_edit_tool',
      max_characters: 30_000,
    });
    expect(definitions.slice(1).map(tool => 'name' in tool && tool.name)).toEqual([
      'view_files',
      'search_docs',
      'list_files',
      'search_text',
      'read_history',
      'read_openapi',
      'replace_all',
      'add_image',
      'move_page',
      'delete_page',
      'edit_navigation',
      'write_todos',
      'check',
      'finish',
    ]);
    for (const tool of definitions.slice(1))
      expect(tool).toMatchObject({
        description: expect.stringMatching(/.{20}/),
        input_schema: { type: 'object', properties: expect.any(Object) },
      });
  });

  it('is the same bytes every time, since prompts are cached by prefix', () => {
    expect(JSON.stringify(toolDefinitions())).toBe(JSON.stringify(toolDefinitions()));
  });
});

describe('resolveCall', () => {
  it("turns an editor's command into its tool", () => {
    expect(
      resolveCall('str_replace_based_edit_tool', {
        command: 'view',
        path: 'a.md',
        view_range: null,
        extra: 1,
      }),
    ).toMatchObject({ tool: { name: 'view' }, input: { path: 'a.md' }, label: 'a.md' });
  });

  it('reads numbers, booleans and lists that were written as text', () => {
    expect(resolveCall('replace_all', { find: '1', replace: '2', dry_run: 'true' })).toMatchObject({
      input: { find: '1', replace: '2', dry_run: true },
    });
    expect(resolveCall('check', { paths: '["a.md"]' })).toMatchObject({
      input: { paths: ['a.md'] },
    });
  });

  it.each<[string, unknown, RegExp]>([
    [
      'str_replace_based_edit_tool',
      { command: 'undo_edit', path: 'a' },
      /view, create, str_replace and insert.*Undo/,
    ],
    ['str_replace_based_edit_tool', {}, /view, create, str_replace and insert/],
    [
      'str_replace_based_edit_tool',
      { command: 'create', path: 'a.md' },
      /create: file_text is missing/,
    ],
    [
      'str_replace_based_edit_tool',
      { command: 'insert', path: 'a.md', insert_line: -1, insert_text: 'x' },
      /insert_line: .*0/,
    ],
    ['search_doc', { query: 'x' }, /Did you mean search_docs\?/],
    ['bash', { command: 'ls' }, /There is no tool bash.*The tools are/],
    ['search_docs', 'hello', /must be a JSON object/],
    ['search_docs', null, /must be a JSON object/],
    ['search_docs', ['a'], /must be a JSON object/],
    ['search_docs', { query: '' }, /search_docs: query/],
    [
      'write_todos',
      { todos: [{ id: '1', content: 'x', status: 'done', priority: 'low' }] },
      /todos\.0\.status: must be one of pending, in_progress, completed, cancelled/,
    ],
    [
      'replace_all',
      { find: 'a', replace: 'b', scope: 'text' },
      /scope: must be one of all, prose, code/,
    ],
    ['finish', { title: 'x' }, /body is missing.*message: string/],
  ])('explains %s %j', (name, input, message) => {
    const resolved = resolveCall(name, input);
    expect(resolved.error).toMatch(message);
  });

  it('labels malformed input too', () => {
    for (const tool of tools)
      for (const input of [null, 1, 'x', {}, { path: 3, paths: 'x', todos: null }])
        expect(typeof tool.summarize(input)).toBe('string');
  });
});
