import { Type } from '@sinclair/typebox';
import { type SiteFiles, siteFiles } from '../../shared/site/resolve-link.ts';
import { isPagePath } from '../../shared/site/markdown.ts';
import { sitePath } from '../../shared/site/page-path.ts';
import { describeUpdates } from './describe-updates.ts';
import { mentionsElsewhere } from './mentions.ts';
import { existingFile, writablePath, writeRefusal } from './paths.ts';
import { toolFailure, inputMember, readTextFile, writeTextFile } from './text.ts';
import { defineTool, type ToolContext } from './tool.ts';
import { inboundLinks, type Move, relocateLinks, updateInboundLinks } from './update-links.ts';
import { moveInNavigation } from './update-navigation.ts';

const MAX_PLACES = 10;

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
    const { docsFolder } = context.project;
    const site = siteFiles(context.workspace.list(), docsFolder);
    const imported = await importRefusal(from, site, context);
    if (imported !== undefined) return toolFailure(imported, summary);

    const relocated = relocateLinks(file.text, move, site);
    const written = writeTextFile(to, relocated.text, context);
    if (written !== undefined) return toolFailure(written, summary);
    const navigation = await moveInNavigation(from, to, context);
    const links = await updateInboundLinks(move, site, context);
    for (const line of relocated.left)
      links.left.push(`${to}:${line} has a relative link, which still starts from ${from}`);
    context.workspace.remove(from);
    const page = sitePath(docsFolder, from);
    navigation.left.push(...(await mentionsElsewhere(page, navigation.files, context)));
    return {
      content: [`Moved ${from} to ${to}.`, ...describeUpdates(links, navigation)].join('\n'),
      summary: `${from} -> ${to}`,
    };
  },
});

/** Both paths, or why the page cannot be moved. */
function resolveMove(
  input: { from: string; to: string },
  context: ToolContext,
): Move | { error: string } {
  const source = existingFile(input.from, context);
  if (source.error !== undefined) return source;
  const from = source.path;
  const refusal = writeRefusal(from, context);
  if (refusal !== undefined) return { error: refusal };
  if (!isPagePath(from))
    return { error: `${from} is not a page: move_page moves .md and .mdx files.` };
  const extension = /\.mdx?$/i.exec(from)?.[0] ?? '';
  const raw = isPagePath(input.to) ? input.to : input.to.replace(/\/*$/, extension);
  const target = writablePath(raw, context);
  if (target.error !== undefined) return target;
  const to = target.path;
  return context.workspace.has(to)
    ? { error: `${to} exists already. Choose another path, or delete_page it first.` }
    : { from, to };
}

async function importRefusal(
  from: string,
  site: SiteFiles,
  context: ToolContext,
): Promise<string | undefined> {
  if (context.project.allowMdxCode) return undefined;
  const imports = (await inboundLinks(from, site, context)).filter(
    ({ link }) => link.kind === 'import',
  );
  if (imports.length === 0) return undefined;
  const places = imports.slice(0, MAX_PLACES).map(({ path, link }) => `${path}:${link.line}`);
  return (
    `${from} is imported by other pages (${places.join(', ')}), ` +
    'and this project allows no new imports, so it has to stay where it is.'
  );
}
