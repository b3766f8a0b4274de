import { isPagePath } from '../../shared/site/markdown.ts';
import type { Desk, Report, Work } from '../desk.ts';
import type { Intent, Scope } from '../instruction.ts';
import { isIdentifier, type Operand } from '../operands.ts';
import { type Area, findArea } from '../area.ts';
import { count, type Hit, literalPattern, search } from '../pages.ts';
import { followHeadings } from './anchors.ts';
import { type Reach, reachOf, rewrite } from './markdown.ts';
import { exactRule, sentenceRule, type TermRule, termRule } from './terms.ts';

/**
 * Replaces one text by another: names wherever they stand, words of the language where readers read
 * them.
 */
export function* replaceText(
  desk: Desk,
  intent: Extract<Intent, { kind: 'replace' }>,
  report: Report,
): Work<void> {
  const { from, to, scope } = intent;
  const spoken = isSpoken(from.text);
  const inForms = spoken && !from.quoted;
  const pattern = inForms
    ? literalPattern(from.text.replace(/s$/, '')).replace(/\\b$/, '')
    : literalPattern(from.text);
  const exactly =
    !spoken || from.ticked === true || (from.quoted && from.text !== from.text.toLowerCase());
  const hits = yield* search(desk, pattern, exactly);
  const holding = [...new Set(hits.map(hit => hit.path))];
  if (holding.length === 0) return yield* notFound(desk, from, report);
  const area = yield* findArea(desk, scope, holding, true);
  if (area.reason !== undefined) {
    report.sentences.push(
      `${area.reason} "${from.text}" stands in ${list(holding)}; I changed nothing.`,
    );
    return;
  }
  if (area.paths.length === 0) {
    report.sentences.push(`"${from.text}" does not occur there; it does in ${list(holding)}.`);
    return;
  }
  // A word of the language may also stand in paths and code that mean something else, and text in a
  // link to another page, which would break.
  const byPage =
    area.lines !== undefined || (scope.kind !== 'code' && (spoken || inLinks(hits, from.text)));
  const headed = yield* desk.readAll(
    (byPage ? area.paths : yield* headingPages(desk, hits, pattern)).filter(
      path => isPagePath(path) && area.paths.includes(path),
    ),
  );
  const changed = byPage
    ? yield* rewritePages(
        desk,
        area,
        ruleFor(from, to, spoken),
        reachOf(scope, !spoken || from.quoted),
        report,
      )
    : { places: 0, pages: 0 };
  if (changed.places > 0)
    report.sentences.push(
      `Replaced "${from.text}" by "${to.text}" in ${count(changed.places, 'place')} on ${count(changed.pages, 'page')}.`,
    );
  else yield* replaceEverywhere(desk, from.text, to.text, scope, area, report);
  yield* followHeadings(desk, headed, area, report);
}

/**
 * Pages with the text in a heading, as far as lines tell; the second search is for underlined ones.
 */
