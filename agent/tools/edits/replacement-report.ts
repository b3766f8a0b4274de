import { leftAlone, replaced } from '../../../shared/agent-text.ts';
import type { Replacement } from './replacements.ts';
import { formsIn } from '../matching/plain-form.ts';
import { clip, clipAround, count, linesAt, splitLines } from '../text.ts';

const MAX_FILES = 60;
const MAX_SAMPLES = 40;
const MAX_SAMPLE = 300;

/** What was replaced, or would be. */
export interface Report {
  files: string[];
  /** Of a dry run. */
  samples: string[];
  /** Why files with an occurrence were left alone. */
  left: string[];
  /** Places that only read like what was looked for, which a pattern leaves. */
  alike: string[];
  total: number;
}

/** Notes the replacements of one file. */
export function note(
  report: Report,
  path: string,
  text: string,
  hits: readonly Replacement[],
  dry: boolean,
): void {
  const lines = linesAt(
    text,
    hits.map(({ start }) => start),
  );
  const numbers = [...lines.keys()].slice(0, 30);
  report.total += hits.length;
  report.files.push(
    `${path}: ${hits.length} (${hits.length === 1 ? 'line' : 'lines'} ${numbers.join(', ')})`,
  );
  if (dry && report.samples.length < MAX_SAMPLES)
    report.samples.push(...samples(path, text, hits, lines));
}

/** Notes the places of one file that only read like what was looked for. */
export function noteLeft(
  report: Report,
  path: string,
  text: string,
  left: readonly number[],
): void {
  const lines = splitLines(text);
  for (const [line, at] of linesAt(text, left)) {
    const shown = lines[line - 1] ?? '';
    report.alike.push(`${path}:${line}: ${clipAround(shown, at, 200)} (${formsIn(shown)})`);
  }
}

/**
 * Each line with a hit, as much of it as is about the first one; what a pattern matched, and what
 * would stand in its place.
 */
function samples(
  path: string,
  text: string,
  hits: readonly Replacement[],
  lines: ReadonlyMap<number, number>,
): string[] {
  if (!hits.some(({ isByPattern }) => isByPattern)) {
    const all = splitLines(text);
    return Array.from(
      lines,
      ([line, at]) => `${path}:${line}: ${clipAround(all[line - 1] ?? '', at, 200)}`,
    );
  }
  const shown = (part: string): string => JSON.stringify(clip(part, MAX_SAMPLE));
  return hits.slice(0, MAX_SAMPLES).map(({ start, end, text: replacement }) => {
    const [line = 1] = linesAt(text, [start]).keys();
    return `${path}:${line}: ${shown(text.slice(start, end))} -> ${shown(replacement)}`;
  });
}

/** What the model reads of it. */
export function describeReplacements(
  report: Report,
  {
    find,
    glob,
    dry_run: dry = false,
    case_sensitive: exact = true,
  }: { find: string; glob?: string; dry_run?: boolean; case_sensitive?: boolean },
): string {
  const lines: string[] = [];
  const places = count(report.total, 'occurrence');
  const files = count(report.files.length, 'file');
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
      dry ? `Would replace ${places} in ${files}:` : replaced(places, files),
      ...report.files.slice(0, MAX_FILES),
    );
    if (report.files.length > MAX_FILES)
      lines.push(`[${report.files.length - MAX_FILES} more files]`);
    if (report.samples.length > 0) lines.push('Lines:', ...report.samples.slice(0, MAX_SAMPLES));
  }
  if (report.alike.length > 0)
    lines.push(
      `These read like it, with other characters, and are as they were: replace them without regex, or name the characters.`,
      ...report.alike.slice(0, MAX_SAMPLES),
    );
  if (report.left.length > 0) lines.push(leftAlone(report.left.slice(0, 20)));
  return lines.join('\n');
}
