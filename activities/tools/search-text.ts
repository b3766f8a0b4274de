import { Type } from '@sinclair/typebox';
import { RE2JS } from 're2js';
import { orSkip } from '../../shared/agent-text.ts';
import { type TextFile, textFiles } from './files.ts';
import { clip, clipAround, count, toolFailure, linesAt, inputMember, splitLines } from './text.ts';
import { defineTool } from './tool.ts';

const MAX_LINE = 300;

export const searchTextTool = defineTool({
  name: 'search_text',
  description:
    'Finds a regular expression (RE2: no look-around, no back-references) in the files as they ' +
    "are now, with this job's edits. Searches the docs folder; a glob narrows it, and `**/*` " +
    'widens it to the whole repository. Letter case is ignored unless asked for.',
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
  }),
  readOnly: true,
  summarize: input => inputMember(input, 'pattern'),
  async execute({ pattern, glob, case_sensitive: exact = false, ...input }, context) {
    const summary = clip(pattern, 120);
    const expression = compile(pattern, exact);
    if (typeof expression === 'string') return toolFailure(expression, summary);
    const part: Part = {
      around: input.context ?? 0,
      limit: input.max_results ?? 50,
      skip: input.skip ?? 0,
    };
    let found: Found;
    try {
      found = await findLines(expression, textFiles(glob, context), part);
    } catch (error) {
      if (context.signal.aborted) throw error;
      return toolFailure(`${glob} is not a glob. Use *, **, ?, [a-z] and {a,b}.`, summary);
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

/** The expression, or why it is none. */
function compile(pattern: string, exact: boolean): RE2JS | string {
  try {
    return RE2JS.compile(pattern, RE2JS.MULTILINE | (exact ? 0 : RE2JS.CASE_INSENSITIVE));
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable';
    return (
      `${pattern} is not a regular expression that RE2 accepts: ${why}. ` +
      'Escape ( ) [ ] { } . * + ? ^ $ | \\ with a backslash to search for them.'
    );
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
  expression: RE2JS,
  files: AsyncIterable<TextFile>,
  { around, limit, skip }: Part,
): Promise<Found> {
  const found: Found = { shown: [], lines: 0, files: 0 };
  for await (const { path, text } of files) {
    const matching = linesAt(text, starts(expression, text));
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

/** Offsets at which a match begins. */
function* starts(expression: RE2JS, text: string): Generator<number> {
  const matcher = expression.matcher(text);
  while (matcher.find()) if (matcher.start() < text.length) yield matcher.start();
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
