import { type Static, Type } from '@sinclair/typebox';
import { isPagePath } from '../../../shared/site/markdown.ts';
import { type TextFile, textFiles } from '../files.ts';
import { PatternError } from '../matching/match.ts';
import { openFinder, type Replacement, substitute, within } from './replacements.ts';
import { describeReplacements, note, type Report } from './replacement-report.ts';
import { scopeRanges } from '../scope.ts';
import { clip, count, inputMember, toolFailure, writeTextFile } from '../text.ts';
import { writeRefusal } from '../paths.ts';
import { defineTool, type ToolContext } from '../tool.ts';

const input = Type.Object({
  find: Type.String({ minLength: 1, maxLength: 10_000 }),
  replace: Type.String({ maxLength: 100_000 }),
  glob: Type.Optional(Type.String({ maxLength: 500 })),
  regex: Type.Optional(Type.Boolean({ description: 'false by default' })),
  whole_word: Type.Optional(Type.Boolean({ description: 'false by default' })),
  case_sensitive: Type.Optional(Type.Boolean({ description: 'true by default' })),
  scope: Type.Optional(
    Type.Union([Type.Literal('all'), Type.Literal('prose'), Type.Literal('code')], {
      description: 'all, prose or code; all by default',
    }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'only report what would change' })),
});
type Input = Static<typeof input>;

export const replaceAllTool = defineTool({
  name: 'replace_all',
  description:
    'Replaces every occurrence of a text in the docs folder, or in the files of a glob. The text ' +
    'may have several lines. With regex it is a regular expression (RE2; ^ and $ are the ends of ' +
    'lines, (?s) lets . match line ends) and the replacement may use $1 or ${name}. ' +
    'Try it with dry_run first: it shows each place before and after. ' +
    'scope "prose" leaves code, tags, link addresses and imports alone; ' +
    '"code" changes only code blocks and inline code of pages.',
  input,
  readOnly: false,
  summarize: call =>
    `${clip(inputMember(call, 'find'), 60)} -> ${clip(inputMember(call, 'replace'), 60)}`,
  async execute(call, context) {
    const { find, replace, glob, dry_run: dry = false } = call;
    const short = (text: string) => clip(text.replace(/\s+/g, ' '), 60);
    const object = `${short(find)} -> ${short(replace)}`;
    if (find === replace)
      return toolFailure('find and replace are the same, so nothing would change.', object);
    if (call.regex && call.whole_word)
      return toolFailure('whole_word goes without regex: write \\b around the pattern.', object);
    let planned: Planned[];
    try {
      planned = await plan(call, context);
    } catch (error) {
      if (context.signal.aborted) throw error;
      if (error instanceof PatternError) return toolFailure(error.message, object);
      if (glob === undefined) throw error;
      return toolFailure(`${glob} is not a glob. Use *, **, ?, [a-z] and {a,b}.`, object);
    }
    const report: Report = { files: [], samples: [], left: [], total: 0 };
    for (const { path, text, hits } of planned) {
      const refusal = dry
        ? writeRefusal(path, context)
        : writeTextFile(path, substitute(text, hits), context);
      if (refusal === undefined) note(report, path, text, hits, dry);
      else report.left.push(refusal);
    }
    const total = `${report.total} in ${count(report.files.length, 'file')}`;
    return {
      content: describeReplacements(report, call),
      summary: `${object} (${dry ? 'dry run, ' : ''}${total})`,
    };
  },
});

interface Planned extends TextFile {
  hits: Replacement[];
}

/** Before anything is written: a pattern may turn out to take too long. */
async function plan(call: Input, context: ToolContext): Promise<Planned[]> {
  const { glob, scope = 'all' } = call;
  const planned: Planned[] = [];
  const finder = openFinder(call);
  try {
    for await (const { path, text } of textFiles(glob, context)) {
      if (scope !== 'all' && !isPagePath(path)) continue;
      const found = await finder.find(text);
      const hits =
        scope === 'all' || found.length === 0
          ? found
          : within(found, scopeRanges(path, text, scope));
      if (hits.length > 0) planned.push({ path, text, hits });
    }
  } finally {
    finder.close();
  }
  return planned;
}
