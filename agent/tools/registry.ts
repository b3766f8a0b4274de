import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { EDITOR_NAME } from '../../shared/agent-text.ts';
import { addImageTool } from './edits/add-image.ts';
import { askTool } from './ask.ts';
import { checkTool } from './check.ts';
import { createTool } from './edits/create.ts';
import { deletePageTool } from './edits/delete-page.ts';
import { editNavigationTool } from './edits/edit-navigation.ts';
import { finishTool } from './finish.ts';
import { insertTool } from './edits/insert.ts';
import { listFilesTool } from './reading/list-files.ts';
import { movePageTool } from './edits/move-page.ts';
import { nearest } from './near.ts';
import { readHistoryTool } from './reading/read-history.ts';
import { readOpenApiTool } from './reading/read-openapi.ts';
import { readWebPageTool } from './reading/read-web-page.ts';
import { proposePlanTool } from './propose-plan.ts';
import { replaceAllTool } from './edits/replace-all.ts';
import { searchDocsTool } from './reading/search-docs.ts';
import { searchTextTool } from './reading/search-text.ts';
import { strReplaceTool } from './edits/str-replace.ts';
import type { Tool } from './tool.ts';
import { viewTool } from './reading/view.ts';
import { viewFilesTool } from './reading/view-files.ts';
import { writeTodosTool } from './write-todos.ts';

/** The model sees them as one tool, the editor. */
export const EDITOR_COMMANDS: readonly Tool[] = [viewTool, createTool, strReplaceTool, insertTool];

/**
 * Every tool; the model sees them in this order. How people read of its calls:
 * dashboard/src/components/jobs/timeline/tool-names.ts, dashboard/src/data/jobs/timeline.ts.
 */
export const tools: readonly Tool[] = [
  ...EDITOR_COMMANDS,
  viewFilesTool,
  searchDocsTool,
  listFilesTool,
  searchTextTool,
  readHistoryTool,
  readOpenApiTool,
  readWebPageTool,
  replaceAllTool,
  addImageTool,
  movePageTool,
  deletePageTool,
  editNavigationTool,
  writeTodosTool,
  checkTool,
  askTool,
  proposePlanTool,
  finishTool,
];

/** Those that end the turn: no call after one of them runs. */
export const ENDS_THE_TURN: readonly string[] = [
  askTool.name,
  proposePlanTool.name,
  finishTool.name,
];

export type ResolvedCall =
  | { tool: Tool; input: Record<string, unknown>; label: string; error?: never }
  | { error: string; tool?: never };

/**
 * The tool that a `tool_use` block asks for, with valid input and the call's label for people;
 * or a sentence for the model about what is wrong with it.
 */
export function resolveCall(name: string, input: unknown): ResolvedCall {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { error: `The input of ${name} must be a JSON object.` };
  const tool =
    name === EDITOR_NAME
      ? EDITOR_COMMANDS.find(command => command.name === (input as { command?: unknown }).command)
      : tools.find(one => one.name === name);
  if (!tool) return { error: unknownTool(name, input) };
  const known = lenient(tool.input, input as Record<string, unknown>);
  const [error] = Value.Errors(tool.input, known);
  if (error)
    return { error: explain(tool, error.path, wanted(error.schema, error.message), known) };
  return { tool, input: known, label: tool.summarize(known) };
}

function unknownTool(name: string, input: object): string {
  if (name === EDITOR_NAME) {
    const { command } = input as { command?: unknown };
    const given = JSON.stringify(command) ?? 'nothing';
    const hint = command === 'undo_edit' ? ' Undo with another str_replace.' : '';
    return (
      `The commands of ${EDITOR_NAME} are view, create, str_replace and insert, ` +
      `not ${given}.${hint}`
    );
  }
  const names = [
    EDITOR_NAME,
    ...tools
      .filter(tool => !EDITOR_COMMANDS.includes(tool) && tool !== readWebPageTool)
      .map(tool => tool.name),
  ];
  const [near] = nearest(name, names, 1);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return `There is no tool ${name}.${hint} The tools are ${names.join(', ')}.`;
}

/**
 * Known members only, null taken as absent, and what models often write for a number, boolean or
 * list converted.
 */
function lenient(schema: TSchema, input: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, TSchema>;
  const known: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(properties)) {
    const value = input[name];
    if (value === undefined || value === null) continue;
    known[name] = typeof value === 'string' && member.type !== 'string' ? fromText(value) : value;
  }
  return known;
}

function fromText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The values that the schema lists, or else the validator's own words. */
function wanted(schema: TSchema, message: string): string {
  const values = Array.isArray(schema.anyOf)
    ? schema.anyOf.map((one: TSchema) => String(one.const))
    : [];
  return values.length > 0
    ? `must be one of ${values.join(', ')}`
    : message.charAt(0).toLowerCase() + message.slice(1);
}

function explain(
  tool: Tool,
  path: string,
  message: string,
  input: Record<string, unknown>,
): string {
  const properties = (tool.input.properties ?? {}) as Record<string, TSchema>;
  const required = (tool.input.required ?? []) as string[];
  const shape = Object.entries(properties).map(([name, member]) => {
    const type = typeof member.type === 'string' ? member.type : 'one of the listed values';
    const optional = required.includes(name) ? '' : '?';
    const note = typeof member.description === 'string' ? ` (${member.description})` : '';
    return `${name}${optional}: ${type}${note}`;
  });
  const name = path.slice(1).replaceAll('/', '.') || 'input';
  const missing = required.find(member => input[member] === undefined);
  const wrong = missing === undefined ? `${name}: ${message}` : `${missing} is missing`;
  return `${tool.name}: ${wrong}. Its input is {${shape.join(', ')}}.`;
}
