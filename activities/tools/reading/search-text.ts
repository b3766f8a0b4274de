import { Type } from '@sinclair/typebox';
import { orSkip } from '../../../shared/agent-text.ts';
import { type TextFile, textFiles } from '../files.ts';
import { globFilter } from '../glob.ts';
import { Matcher, PatternError } from '../matching/match.ts';
import { acrossWrappedLines } from '../matching/wrapped-words.ts';
import { inRepository, REPOSITORY } from '../repository.ts';
import { clip, clipAround, count, toolFailure, linesAt, inputMember, splitLines } from '../text.ts';
import { defineTool, type ToolContext } from '../tool.ts';

const MAX_LINE = 300;
/** Of a context repository: its files may have to be fetched first. */
const MOST_FILES = 2_000;

export const searchTextTool = defineTool({
  name: 'search_text',
  description:
    'Finds a regular expression (RE2: no look-around, no back-references) in the files as they ' +
    "are now, with this job's edits. Searches the docs folder; a glob narrows it, and `**/*` " +
    'widens it to the whole repository. Letter case is ignored unless asked for. A space between ' +
    'two words also matches where a line was wrapped.',
  input: Type.Object({
    pattern: Type.String({ minLength: 1, maxLength: 1000 }),
    glob: Type.Optional(Type.String({ maxLength: 500 })),
    case_sensitive: Type.Optional(Type.Boolean({ description: 'false by default' })),
    context: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        description: 'lines before and after; 0 by default',
      }),
    ),
    max_results: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, description: 'lines; 50 by default' }),
    ),
    skip: Type.Optional(
      Type.Integer({ minimum: 0, description: 'matching lines to pass over; 0 by default' }),
    ),
    repository: REPOSITORY,
  }),
  readOnly: true,
  summarize: input => inputMember(input, 'pattern'),
  async execute({ pattern, glob, case_sensitive: exact = false, ...input }, own) {
    const summary = clip(pattern, 120);
    const context = await inRepository(input.repository, own);
    if ('failure' in context) return context.failure;
    if (context !== own && tooMany(glob, context))
      return toolFailure(
        `That is more than ${MOST_FILES} files of a context repository. Narrow the glob.`,
        summary,
      );
    const part: Part = {
      around: input.context ?? 0,
      limit: input.max_results ?? 50,
      skip: input.skip ?? 0,
    };
    let found: Found;
    const matcher = new Matcher({ source: acrossWrappedLines(pattern), ignoreCase: !exact });
    try {
      // Of an empty text first: a pattern that is none is found without a file.
      await matcher.matches('');
      found = await findLines(matcher, textFiles(glob, context), part);
    } catch (error) {
      if (context.signal.aborted) throw error;
      if (error instanceof PatternError) return toolFailure(error.message, summary);
      return toolFailure(`${glob} is not a glob. Use *, **, ?, [a-z] and {a,b}.`, summary);
    } finally {
      matcher.close();
    }
    const { lines } = found;
    const hint = exact
      ? 'Try without case_sensitive.'
      : 'Try fewer or other words, or a wider glob.';
    return {
      content:
        lines === 0
          ? `Nothing in ${glob ?? 'the docs folder'} matches. ${hint}`
          : describe(found, part),
      summary: `${summary} (${count(lines, 'line')})`,
    };
  },
});

function tooMany(glob: string | undefined, { workspace, project }: ToolContext): boolean {
  try {
    const matches = glob === undefined ? () => true : globFilter(glob, project.docsFolder);
    return workspace.list().filter(matches).length > MOST_FILES;
  } catch {
    return false; // not a glob: the search says so
  }
}

/** Which matching lines to show, and how many lines around each. */
interface Part {
  around: number;
  limit: number;
  skip: number;
}

interface Found {
  shown: string[];
  /** Matching lines and files with one, shown or not. */
  lines: number;
  files: number;
}

async function findLines(
  matcher: Matcher,
  files: AsyncIterable<TextFile>,
  { around, limit, skip }: Part,
): Promise<Found> {
  const found: Found = { shown: [], lines: 0, files: 0 };
  for await (const { path, text } of files) {
    const starts = (await matcher.matches(text)).map(({ start }) => start);
    const matching = linesAt(
      text,
      starts.filter(start => start < text.length),
    );
    if (matching.size === 0) continue;
    const from = Math.max(0, skip - found.lines);
    const to = Math.max(0, skip + limit - found.lines);
    const here = new Map([...matching].slice(from, to));
    found.files += 1;
    found.lines += matching.size;
    if (here.size > 0) found.shown.push(...excerpt(path, splitLines(text), here, around));
  }
  return found;
}

function describe({ shown, lines, files }: Found, { limit, skip }: Part): string {
  const total = `${count(lines, 'line')} in ${count(files, 'file')}`;
  if (skip >= lines) return `There ${lines === 1 ? 'is' : 'are'} only ${total}: skip fewer.`;
  const rest = lines - skip - limit;
  const more =
    `[${count(rest, 'more line')}: narrow the pattern or the glob, raise max_results, ` +
    orSkip(skip + limit);
  return [`${total}:`, ...shown, ...(rest > 0 ? [more] : [])].join('\n');
}

/**
 * `path:12: text` for a match, `path-13- text` for its neighbours, as grep prints them. Long lines
 * are cut about their match.
 */
function excerpt(
  path: string,
  lines: string[],
  found: ReadonlyMap<number, number>,
  around: number,
): string[] {
  const wanted = new Set(
    [...found.keys()].flatMap(line =>
      Array.from({ length: 2 * around + 1 }, (_, i) => line - around + i),
    ),
  );
  return [...wanted]
    .filter(line => line >= 1 && line <= lines.length)
    .sort((a, b) => a - b)
    .map(
      line =>
        (found.has(line) ? `${path}:${line}: ` : `${path}-${line}- `) +
        clipAround(lines[line - 1] ?? '', found.get(line) ?? 0, MAX_LINE),
    );
}
