import { Type } from '@sinclair/typebox';
import { type SiteFiles, siteFiles } from '../../shared/site/resolve-link.ts';
import { isPagePath } from '../../shared/site/markdown.ts';
import { sitePath } from '../../shared/site/page-path.ts';
import { mentionsElsewhere } from './mentions.ts';
import { isNavigationName } from '../policy/file-types.ts';
import { describeUpdates } from './describe-updates.ts';
import { existingFile, type PathResult, writeRefusal } from './paths.ts';
import { toolFailure, inputMember } from './text.ts';
import { defineTool, type ToolContext } from './tool.ts';
import { inboundLinks, updateInboundLinks, type UpdatedLinks } from './update-links.ts';
import { removeFromNavigation } from './update-navigation.ts';

export const deletePageTool = defineTool({
  name: 'delete_page',
  description:
    'Deletes a page and takes it out of the navigation. ' +
    'With redirect_to, links to it are updated and a redirect is added; ' +
    'without, the links that remain are listed.',
  input: Type.Object({
    path: Type.String(),
    redirect_to: Type.Optional(
      Type.String({ description: 'a page that stays, or an https:// address' }),
    ),
  }),
  readOnly: false,
  summarize: input => inputMember(input, 'path'),
  async execute({ path: raw, redirect_to: rawTarget }, context) {
    const { path, error } = existingFile(raw, context);
    if (error !== undefined) return toolFailure(error, raw);
    const refusal = writeRefusal(path, context);
    if (refusal !== undefined) return toolFailure(refusal, path);
    if (isNavigationName(path))
      return toolFailure(`${path} may not be changed so: it is the navigation, not a page.`, path);
    const target = rawTarget ? redirectTarget(rawTarget, context) : undefined;
    if (target?.error !== undefined) return toolFailure(`redirect_to: ${target.error}`, path);
    if (target?.path === path)
      return toolFailure('redirect_to is the page that is to be deleted.', path);

    const { docsFolder } = context.project;
    const site = siteFiles(context.workspace.list(), docsFolder);
    const navigation = await removeFromNavigation(path, target?.path, context);
    const links: UpdatedLinks = target
      ? await updateInboundLinks({ from: path, to: target.path }, site, context)
      : { updated: [], left: await remainingLinks(path, site, context) };
    context.workspace.remove(path);
    if (isPagePath(path)) {
      const page = sitePath(docsFolder, path);
      navigation.left.push(...(await mentionsElsewhere(page, navigation.files, context)));
    }
    return {
      content: [`Deleted ${path}.`, ...describeUpdates(links, navigation)].join('\n'),
      summary: path,
    };
  },
});

function redirectTarget(raw: string, context: ToolContext): PathResult {
  return /^https?:\/\/\S+$/.test(raw) ? { path: raw } : existingFile(raw, context);
}

async function remainingLinks(
  path: string,
  site: SiteFiles,
  context: ToolContext,
): Promise<string[]> {
  const links = await inboundLinks(path, site, context);
  return links.map(({ path: page, link }) => `${page}:${link.line} links to it (${link.url})`);
}
