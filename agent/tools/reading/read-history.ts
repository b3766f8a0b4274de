import { type Static, Type } from '@sinclair/typebox';
import { HistoryError, type HistoryQuestion } from '../../../hosts/git/history-questions.ts';
import { RepositoryError } from '../../../hosts/repository-error.ts';
import { cleanPath, existingFile } from '../paths.ts';
import { inRepository, REPOSITORY } from '../repository.ts';
import { clip, inputMember, toolFailure } from '../text.ts';
import { defineTool, type ToolContext, type ToolResult } from '../tool.ts';

const MAX_CHARACTERS = 30_000;
const MAX_LINE = 400;
const LOG = 20;

const input = Type.Object({
  action: Type.Union([Type.Literal('log'), Type.Literal('blame'), Type.Literal('diff')]),
  path: Type.Optional(
    Type.String({ description: 'a file or folder; for log and diff the docs folder by default' }),
  ),
  lines: Type.Optional(
    Type.Array(Type.Integer(), {
      minItems: 2,
      maxItems: 2,
      description: 'blame: [first line, last line], 1-based; the whole file by default',
    }),
  ),
  commit: Type.Optional(Type.String({ description: 'diff: the commit whose change is shown' })),
  from: Type.Optional(
    Type.String({ description: 'diff: an older commit to compare with; its parent by default' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: `log: commits; ${LOG} by default` }),
  ),
  skip: Type.Optional(
    Type.Integer({ minimum: 0, description: 'log: commits to pass over; 0 by default' }),
  ),
  repository: REPOSITORY,
});
type Input = Static<typeof input>;

export const readHistoryTool = defineTool({
  name: 'read_history',
  description:
    'Reads the git history of a file or folder. log: its commits, newest first. ' +
    'blame: the last commit of each line. diff: what a commit changed, or what changed between ' +
    "two. The history ends before this job's edits, and begins at most 1,000 commits back.",
  input,
  readOnly: true,
  summarize: call => `${inputMember(call, 'action')} ${inputMember(call, 'path')}`.trim(),
  async execute(call, own) {
    const context = await inRepository(call.repository, own);
    if ('failure' in context) return context.failure;
    const question = questionOf(call, context);
    if ('error' in question) return toolFailure(question.error, summaryOf(call));
    try {
      const { text, isCut } = await context.history(question);
      return shown(call, question, text, isCut);
    } catch (error) {
      if (context.signal.aborted) throw error;
      if (error instanceof HistoryError) return toolFailure(error.message, summaryOf(call));
      if (error instanceof RepositoryError && error.type === 'repository_unreachable')
        return toolFailure(
          'The history cannot be read at the moment. Continue without it.',
          summaryOf(call),
        );
      throw error;
    }
  },
});

function questionOf(call: Input, context: ToolContext): HistoryQuestion | { error: string } {
  const { action, limit = LOG, skip = 0, from } = call;
  if (action === 'blame') {
    if (call.path === undefined) return { error: 'blame: path is missing. Name a file.' };
    const { path, error } = existingFile(call.path, context);
    if (error !== undefined) return { error };
    if (!context.workspace.snapshot.entries.has(path))
      return { error: `${path} is new in this job, so it has no history yet.` };
    const [first = 1, last = -1] = call.lines ?? [];
    if (!call.lines) return { kind: 'blame', path };
    return first >= 1 && last >= first
      ? { kind: 'blame', path, lines: [first, last] }
      : { error: `lines [${first}, ${last}] does not fit: use [first, last] with first <= last.` };
  }
  const clean = pathOf(call.path, context);
  if (clean.error !== undefined) return clean;
  const { path } = clean;
  if (action === 'log') return { kind: 'log', path, limit, skip };
  if (call.commit === undefined)
    return { error: 'diff: commit is missing. `log` lists the commits of a path.' };
  return { kind: 'diff', path, to: call.commit, ...(from !== undefined && { from }) };
}

/** A path that may be gone by now; one that exists in the docs folder may be written from there. */
function pathOf(
  raw: string | undefined,
  context: ToolContext,
): { path: string; error?: never } | { error: string } {
  const { docsFolder } = context.project;
  if (raw === undefined) return { path: docsFolder };
  const clean = cleanPath(raw);
  if (clean.error !== undefined) return { error: clean.error };
  const paths = context.workspace.list();
  const exists = (path: string): boolean =>
    path === '' || paths.some(one => one === path || one.startsWith(`${path}/`));
  const inDocs = docsFolder === '' ? clean.path : `${docsFolder}/${clean.path}`;
  return { path: !exists(clean.path) && exists(inDocs) ? inDocs : clean.path };
}

function shown(call: Input, question: HistoryQuestion, text: string, isCut: boolean): ToolResult {
  const summary = summaryOf({ ...call, path: question.path });
  if (text.trim() === '')
    return {
      content:
        question.kind === 'log'
          ? `No commit of ${question.path === '' ? 'this repository' : question.path} is known` +
            `${question.skip > 0 ? ' beyond these' : ''}. A file that was renamed has its older ` +
            'history under its old path.'
          : `Nothing of ${question.path === '' ? 'this repository' : question.path} was changed there.`,
      summary,
    };
  const lines = text
    .trimEnd()
    .split('\n')
    .map(line => clip(line, MAX_LINE))
    .join('\n');
  const content = lines.slice(0, MAX_CHARACTERS);
  const rest =
    question.kind === 'log'
      ? `more: skip ${question.skip + question.limit}`
      : 'the rest is cut: name a file, or fewer lines';
  return {
    content: isCut || content.length < lines.length ? `${content}\n[${rest}.]` : content,
    summary,
  };
}

function summaryOf({ action, path, commit }: Input): string {
  return clip([action, commit, path].filter(part => part !== undefined).join(' '), 200);
}
