import { type Static, Type } from '@sinclair/typebox';
import { isPagePath } from '../../../sites/markdown.ts';
import type {
  EntryPosition,
  EntryReference,
  NavigationEdit,
} from '../../navigation/navigation-edit.ts';
import { applyTexts, withoutRefused } from './apply-texts.ts';
import { describeLeft } from './describe-updates.ts';
import { existingFile } from '../paths.ts';
import { inputMember, toolFailure } from '../text.ts';
import { defineTool, type ToolContext } from '../tool.ts';

const Titles = Type.Array(Type.String(), { maxItems: 10 });
const Input = Type.Object({
  action: Type.Union([
    Type.Literal('add_page'),
    Type.Literal('add_group'),
    Type.Literal('move'),
    Type.Literal('remove'),
    Type.Literal('rename'),
    Type.Literal('add_redirect'),
  ]),
  page: Type.Optional(Type.String({ description: 'add_page: path of an existing page' })),
  entry: Type.Optional(
    Type.String({
      description: 'move, remove, rename: path of a page, or title of an entry or group',
    }),
  ),
  title: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'add_group, rename: the title; add_page: only if it is not that of the page',
    }),
  ),
  pages: Type.Optional(
    Type.Array(Type.String(), { maxItems: 50, description: 'add_group: paths of its pages' }),
  ),
  after: Type.Optional(
    Type.String({ description: 'place behind this: path of a page, or title of an entry' }),
  ),
  before: Type.Optional(Type.String({ description: 'place before this' })),
  group: Type.Optional({
    ...Titles,
    description: 'titles of the levels above, outermost first; [] is the top level',
  }),
  at: Type.Optional(
    Type.Union([Type.Literal('start'), Type.Literal('end')], {
      description: 'of the group, when neither after nor before is given; end by default',
    }),
  ),
  from: Type.Optional(Type.String({ description: 'add_redirect: the old site path' })),
  to: Type.Optional(
    Type.String({ description: 'add_redirect: path of a page, or a site path of this site' }),
  ),
});
type Input = Static<typeof Input>;

export const editNavigationTool = defineTool({
  name: 'edit_navigation',
  description:
    'Changes the navigation of the site, whatever file and format it is in: lists a page, adds a ' +
    'group, moves, removes or renames an entry, adds a redirect. Comments and order stay.',
  input: Input,
  readOnly: false,
  summarize: input =>
    [inputMember(input, 'action'), inputMember(input, 'page') || inputMember(input, 'entry')]
      .filter(part => part !== '')
      .join(' '),
  async execute(input, context) {
    const summary = [input.action, input.page ?? input.entry ?? input.title ?? input.from]
      .filter(part => part !== undefined)
      .join(' ');
    const edit = editOf(input, context);
    if ('error' in edit) return toolFailure(edit.error, summary);
    const change = await context.askSite({ kind: 'edit-navigation', edit });
    if ('refused' in change) return toolFailure(change.refused, summary);
    const refused = await applyTexts(change.files, context);
    if (refused.size > 0 && refused.size === change.files.size)
      return toolFailure([...refused.values()].join(' '), summary);
    const lines = [
      ...withoutRefused(change.done, refused),
      ...describeLeft([...change.left, ...refused.values()]),
    ];
    return { content: lines.join('\n') || 'Nothing had to be changed.', summary };
  },
});

type Wrong = { error: string };

function editOf(input: Input, context: ToolContext): NavigationEdit | Wrong {
  const position = positionOf(input, context);
  if (position && 'error' in position) return position;
  const placed = position ? { position } : {};
  const { title } = input;
  switch (input.action) {
    case 'add_page': {
      const { path, error } = existingFile(input.page ?? '', context);
      if (error !== undefined) return { error: `page: ${error} Create it first.` };
      return { kind: 'add-page', file: path, ...placed, ...(title !== undefined && { title }) };
    }
    case 'add_group':
      return groupOf(input, placed, context);
    case 'move':
      if (input.entry === undefined || !position)
        return { error: 'move needs entry, and after, before or group.' };
      return { kind: 'move-entry', entry: referenceOf(input.entry, undefined, context), position };
    case 'remove':
      if (input.entry === undefined) return { error: 'remove needs entry.' };
      return { kind: 'remove-entry', entry: referenceOf(input.entry, input.group, context) };
    case 'rename':
      if (input.entry === undefined || title === undefined)
        return { error: 'rename needs entry and title.' };
      return { kind: 'rename-entry', entry: referenceOf(input.entry, input.group, context), title };
    case 'add_redirect':
      return redirectOf(input, context);
  }
}

function groupOf(
  { title, pages = [] }: Input,
  placed: { position?: EntryPosition },
  context: ToolContext,
): NavigationEdit | Wrong {
  if (title === undefined) return { error: 'add_group needs title.' };
  const files: string[] = [];
  for (const page of pages) {
    const { path, error } = existingFile(page, context);
    if (error !== undefined) return { error: `pages: ${error}` };
    files.push(path);
  }
  return { kind: 'add-group', title, pages: files, ...placed };
}

function redirectOf({ from, to }: Input, context: ToolContext): NavigationEdit | Wrong {
  if (from === undefined || to === undefined) return { error: 'add_redirect needs from and to.' };
  if (!/^\/(?![/\\])\S*$/.test(from))
    return { error: 'from must be a path of the site, such as /old/page.' };
  if (/^\/(?![/\\])\S*$/.test(to) && !isPagePath(to)) return { kind: 'add-redirect', from, to };
  const { path, error } = existingFile(to, context);
  return error === undefined ? { kind: 'add-redirect', from, to: path } : { error: `to: ${error}` };
}

function positionOf(
  { after, before, group, at = 'end', action }: Input,
  context: ToolContext,
): EntryPosition | Wrong | undefined {
  if (after !== undefined && before !== undefined)
    return { error: 'Give after or before, not both.' };
  if (after !== undefined) return { after: referenceOf(after, group, context) };
  if (before !== undefined) return { before: referenceOf(before, group, context) };
  return group === undefined || action === 'remove' || action === 'rename'
    ? undefined
    : { group, at };
}

/** The page at that path, else the entry of that title. */
function referenceOf(
  name: string,
  group: readonly string[] | undefined,
  context: ToolContext,
): EntryReference {
  const { path } = existingFile(name, context);
  if (path !== undefined && isPagePath(path)) return { file: path };
  return { title: name, ...(group && { group }) };
}
