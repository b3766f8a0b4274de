import { Type } from '@sinclair/typebox';
import { isPagePath } from '../../../sites/markdown.ts';
import { applyTexts } from './apply-texts.ts';
import { mentionsElsewhere } from './mentions.ts';
import { isNavigationName } from '../../policy/file-types.ts';
import { describeUpdates } from './describe-updates.ts';
import { existingFile, writeRefusal } from '../paths.ts';
import { toolFailure, inputMember } from '../text.ts';
import { defineTool } from '../tool.ts';

export const deletePageTool = defineTool({
  name: 'delete_page',
  description:
    'Deletes a page and takes it out of the navigation. ' +
    'With redirect_to, links to it are updated and a redirect is added; ' +
    'without, the links that remain are listed.',
  input: Type.Object({
    path: Type.String(),
    redirect_to: Type.Optional(Type.String({ description: 'the file of a page that stays' })),
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
    const target = rawTarget ? existingFile(rawTarget, context) : undefined;
    if (target?.error !== undefined) return toolFailure(`redirect_to: ${target.error}`, path);
    if (target?.path === path)
      return toolFailure('redirect_to is the page that is to be deleted.', path);

    const answer = await context.askSite({
      kind: 'delete-page',
      file: path,
      redirectTo: target?.path,
    });
    const refused = await applyTexts(answer.texts, context);
    if (isPagePath(path))
      answer.navigation.left.push(
        ...(await mentionsElsewhere(path, answer.navigation.files, context)),
      );
    return {
      content: [`Deleted ${path}.`, ...describeUpdates(answer, refused)].join('\n'),
      summary: path,
    };
  },
});
