import { Type } from '@sinclair/typebox';
import { isPagePath } from '../../shared/site/markdown.ts';
import { textFiles } from './files.ts';
import { type Range, scopeRanges } from './scope.ts';
import {
  clip,
  clipAround,
  count,
  toolFailure,
  linesAt,
  inputMember,
  splitLines,
  withLineEnds,
  writeTextFile,
} from './text.ts';
import { writeRefusal } from './paths.ts';
import { defineTool } from './tool.ts';

const MAX_FILES = 60;
const MAX_SAMPLES = 40;

export const replaceAllTool = defineTool({
  name: 'replace_all',
  description:
    'Replaces every occurrence of a literal text in the docs folder, or in the files of a glob. ' +
    'Try it with dry_run first: it shows each line that would change. ' +
    'scope "prose" leaves code, tags, link addresses and imports alone; ' +
    '"code" changes only code blocks and inline code of pages.',
  input: Type.Object({
    find: Type.String({ minLength: 1, maxLength: 10_000 }),
    replace: Type.String({ maxLength: 100_000 }),
    glob: Type.Optional(Type.String({ maxLength: 500 })),
    whole_word: Type.Optional(Type.Boolean({ description: 'false by default' })),
    case_sensitive: Type.Optional(Type.Boolean({ description: 'true by default' })),
    scope: Type.Optional(
      Type.Union([Type.Literal('all'), Type.Literal('prose'), Type.Literal('code')], {
        description: 'all, prose or code; all by default',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'only report what would change' })),
  }),
  readOnly: false,
  summarize: input =>
    `${clip(inputMember(input, 'find'), 60)} -> ${clip(inputMember(input, 'replace'), 60)}`,
  async execute(input, context) {
    const { find, replace, glob, scope = 'all', dry_run: dry = false } = input;
    const short = (text: string) => clip(text.replace(/\s+/g, ' '), 60);
    const object = `${short(find)} -> ${short(replace)}`;
    if (find === replace)
      return toolFailure('find and replace are the same, so nothing would change.', object);
    const report = {
      files: [] as string[],
      samples: [] as string[],
      left: [] as string[],
      total: 0,
    };
    try {
      for await (const { path, text } of textFiles(glob, context)) {
        if (scope !== 'all' && !isPagePath(path)) continue;
        const found = occurrences(text, expression(input, text));
        const hits =
          scope === 'all' || found.length === 0
            ? found
            : within(found, scopeRanges(path, text, scope));
        if (hits.length === 0) continue;
        const changed = substitute(text, hits, withLineEnds(replace, text));
        const refusal = dry ? writeRefusal(path, context) : writeTextFile(path, changed, context);
        if (refusal !== undefined) {
          report.left.push(refusal);
          continue;
        }
        const lines = linesAt(
          text,
          hits.map(({ start }) => start),
        );
        const numbers = [...lines.keys()].slice(0, 30);
        report.total += hits.length;
        report.files.push(
          `${path}: ${hits.length} ` +
            `(${hits.length === 1 ? 'line' : 'lines'} ${numbers.join(', ')})`,
        );
        if (dry && report.samples.length < MAX_SAMPLES)
          report.samples.push(...samples(path, text, lines));
      }
    } catch (error) {
      if (context.signal.aborted || glob === undefined) throw error;
      return toolFailure(`${glob} is not a glob. Use *, **, ?, [a-z] and {a,b}.`, object);
    }
    const total = `${report.total} in ${count(report.files.length, 'file')}`;
    return {
      content: describe(report, input),
      summary: `${object} (${dry ? 'dry run, ' : ''}${total})`,
    };
  },
});

function expression(
  {
    find,
    whole_word: whole = false,
    case_sensitive: exact = true,
  }: { find: string; whole_word?: boolean; case_sensitive?: boolean },
  text: string,
): RegExp {
  const literal = withLineEnds(find, text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const word = '[\\p{L}\\p{N}_]';
  const left = whole && /^[\p{L}\p{N}_]/u.test(find) ? `(?<!${word})` : '';
  const right = whole && /[\p{L}\p{N}_]$/u.test(find) ? `(?!${word})` : '';
  return new RegExp(`${left}${literal}${right}`, exact ? 'gu' : 'giu');
}

function occurrences(text: string, pattern: RegExp): Range[] {
  return [...text.matchAll(pattern)].map(match => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function within(hits: readonly Range[], ranges: readonly Range[]): Range[] {
  return hits.filter(hit => ranges.some(({ start, end }) => hit.start >= start && hit.end <= end));
}

function substitute(text: string, hits: readonly Range[], replacement: string): string {
  let changed = '';
  let from = 0;
  for (const { start, end } of hits) {
    changed += text.slice(from, start) + replacement;
    from = end;
  }
  return changed + text.slice(from);
}

/** Each line with a hit, as much of it as is about the first one. */
function samples(path: string, text: string, lines: ReadonlyMap<number, number>): string[] {
  const all = splitLines(text);
  return Array.from(
    lines,
    ([line, at]) => `${path}:${line}: ${clipAround(all[line - 1] ?? '', at, 200)}`,
  );
}

function describe(
  report: { files: string[]; samples: string[]; left: string[]; total: number },
  {
    find,
    glob,
    dry_run: dry = false,
    case_sensitive: exact = true,
  }: { find: string; glob?: string; dry_run?: boolean; case_sensitive?: boolean },
): string {
  const lines: string[] = [];
  if (report.total === 0) {
    const hint = exact
      ? 'Letter case counts unless case_sensitive is false; search_text finds near forms.'
      : 'search_text finds near forms.';
    lines.push(
      `Nothing replaced: ${JSON.stringify(clip(find, 100))} does not occur in ` +
        `${glob ?? 'the docs folder'} where it may be changed. ${hint}`,
    );
  } else {
    lines.push(
      `${dry ? 'Would replace' : 'Replaced'} ${count(report.total, 'occurrence')} ` +
        `in ${count(report.files.length, 'file')}:`,
      ...report.files.slice(0, MAX_FILES),
    );
    if (report.files.length > MAX_FILES)
      lines.push(`[${report.files.length - MAX_FILES} more files]`);
    if (report.samples.length > 0) lines.push('Lines:', ...report.samples.slice(0, MAX_SAMPLES));
  }
  if (report.left.length > 0) lines.push('Left alone:', ...report.left.slice(0, 20));
  return lines.join('\n');
}
