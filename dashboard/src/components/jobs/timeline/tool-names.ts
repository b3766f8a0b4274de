import type { ToolCall } from '../../../data/jobs/steps.ts';
import { plural } from '../../text/format.tsx';

/** What a tool does, as a verb; and what many calls of it did, in a sentence. */
interface ToolName {
  verb: string;
  many(n: number, objects: number): string;
}
const READ: ToolName = { verb: 'Read', many: (_, objects) => `read ${plural(objects, 'file')}` };
const TOOLS: Record<string, ToolName> = {
  view: READ,
  view_files: READ,
  create: { verb: 'Create', many: (_, objects) => `created ${plural(objects, 'file')}` },
  str_replace: { verb: 'Edit', many: (_, objects) => `edited ${plural(objects, 'file')}` },
  insert: { verb: 'Insert', many: (_, objects) => `inserted into ${plural(objects, 'file')}` },
  search_docs: { verb: 'Search the docs', many: n => `searched the docs ${times(n)}` },
  list_files: { verb: 'List files', many: n => `listed files ${times(n)}` },
  search_text: { verb: 'Search text', many: n => `searched text ${times(n)}` },
  read_history: { verb: 'Read history', many: n => `read the history ${times(n)}` },
  read_openapi: { verb: 'Read OpenAPI', many: n => `read OpenAPI ${times(n)}` },
  read_web_page: {
    verb: 'Read web page',
    many: (_, objects) => `read ${plural(objects, 'web page')}`,
  },
  replace_all: { verb: 'Replace all', many: n => `replaced text ${times(n)}` },
  add_image: { verb: 'Add image', many: (_, objects) => `added ${plural(objects, 'image')}` },
  move_page: { verb: 'Move page', many: n => `moved ${plural(n, 'page')}` },
  delete_page: { verb: 'Delete page', many: n => `deleted ${plural(n, 'page')}` },
  edit_navigation: { verb: 'Edit navigation', many: n => `edited the navigation ${times(n)}` },
  write_todos: { verb: 'Plan', many: n => `planned ${times(n)}` },
  check: { verb: 'Check', many: n => `checked ${times(n)}` },
  propose_plan: { verb: 'Propose a plan', many: n => `proposed a plan ${times(n)}` },
  ask: { verb: 'Ask', many: n => `asked ${times(n)}` },
  finish: { verb: 'Finish', many: n => (n === 1 ? 'finished' : `finished ${times(n)}`) },
  invalid_call: { verb: 'Invalid call', many: n => `made ${plural(n, 'invalid call')}` },
};

function times(n: number): string {
  return n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`;
}

export function verbOf({ call }: ToolCall): string {
  return TOOLS[call.toolName]?.verb ?? call.toolName;
}

/** What a call is about. */
export function objectOf(call: ToolCall): string {
  return objectsOf(call).join(', ');
}

/** The arguments that name the objects of a call: more than one for `view_files`. */
function objectsOf({ call: { args } }: ToolCall): string[] {
  if (Array.isArray(args['files']))
    return args['files'].flatMap((file: { path?: unknown } | null) =>
      typeof file?.path === 'string' ? [file.path] : [],
    );
  const name = [
    'path',
    'from',
    'query',
    'pattern',
    'find',
    'glob',
    'title',
    'url',
    'question',
    'summary',
  ].find(each => typeof args[each] === 'string');
  return name ? [String(args[name])] : [''];
}

/** "Read 26 files, edited 14 files, checked twice". */
export function summaryOf(calls: readonly ToolCall[]): string {
  const nameOf = ({ call: { toolName } }: ToolCall) => TOOLS[toolName] ?? toolName;
  const parts = [...new Set(calls.map(nameOf))].map(name => {
    const own = calls.filter(call => nameOf(call) === name);
    const objects = new Set(own.flatMap(objectsOf)).size;
    return typeof name === 'string'
      ? `${name} ${times(own.length)}`
      : name.many(own.length, objects);
  });
  const sentence = parts.join(', ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}
