import { toolDefinitions } from '../../../agent/tools/definitions.ts';
import { resolveCall, tools } from '../../../agent/tools/registry.ts';

const WEB_PAGES = ['docs.example.com'];

describe.each([true, false])('toolDefinitions, native editor: %s', hasNativeEditor => {
  const definitions = toolDefinitions({ hasNativeEditor, webPages: WEB_PAGES });

  it('tells the model of the editor and of every tool', () => {
    expect(definitions.map(tool => 'name' in tool && tool.name)).toEqual([
      'str_replace_based_edit_tool',
      // The tool of plans comes with those of planning alone.
      ...tools
        .map(tool => tool.name)
        .filter(name => !COMMANDS.includes(name) && name !== 'propose_plan'),
    ]);
    const [editor] = definitions;
    if (hasNativeEditor)
      expect(editor).toEqual({
        type: 'text_editor_20250728',
        name: 'str_replace_based_edit_tool',
        max_characters: 30_000,
      });
    else for (const command of COMMANDS) expect(JSON.stringify(editor)).toContain(command);
  });

  it('describes the others with what the converters of vLLM, Ollama and llama.cpp keep', () => {
    for (const tool of definitions.slice(hasNativeEditor ? 1 : 0)) {
      expect(Object.keys(tool).toSorted()).toEqual(['description', 'input_schema', 'name']);
      expect(tool).toMatchObject({ description: expect.stringMatching(/.{20}/) });
      const schema = (tool as { input_schema: JsonSchema }).input_schema;
      expect(schema.type).toBe('object');
      walk(schema);
    }
  });

  it('is the same bytes every time, since prompts are cached by prefix', () => {
    const again = toolDefinitions({ hasNativeEditor, webPages: WEB_PAGES });
    expect(JSON.stringify(again)).toBe(JSON.stringify(definitions));
  });
});

const COMMANDS = ['view', 'create', 'str_replace', 'insert'];
/** Of api.ToolProperty in Ollama; a grammar of llama.cpp has no trouble with these either. */
const KEPT = ['type', 'description', 'enum', 'items', 'properties', 'required'];

interface JsonSchema {
  type?: string;
  enum?: string[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

function walk(schema: JsonSchema): void {
  expect(KEPT).toEqual(expect.arrayContaining(Object.keys(schema)));
  expect(['object', 'array', 'string', 'integer', 'number', 'boolean']).toContain(schema.type);
  if (schema.enum) expect(schema.enum.length).toBeGreaterThan(1);
  if (schema.type === 'array') walk(schema.items ?? {});
  if (schema.type === 'object') {
    const { properties = {}, required = [] } = schema;
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
    for (const member of Object.values(properties)) walk(member);
  }
}

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
      { command: 'str_replace', path: 'a.md', old_str: 'x' },
      /new_str is missing.*an empty one deletes/,
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
