import type { ReactNode } from 'react';
import type { ToolCall } from '../../data/timeline.ts';
import { Icon, type IconName } from '../text/icons.tsx';

const VERBS: Record<string, string> = {
  view: 'Read',
  create: 'Create',
  str_replace: 'Edit',
  insert: 'Insert',
  search_docs: 'Search the docs',
  list_files: 'List files',
  search_text: 'Search text',
  replace_all: 'Replace all',
  move_page: 'Move page',
  delete_page: 'Delete page',
  edit_navigation: 'Edit navigation',
  write_todos: 'Plan',
  check: 'Check',
  finish: 'Finish',
};

const STATE_ICONS: Record<'failed' | 'done' | 'not run', IconName> = {
  failed: 'cross',
  done: 'check',
  'not run': 'dash',
};

function stateOf({ result, isOver }: ToolCall) {
  if (result) return result.isError ? 'failed' : 'done';
  return isOver ? 'not run' : 'running';
}

/** One call of a tool: its outcome in a line, its arguments on demand. */
export function ToolCallRow({ call: toolCall, rewind }: { call: ToolCall; rewind: ReactNode }) {
  const { call, result } = toolCall;
  const state = stateOf(toolCall);
  const object = objectOf(call.args);
  // A summary begins with the object of the call, which the row already shows.
  const outcome =
    state === 'not run'
      ? state
      : result?.summary.startsWith(object)
        ? result.summary.slice(object.length).trim()
        : result?.summary;
  return (
    <li className="call step">
      <details>
        <summary>
          {state === 'running' ? (
            <span className="spinner" />
          ) : (
            <span className={`call-mark call-${state.replace(' ', '-')}`}>
              <Icon name={STATE_ICONS[state]} size={14} />
            </span>
          )}
          <span className="visually-hidden">{state}: </span>
          <span className="call-verb">{VERBS[call.toolName] ?? call.toolName}</span>
          <span className="call-object mono clip">{object}</span>
          {outcome && <span className="call-summary faint small clip">{outcome}</span>}
        </summary>
        {result?.summary && <p className="small soft">{result.summary}</p>}
        <pre tabIndex={0} role="region" aria-label="Tool arguments">
          {JSON.stringify(call.args, null, 2)}
        </pre>
      </details>
      {rewind}
    </li>
  );
}

/** The argument that names the object of a call. */
function objectOf(args: Record<string, unknown>): string {
  const name = ['path', 'from', 'query', 'pattern', 'find', 'glob', 'title'].find(
    each => typeof args[each] === 'string',
  );
  return name ? String(args[name]) : '';
}
