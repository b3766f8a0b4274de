import { Type } from '@sinclair/typebox';
import { openWorkspace } from '../workspace.ts';
import { nearest } from './near.ts';
import { toolFailure } from './text.ts';
import type { ToolContext, ToolResult } from './tool.ts';

/** The member of an input that names a context repository. */
export const REPOSITORY = Type.Optional(
  Type.String({ maxLength: 200, description: 'a context repository; the docs’ own by default' }),
);

/** The context of a call that reads: that of the named repository, else the job's own. */
export async function inRepository(
  name: string | undefined,
  context: ToolContext,
): Promise<ToolContext | { failure: ToolResult }> {
  if (name === undefined || name === context.project.repository) return context;
  const { repositories } = context;
  const named = repositories.find(
    one => one.name === name.toLowerCase() || one.repository.toLowerCase() === name.toLowerCase(),
  );
  if (!named) {
    const names = repositories.map(one => one.name);
    const [near = names.join(', ')] = nearest(name, names, 1);
    const hint = names.length === 0 ? 'This project has none.' : `Did you mean ${near}?`;
    return { failure: toolFailure(`There is no context repository ${name}. ${hint}`, name) };
  }
  const opened = await context.openRepository(named);
  if (typeof opened === 'string') return { failure: toolFailure(opened, name) };
  const { snapshot, history } = opened;
  return {
    ...context,
    workspace: openWorkspace(snapshot, new Map()),
    project: { ...context.project, repository: named.repository, docsFolder: '' },
    history,
  };
}
