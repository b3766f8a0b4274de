import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkProse } from '../../agent/prose/check-prose.ts';
import { readProseRules } from '../../agent/prose/prose-rules.ts';
import { ProseError } from '../../agent/prose/run-vale.ts';
import { findVale } from '../../agent/prose/vale-program.ts';
import type { Finding } from '../../sites/command/formats/report.ts';
import type { Site, SiteSource } from '../../sites/kinds/site-kind.ts';
import { isPagePath } from '../../sites/markdown.ts';

/** For 200 pages. */
const LIMITS = { timeoutMs: 120_000, maxOutput: 64 * 1024 * 1024 };

/** What Vale finds in the pages of a checkout that has a `.vale.ini`. Sorted by file and line. */
export async function proseFindings(
  folder: string,
  source: SiteSource,
  { docsFolder, pages }: Site,
  program: string | undefined,
): Promise<Finding[]> {
  const read = (path: string) => readFile(join(folder, path));
  const rules = await readProseRules({ paths: source.paths, read }, docsFolder);
  if (rules === null) return [];
  const note = (message: string): Finding => ({
    rule: 'prose',
    severity: 'warning',
    file: rules.file,
    line: null,
    link: null,
    message,
  });
  const notes = rules.notes.map(note);
  if (rules.isEmpty) return notes;
  const vale = await findVale(program);
  if ('missing' in vale) return [note(`The prose was not checked. ${vale.missing}`)];
  const texts = new Map(
    pages
      .map(({ file }) => file)
      .filter(isPagePath)
      .map(file => [file, source.read(file) ?? '']),
  );
  try {
    const { signal } = new AbortController();
    const found = await checkProse(vale.path, rules, texts, LIMITS, signal);
    const findings = [...found.values()].flat().map(one => ({
      rule: 'prose' as const,
      severity: one.severity,
      file: one.path,
      line: one.line,
      link: null,
      message: `${one.rule}: ${one.message}`,
    }));
    return [...notes, ...findings].toSorted(
      (a, b) => a.file.localeCompare(b.file) || (a.line ?? 0) - (b.line ?? 0),
    );
  } catch (error) {
    if (!(error instanceof ProseError)) throw error;
    return [...notes, note(`The prose was not checked. ${error.message}`)];
  }
}
