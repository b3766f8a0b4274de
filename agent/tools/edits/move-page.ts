import { Type } from '@sinclair/typebox';
import type { Workspace } from '../../../shared/workspace.ts';
import { isPagePath } from '../../../sites/markdown.ts';
import type { PageMove } from '../../site/move-page.ts';
import { applyTexts } from './apply-texts.ts';
import { describeUpdates } from './describe-updates.ts';
import { mentionsElsewhere } from './mentions.ts';
import { existingFile, writablePath, writeRefusal } from '../paths.ts';
import { toolFailure, inputMember, readTextFile } from '../text.ts';
import { defineTool, type ToolContext } from '../tool.ts';

export const movePageTool = defineTool({
  name: 'move_page',
  description:
    'Moves or renames a page and updates the links to it, its own relative links, the navigation ' +
    'and the redirects; reports what it could not update.',
  input: Type.Object({
    from: Type.String(),
    to: Type.String({ description: 'the new path of the file, extension included' }),
  }),
  readOnly: false,
  summarize: input => `${inputMember(input, 'from')} -> ${inputMember(input, 'to')}`,
  async execute(input, context) {
    const summary = `${input.from} -> ${input.to}`;
    const move = resolveMove(input, context);
    if ('error' in move) return toolFailure(move.error, summary);
    const { from, to } = move;
    const file = await readTextFile(from, context);
    if ('error' in file) return toolFailure(file.error, summary);
    const answer = await context.askSite({
      kind: 'move-page',
      ...move,
      allowImports: context.project.allowMdxCode,
    });
    if ('refused' in answer) return toolFailure(answer.refused, summary);
    const refused = await applyTexts(answer.texts, context);
    answer.navigation.left.push(
      ...(await mentionsElsewhere(from, answer.navigation.files, context)),
    );
    return {
      content: [
        `Moved ${from} to ${to}.`,
        ...addressLines(answer),
        ...describeUpdates(answer, refused),
      ].join('\n'),
      summary: `${from} -> ${to}`,
    };
  },
});

/** A page's address comes from its file, and from its front matter and the navigation. */
function addressLines({ oldAddress, newAddress }: PageMove): string[] {
  if (newAddress === null)
    return oldAddress === null
      ? []
      : [`Its address was ${oldAddress}; the site does not publish it at its new place.`];
  if (oldAddress === newAddress) return [`Its address stays ${newAddress}.`];
  return [`Its address was ${oldAddress ?? 'none'} and is now ${newAddress}.`];
}

/** Both paths, or why the page cannot be moved. */
function resolveMove(
  input: { from: string; to: string },
  context: ToolContext,
): { from: string; to: string } | { error: string } {
  const source = existingFile(input.from, context);
  if (source.error !== undefined) return source;
  const from = source.path;
  const refusal = writeRefusal(from, context);
  if (refusal !== undefined) return { error: refusal };
  if (!isPagePath(from))
    return { error: `${from} is not a page: move_page moves .md and .mdx files.` };
  const extension = /\.mdx?$/i.exec(from)?.[0] ?? '';
  const raw = isPagePath(input.to) ? input.to : input.to.replace(/\/*$/, extension);
  // The old name goes, so a new one may differ from it in letter case only.
  const target = writablePath(raw, { ...context, workspace: without(from, context.workspace) });
  if (target.error !== undefined) return target;
  const to = target.path;
  return context.workspace.has(to)
    ? { error: `${to} exists already. Choose another path, or delete_page it first.` }
    : { from, to };
}

/** The workspace as it is without one file. */
function without(file: string, workspace: Workspace): Workspace {
  return {
    ...workspace,
    has: path => path !== file && workspace.has(path),
    list: () => workspace.list().filter(path => path !== file),
  };
}
