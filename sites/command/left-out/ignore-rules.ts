import { globSource, linearPattern } from '../../glob.ts';
import { onceForEach } from '../../kinds/includes.ts';
import type { SiteSource } from '../../kinds/site-kind.ts';
import { CannotCheck } from '../check-options.ts';
import type { Finding } from '../formats/report.ts';

/** Globs; a finding is left out if all that are given match. `any`: its file or its link. */
export interface IgnoreRule {
  rule?: string;
  file?: string;
  link?: string;
  any?: string;
}

type FindingTest = (finding: Finding) => boolean;

/** Whether a finding is one that the settings leave out. Throws `CannotCheck` on a wrong glob. */
export function ignoreTest(rules: readonly IgnoreRule[]): FindingTest {
  const tests = rules.map(({ rule, file, link, any }): FindingTest => {
    const [ofRule, ofFile, ofLink, ofAny] = [rule, file, link, any].map(globTest);
    return finding =>
      (ofRule?.(finding.rule) ?? true) &&
      (ofFile?.(finding.file) ?? true) &&
      (ofLink?.(finding.link ?? '') ?? true) &&
      (ofAny === undefined || ofAny(finding.file) || ofAny(finding.link ?? ''));
  });
  return finding => tests.some(matches => matches(finding));
}

function globTest(glob: string | undefined): ((text: string) => boolean) | undefined {
  if (glob === undefined) return undefined;
  const pattern = linearPattern(globSource(glob));
  if (!pattern) throw new CannotCheck(`"${glob}" is not a glob that can be read.`);
  return text => pattern.matches(text);
}

/** A comment in any syntax that pages have: HTML, MDX, YAML, TOML, MyST, JavaScript. */
const COMMENT =
  /(?:<!--|\{\/\*|\/\*|\/\/|^\s*#|^\s*%|^\s*\.\.)\s*docent-check:\s*(ignore-file|ignore-next-line|ignore-line|off|on)\b([\w ,-]*)/;

/** The lines of a file whose findings its comments leave out. */
interface Comments {
  isLeftOut(line: number | null, rule: string): boolean;
}

/**
 * Whether a comment in the file leaves a finding out: `ignore-file`, `ignore-next-line`,
 * `ignore-line`, or `off` until `on`; behind it may be the rules that it is about.
 */
export function commentTest(source: SiteSource): FindingTest {
  const comments = onceForEach(file => readComments(source.read(file) ?? ''));
  return ({ file, line, rule }) => comments(file).isLeftOut(line, rule);
}

function readComments(text: string): Comments {
  if (!text.includes('docent-check:')) return { isLeftOut: () => false };
  const ranges: { from: number; to: number; rules: string[] }[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const [, word, named = ''] = COMMENT.exec(line) ?? [];
    if (word === undefined) continue;
    const rules = named.split(/[\s,]+/).filter(rule => /^\w/.test(rule));
    const at = index + 1;
    if (word === 'on') for (const range of ranges) range.to = Math.min(range.to, at);
    else if (word === 'ignore-line') ranges.push({ from: at, to: at, rules });
    else if (word === 'ignore-next-line') ranges.push({ from: at, to: nextLine(lines, at), rules });
    else ranges.push({ from: word === 'off' ? at : 0, to: Infinity, rules });
  }
  return {
    isLeftOut: (line, rule) =>
      ranges.some(
        ({ from, to, rules }) =>
          (line ?? 0) >= from && (line ?? 0) <= to && (rules.length === 0 || rules.includes(rule)),
      ),
  };
}

/** 1-based, of the next line that is not blank: formatters put one behind a comment. */
function nextLine(lines: readonly string[], at: number): number {
  let next = at;
  while (next < lines.length && lines[next]?.trim() === '') next += 1;
  return next + 1;
}
