import { Type } from '@sinclair/typebox';
import { orSkip } from '../../../shared/agent-text.ts';
import { namedFiles } from '../files.ts';
import { PatternError, withMatchThread } from '../matching/match-pool.ts';
import type { ShownLine } from '../matching/matching-lines.ts';
import type { Pattern } from '../matching/pattern-matcher.ts';
import { hasWords, plainForm } from '../matching/plain-form.ts';
import { textBatches } from '../matching/text-batches.ts';
import { inRepository, REPOSITORY } from '../repository.ts';
import { clip, count, toolFailure, inputMember } from '../text.ts';
import { defineTool, type ToolContext } from '../tool.ts';

/** Of a context repository: its files may have to be fetched first. */
const MOST_FILES = 2_000;

export const searchTextTool = defineTool({
  name: 'search_text',
  description:
    'Finds a regular expression (RE2: no look-around, no back-references) in the files as they ' +
    "are now, with this job's edits. Searches the docs folder; a glob narrows it, and `**/*` " +
    'widens it to the whole repository. Letter case is ignored unless asked for. A space between ' +
    'two words also matches where a line was wrapped, and no-break spaces; curly quotes, joined ' +
    'letters and soft hyphens match their plain forms.',
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
    const part: Part = {
      around: input.context ?? 0,
      limit: input.max_results ?? 50,
      skip: input.skip ?? 0,
    };
    let paths: string[];
    try {
      paths = namedFiles(glob, context);
    } catch {
      return toolFailure(`${glob} is not a glob. Use *, **, ?, [a-z] and {a,b}.`, summary);
    }
    if (context !== own && paths.length > MOST_FILES)
      return toolFailure(
        `That is more than ${MOST_FILES} files of a context repository. Narrow the glob.`,
        summary,
      );
    let found: Found;
    try {
      found = await findLines(patternsOf(pattern, exact), paths, part, context);
    } catch (error) {
      if (error instanceof PatternError) return toolFailure(error.message, summary);
      throw error;
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

/** What is searched for as it is written, and, if it has words, as people read it. */
function patternsOf(pattern: string, exact: boolean): { pattern: Pattern; plain?: Pattern } {
  const ignoring = (source: string) => ({
    source: acrossWrappedLines(source),
    ignoreCase: !exact,
  });
  return {
    pattern: ignoring(pattern),
    ...(hasWords(pattern) && { plain: ignoring(plainForm(pattern).text) }),
  };
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
  patterns: { pattern: Pattern; plain?: Pattern },
  paths: readonly string[],
  { around, limit, skip }: Part,
  context: ToolContext,
): Promise<Found> {
  const found: Found = { shown: [], lines: 0, files: 0 };
  await withMatchThread(context.signal, async ask => {
    for await (const batch of textBatches(paths, context, ask)) {
      const from = skip - found.lines;
      const shown = { from, to: from + limit, around };
      const answer = await ask({ kind: 'lines', ...patterns, texts: batch.texts, shown });
      found.lines += answer.lines;
      found.files += answer.texts;
      for (const { text, lines } of answer.shown)
        found.shown.push(...lines.map(line => describeLine(batch.paths[text] ?? '', line)));
    }
  });
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

/** `path:12: text` for a match, `path-13- text` for its neighbours, as grep prints them. */
function describeLine(path: string, { number, isMatch, content }: ShownLine): string {
  return isMatch ? `${path}:${number}: ${content}` : `${path}-${number}- ${content}`;
}

/** A space, or where a line was wrapped: the next line may be indented or quoted. */
const GAP = String.raw`(?: |[ \t]*\r?\n[ \t]*(?:>[ \t]?)*)`;
/** What stands on both sides of a space between words. */
const BEFORE = /[\p{L}\p{N}_.,;:!?)\]'"`’”]/u;
const AFTER = /[\p{L}\p{N}_('"`‘“[]/u;

/**
 * The pattern with each single space between two words matching a line break too: text is wrapped
 * anywhere.
 */
function acrossWrappedLines(pattern: string): string {
  let result = '';
  let isInClass = false;
  for (let i = 0; i < pattern.length; i += 1) {
    const char = pattern.charAt(i);
    if (char === '\\') {
      result += char + pattern.charAt((i += 1));
      continue;
    }
    if (char === '[') isInClass = true;
    else if (char === ']') isInClass = false;
    const isGap =
      char === ' ' &&
      !isInClass &&
      BEFORE.test(pattern.charAt(i - 1)) &&
      AFTER.test(pattern.charAt(i + 1));
    result += isGap ? GAP : char;
  }
  return result;
}
