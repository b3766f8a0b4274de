import type { ToolCall } from '../../../data/jobs/steps.ts';
import { plural } from '../../text/format.tsx';

/** What a tool does, as a verb; and what many calls of it did, in a sentence. */
const TOOLS: Record<string, { verb: string; many: (n: number, objects: number) => string }> = {
  view: { verb: 'Read', many: (_, objects) => `read ${plural(objects, 'file')}` },
  create: { verb: 'Create', many: (_, objects) => `created ${plural(objects, 'file')}` },
  str_replace: { verb: 'Edit', many: (_, objects) => `edited ${plural(objects, 'file')}` },
  insert: { verb: 'Insert', many: (_, objects) => `inserted into ${plural(objects, 'file')}` },
  search_docs: { verb: 'Search the docs', many: n => `searched the docs ${times(n)}` },
  list_files: { verb: 'List files', many: n => `listed files ${times(n)}` },
  search_text: { verb: 'Search text', many: n => `searched text ${times(n)}` },
  replace_all: { verb: 'Replace all', many: n => `replaced text ${times(n)}` },
  move_page: { verb: 'Move page', many: n => `moved ${plural(n, 'page')}` },
  delete_page: { verb: 'Delete page', many: n => `deleted ${plural(n, 'page')}` },
  edit_navigation: { verb: 'Edit navigation', many: n => `edited the navigation ${times(n)}` },
  write_todos: { verb: 'Plan', many: n => `planned ${times(n)}` },
  check: { verb: 'Check', many: n => `checked ${times(n)}` },
  finish: { verb: 'Finish', many: n => `finished ${times(n)}` },
  invalid_call: { verb: 'Invalid call', many: n => `made ${plural(n, 'invalid call')}` },
};

function times(n: number): string {
  return n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`;
}

export function verbOf({ call }: ToolCall): string {
  return TOOLS[call.toolName]?.verb ?? call.toolName;
}

/** The argument that names the object of a call. */
export function objectOf({ call: { args } }: ToolCall): string {
  const name = ['path', 'from', 'query', 'pattern', 'find', 'glob', 'title'].find(
    each => typeof args[each] === 'string',
  );
  return name ? String(args[name]) : '';
}

/** "Read 26 files, edited 14 files, checked twice". */
export function summaryOf(calls: readonly ToolCall[]): string {
  const tools = new Set(calls.map(({ call }) => call.toolName));
  const parts = [...tools].map(tool => {
    const own = calls.filter(({ call }) => call.toolName === tool);
    const objects = new Set(own.map(objectOf)).size;
    return TOOLS[tool]?.many(own.length, objects) ?? `${tool} ${times(own.length)}`;
  });
  const sentence = parts.join(', ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}