function* headingPages(desk: Desk, hits: Hit[], pattern: string): Work<string[]> {
  const underlined = yield* search(
    desk,
    `(?:${pattern}).*\\n[ \\t>]*(?:=+|-+)[ \\t]*\\r?$`,
    true,
    '**/*.{md,mdx}',
  );
  return [
    ...new Set(
      [...hits.filter(hit => /^[\s>]*#{1,6}\s/.test(hit.text)), ...underlined].map(hit => hit.path),
    ),
  ];
}

/**
 * A term in its forms; in quotes only as it begins a sentence; a name, or what stands in backticks,
 * to the letter.
 */
function ruleFor(from: Operand, to: Operand, spoken: boolean): TermRule {
  if (spoken && !from.quoted) return termRule(from.text, to.text);
  return spoken && !from.ticked ? sentenceRule(from.text, to.text) : exactRule(from.text, to.text);
}

/** Ordinary words, which also stand in paths and code that mean something else. */
function isSpoken(text: string): boolean {
  return !isIdentifier(text) && /^[\p{L}][\p{L}' -]*$/u.test(text);
}

/** The text is part of a link to another page, which would break. */
function inLinks(hits: Hit[], text: string): boolean {
  return hits.some(hit =>
    [...hit.text.matchAll(/(?:\]\(|href=["']|^\s*\[[^\]]+\]:\s*)(?!https?:)([^)"'\s]*)/g)].some(
      match => (match[1] ?? '').includes(text),
    ),
  );
}

/** Rewrites pages where the scope reaches, what leads elsewhere left alone. */
export function* rewritePages(
  desk: Desk,
  area: Area,
  rule: TermRule,
  reach: Reach,
  report: Report,
): Work<{ places: number; pages: number }> {
  const texts = yield* desk.readAll(area.paths.filter(isPagePath));
  let places = 0;
  let pages = 0;
  for (const [path, lines] of texts) {
    const before = places;
    const after = rewrite(
      lines,
      reach,
      part =>
        part.replace(rule.pattern, (...match) => {
          places++;
          return rule.replace(...(match as [string, ...unknown[]]));
        }),
      area.lines?.get(path),
    );
    if (places === before) continue;
    pages++;
    desk.change(path, after, report);
  }
  return { places, pages };
}

/**
 * The tool `replace_all`, for the whole docs folder or page by page. It knows no lines: on those, a
 * name changes in links and paths, too.
 */
export function* replaceEverywhere(
  desk: Desk,
  find: string,
  replace: string,
  scope: Scope,
  area: Area,
  report: Report,
): Work<void> {
  if (area.lines) {
    const { places } = yield* rewritePages(
      desk,
      area,
      exactRule(find, replace),
      { ...reachOf(scope, true), targets: !isSpoken(find) },
      report,
    );
    return void report.sentences.push(
      places > 0
        ? `Replaced "${find}" by "${replace}" in ${count(places, 'place')}.`
        : `"${find}" does not occur there where it may be changed.`,
    );
  }
  const input = {
    find,
    replace,
    case_sensitive: true,
    ...(/^\w|\w$/.test(find) ? { whole_word: true } : {}),
    ...(scope.kind === 'all' ? {} : { scope: scope.kind }),
  };
  const outcomes = yield* desk.calls(
    (area.whole ? [undefined] : area.paths).map(path => ({
      name: 'replace_all',
      input: path ? { ...input, glob: path } : input,
    })),
  );
  desk.forget();
  let places = 0;
  let files = 0;
  for (const { text, isError } of outcomes) {
    if (isError) report.failures.push(text);
    const counted = /^Replaced (\d+) occurrences? in (\d+) files?/.exec(text);
    places += Number(counted?.[1] ?? 0);
    files += Number(counted?.[2] ?? 0);
    const left = /\nLeft alone:\n([\s\S]+)$/.exec(text)?.[1];
    if (left) report.failures.push(left);
  }
  const where = scope.kind === 'all' ? '' : `, in ${scope.kind} only`;
  if (places === 0) return void report.sentences.push(`"${find}" does not occur there${where}.`);
  report.changed = true;
  report.sentences.push(
    `Replaced "${find}" by "${replace}" in ${count(places, 'place')} in ${count(files, 'file')}${where}.`,
  );
}

function* notFound(desk: Desk, from: Operand, report: Report): Work<void> {
  const loose = yield* search(desk, literalPattern(from.text).replace(/\\b/g, ''), false);
  report.sentences.push(
    loose.length > 0
      ? `"${from.text}" does not occur as such; the nearest is on line ${loose[0]?.line} of ${loose[0]?.path}. Name the text as it is written there.`
      : `"${from.text}" does not occur in the docs.`,
  );
}

function list(paths: string[]): string {
  return paths.length <= 3 ? paths.join(', ') : count(paths.length, 'file');
}
