import { checkWorkspace } from '../../../agent/checks/check.ts';
import { resolveCall } from '../../../agent/tools/registry.ts';
import { askSite } from '../../../agent/site/ask-site.ts';
import type { ToolContext, ToolResult } from '../../../agent/tools/tool.ts';
import { openWorkspace } from '../../../agent/workspace.ts';
import type { SearchResult } from '../../../db/search/search-request.ts';
import type { FileMode } from '../../../shared/workspace.ts';
import { memorySnapshot } from '../../support/memory-snapshot.ts';

interface ContextOptions {
  docsFolder?: string;
  allowMdxCode?: boolean;
  results?: SearchResult[];
  modes?: Record<string, FileMode>;
}

/** A context as the worker makes it, over the given files, with the real validators. */
export function toolContext(
  files: Record<string, string | Buffer>,
  { docsFolder = 'docs', allowMdxCode = false, results = [], modes = {} }: ContextOptions = {},
): ToolContext {
  const workspace = openWorkspace(memorySnapshot(files, modes), new Map());
  return {
    workspace,
    project: { id: 'prj_test', repository: 'acme/docs', docsFolder, allowMdxCode },
    todos: [],
    search: async ({ pageSize }) => results.slice(0, pageSize),
    askSite: question => askSite(workspace, { docsFolder, kind: null }, question),
    history: async () => ({ text: '', isCut: false }),
    hasRead: async () => true,
    readUpload: async () => undefined,
    webPages: [],
    fetchWeb: fetch,
    repositories: [],
    openRepository: async () => 'There is none.',
    check: paths => checkWorkspace(workspace, { docsFolder, kind: null }, paths),
    repairRoundsLeft: 3,
    isFirstRepair: true,
    canSeeImages: true,
    maxCharacters: 1_000_000,
    refused: () => undefined,
    signal: new AbortController().signal,
  };
}

/** What the model would get back: the registry resolves the call, the tool executes it. */
export async function call(
  context: ToolContext,
  name: string,
  input: unknown,
): Promise<ToolResult> {
  const resolved = resolveCall(name, input);
  if (resolved.error !== undefined)
    return { content: resolved.error, isError: true, summary: name };
  return resolved.tool.execute(resolved.input, context);
}

export function edit(context: ToolContext, input: Record<string, unknown>): Promise<ToolResult> {
  return call(context, 'str_replace_based_edit_tool', input);
}
