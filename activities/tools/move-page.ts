import { Type } from '@sinclair/typebox';
import { siteFiles } from '../../shared/site/resolve-link.ts';
import { isPagePath } from '../../shared/site/markdown.ts';
import { sitePath } from '../../shared/site/page-path.ts';
import { mentionsElsewhere } from './mentions.ts';
import { inboundLinks, mendInboundLinks, relocateLinks } from './mend-links.ts';
import { describeMending, moveInNavigation } from './mend-navigation.ts';
import { existingFile, writablePath, writeRefusal } from './paths.ts';
import { failure, member, readTextFile, writeTextFile } from './text.ts';
import { defineTool } from './tool.ts';

export const movePageTool = defineTool({
  name: 'move_page',
  description:
    'Moves or renames a page and mends the links to it, its own relative links, the navigation and the redirects; says what it could not mend.',
  input: Type.Object({
    from: Type.String(),
    to: Type.String({ description: 'the new path of the file, extension included' }),
  }),
  readOnly: false,
  summarize: input => `${member(input, 'from')} -> ${member(input, 'to')}`,
  async execute(input, context) {
    const summary = `${input.from} -> ${input.to}`;
    const source = existingFile(input.from, context);
    if (source.error !== undefined) return failure(source.error, summary);
    const from = source.path;
    const refusal = writeRefusal(from, context);
    if (refusal !== undefined) return failure(refusal, summary);
    if (!isPagePath(from))
      return failure(`${from} is no page: move_page moves .md and .mdx files.`, summary);
    const extension = /\.mdx?$/i.exec(from)?.[0] ?? '';
    const target = writablePath(
      isPagePath(input.to) ? input.to : input.to.replace(/\/*$/, extension),
      context,
    );
    if (target.error !== undefined) return failure(target.error, summary);
    const to = target.path;
    if (context.workspace.has(to))
      return failure(
        `${to} exists already. Choose another path, or delete_page it first.`,
        summary,
      );
    const file = await readTextFile(from, context);
    if ('error' in file) return failure(file.error, summary);

    const site = siteFiles(context.workspace.list(), context.project.docsFolder);
    const imports = (await inboundLinks(from, site, context)).filter(
      ({ link }) => link.kind === 'import',
    );
    if (imports.length > 0 && !context.project.allowMdxCode) {
      const places = imports
        .slice(0, 10)
        .map(({ path, link }) => `${path}:${link.line}`)
        .join(', ');
      return failure(
        `${from} is imported by other pages (${places}), and this project allows no new imports, so it has to stay where it is.`,
        summary,
      );
    }
    const relocated = relocateLinks(file.text, { from, to }, site);
    const written = writeTextFile(to, relocated.text, context);
    if (written !== undefined) return failure(written, summary);
    const navigation = await moveInNavigation(from, to, context);
    const links = await mendInboundLinks({ from, to }, site, context);
    links.left.push(
      ...relocated.left.map(
        line => `${to}:${line} holds a relative link, which still starts from ${from}`,
      ),
    );
    context.workspace.remove(from);
    navigation.left.push(
      ...(await mentionsElsewhere(
        sitePath(context.project.docsFolder, from),
        navigation.files,
        context,
      )),
    );
    return {
      content: [`Moved ${from} to ${to}.`, ...describeMending(links, navigation)].join('\n'),
      summary: `${from} -> ${to}`,
    };
  },
});
