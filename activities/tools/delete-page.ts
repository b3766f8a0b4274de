import { Type } from '@sinclair/typebox';
import { siteFiles } from '../../shared/site/resolve-link.ts';
import { isPagePath } from '../../shared/site/markdown.ts';
import { sitePath } from '../../shared/site/page-path.ts';
import { mentionsElsewhere } from './mentions.ts';
import { inboundLinks, mendInboundLinks, type MendedLinks } from './mend-links.ts';
import { describeMending, removeFromNavigation } from './mend-navigation.ts';
import { existingFile, writeRefusal } from './paths.ts';
import { failure, member } from './text.ts';
import { defineTool } from './tool.ts';

export const deletePageTool = defineTool({
  name: 'delete_page',
  description:
    'Deletes a page and takes it out of the navigation. With redirect_to, links to it lead there and a redirect is added; without, the links that remain are named.',
  input: Type.Object({
    path: Type.String(),
    redirect_to: Type.Optional(
      Type.String({ description: 'a page that stays, or an https:// address' }),
    ),
  }),
  readOnly: false,
  summarize: input => member(input, 'path'),
  async execute({ path: raw, redirect_to: rawTarget }, context) {
    const { path, error } = existingFile(raw, context);
    if (error !== undefined) return failure(error, raw);
    const refusal = writeRefusal(path, context);
    if (refusal !== undefined) return failure(refusal, path);
    let redirectTo: string | undefined;
    if (rawTarget !== undefined && rawTarget !== '') {
      const target = /^https?:\/\/\S+$/.test(rawTarget)
        ? { path: rawTarget }
        : existingFile(rawTarget, context);
      if (target.error !== undefined) return failure(`redirect_to: ${target.error}`, path);
      if (target.path === path)
        return failure('redirect_to is the page that is to be deleted.', path);
      redirectTo = target.path;
    }

    const site = siteFiles(context.workspace.list(), context.project.docsFolder);
    const navigation = await removeFromNavigation(path, redirectTo, context);
    const links: MendedLinks =
      redirectTo === undefined
        ? {
            mended: [],
            left: (await inboundLinks(path, site, context)).map(
              ({ path: page, link }) => `${page}:${link.line} links to it (${link.url})`,
            ),
          }
        : await mendInboundLinks({ from: path, to: redirectTo }, site, context);
    context.workspace.remove(path);
    if (isPagePath(path))
      navigation.left.push(
        ...(await mentionsElsewhere(
          sitePath(context.project.docsFolder, path),
          navigation.files,
          context,
        )),
      );
    return {
      content: [`Deleted ${path}.`, ...describeMending(links, navigation)].join('\n'),
      summary: path,
    };
  },
});
