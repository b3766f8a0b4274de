import { Type } from '@sinclair/typebox';
import { RE2JS } from 're2js';
import { orSkip } from '../../shared/agent-text.ts';
import { textFiles } from './files.ts';
import { clip, clipAround, count, failure, linesOf, member, splitLines } from './text.ts';
import { defineTool } from './tool.ts';

const MAX_LINE = 300;

export const searchTextTool = defineTool({
  name: 'search_text',
  description:
    "Finds a regular expression (RE2: no look-around, no back-references) in the files as they are now, with this job's edits. " +
    'Searches the docs folder; a glob narrows it, and `**/*` widens it to the whole repository. Letter case is ignored unless asked for.',
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
  summarize: input => member(input, 'pattern'),
  async execute(
    {
      pattern,
      glob,
      case_sensitive: exact = false,
      context: around = 0,
      max_results: limit = 50,
      skip = 0,
    },
    context,
  ) {
    const summary = clip(pattern, 120);
    let expression: RE2JS;
    try {
      expression = RE2JS.compile(pattern, RE2JS.MULTILINE | (exact ? 0 : RE2JS.CASE_INSENSITIVE));
    } catch (error) {
      return failure(
        `${pattern} is not a regular expression that RE2 takes: ${error instanceof Error ? error.message : 'unreadable'}. Escape ( ) [ ] { } . * + ? ^ $ | \\ with a backslash to search for them.`,
        summary,
      );
    }
    const shown: string[] = [];
    let lines = 0;
    let files = 0;
    try {
      for await (const { path, text } of textFiles(glob, context)) {
        const found = linesOf(text, starts(expression, text));
        if (found.size === 0) continue;
        files += 1;
        const here = new Map(
          [...found].slice(Math.max(0, skip - lines), Math.max(0, skip + limit - lines)),
        );
        lines += found.size;
        if (here.size > 0) shown.push(...excerpt(path, splitLines(text), here, around));
      }
    } catch (error) {
      if (context.signal.aborted) throw error;
      return failure(`${glob} is not a glob. Use *, **, ?, [a-z] and {a,b}.`, summary);
    }
    if (lines === 0)
      return {
        content: `Nothing in ${glob ?? 'the docs folder'} matches. ${exact ? 'Try without case_sensitive.' : 'Try fewer or other words, or a wider glob.'}`,
        summary: `${summary} (0 lines)`,
      };
    if (skip >= lines)
      return {
        content: `There ${lines === 1 ? 'is' : 'are'} only ${count(lines, 'line')} in ${count(files, 'file')}: skip fewer.`,
        summary: `${summary} (${count(lines, 'line')})`,
      };
    const rest = lines - skip - limit;
    const more =
      rest > 0
        ? [
            `[${count(rest, 'more line')}: narrow the pattern or the glob, raise max_results, ${orSkip(skip + limit)}`,
          ]
        : [];
    return {
      content: [`${count(lines, 'line')} in ${count(files, 'file')}:`, ...shown, ...more].join(
        '\n',
      ),
      summary: `${summary} (${count(lines, 'line')})`,
    };
  },
});

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
