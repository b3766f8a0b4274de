import { setImmediate } from 'node:timers/promises';
import { type Static, Type } from '@sinclair/typebox';
import { isPagePath } from '../../../sites/markdown.ts';
import { namedFiles } from '../files.ts';
import { type AskThread, PatternError, withMatchThread } from '../matching/match-pool.ts';
import { readShared, type SharedText } from '../matching/shared-texts.ts';
import { textBatches } from '../matching/text-batches.ts';
import { type PackedReplacements, substitute, unpack } from './replacements.ts';
import { describeReplacements, note, noteLeft, type Report } from './replacement-report.ts';
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
    'Without regex, no-break spaces, curly quotes and soft hyphens match their plain forms. ' +
    'Try it with dry_run first: it shows each place before and after. ' +
    'scope "prose" leaves code, tags, link addresses, imports and settings alone; ' +
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
    let paths: string[];
    try {
      paths = namedFiles(glob, context);
    } catch {
      return toolFailure(`${glob} is not a glob. Use *, **, ?, [a-z] and {a,b}.`, object);
    }
    let planned: Planned[];
    try {
      planned = await plan(call, paths, context);
    } catch (error) {
      if (error instanceof PatternError) return toolFailure(error.message, object);
      throw error;
    }
    const report = await carryOut(planned, dry, context);
    const total = `${report.total} in ${count(report.files.length, 'file')}`;
    return {
      content: describeReplacements(report, call),
      summary: `${object} (${dry ? 'dry run, ' : ''}${total})`,
    };
  },
});

/** Pages are parsed for a scope, which takes longer than any pattern should. */
const SCOPE_TIMEOUT_MS = 110_000;
/** Turns of the event loop are not longer by much. */
const LONGEST_TURN_MS = 10;

interface Planned {
  path: string;
  text: SharedText;
  replacements: PackedReplacements;
  left: number[];
}

/** Before anything is written: a pattern may turn out to take too long. */
async function plan(
  call: Input,
  paths: readonly string[],
  context: ToolContext,
): Promise<Planned[]> {
  const { scope: parts = 'all', ...wanted } = call;
  const some = parts === 'all' ? paths : paths.filter(isPagePath);
  const planned: Planned[] = [];
  const ask = async (thread: AskThread): Promise<void> => {
    for await (const { paths: names, texts } of textBatches(some, context, thread)) {
      const scope = parts === 'all' ? {} : { scope: { parts, paths: names } };
      const found = await thread({ kind: 'replacements', wanted, texts, ...scope });
      for (const { text: number, ...places } of found) {
        const [path, text] = [names[number], texts[number]];
        if (path !== undefined && text) planned.push({ path, text, ...places });
      }
    }
  };
  await withMatchThread(context.signal, ask, parts === 'all' ? undefined : SCOPE_TIMEOUT_MS);
  return planned;
}

async function carryOut(
  planned: readonly Planned[],
  dry: boolean,
  context: ToolContext,
): Promise<Report> {
  const report: Report = { files: [], samples: [], left: [], alike: [], total: 0 };
  let turn = performance.now();
  for (const { path, text: shared, replacements, left } of planned) {
    const text = readShared(shared);
    const hits = unpack(replacements);
    noteLeft(report, path, text, left);
    if (hits.length === 0) continue;
    const refusal = dry
      ? writeRefusal(path, context)
      : writeTextFile(path, substitute(text, hits), context);
    if (refusal === undefined) note(report, path, text, hits, dry);
    else report.left.push(refusal);
    if (performance.now() - turn < LONGEST_TURN_MS) continue;
    await setImmediate();
    turn = performance.now();
  }
  return report;
}
