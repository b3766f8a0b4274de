import type { Desk, Report, Work } from '../desk.ts';
import type { Intent } from '../instruction.ts';
import { count, findArea, literalPattern, search } from '../pages.ts';
import { slips } from './links.ts';
import { MISSPELLINGS } from './misspellings.ts';
import { rewritePages } from './replace.ts';
import { escape, exactRule, type TermRule } from './terms.ts';

/** Corrects a word that was named, or, where none was, the common misspellings that the pages in scope hold. */
export function* fixTypo(desk: Desk, { word, scope }: Extract<Intent, { kind: 'typo' }>, report: Report): Work<void> {
  const patterns = word ? [literalPattern(word.text)] : alternations([...MISSPELLINGS.keys()]);
  const hits = yield* search(desk, patterns, false, '**/*.{md,mdx}');
  const holding = [...new Set(hits.map((hit) => hit.path))];
  if (holding.length === 0) {
    report.sentences.push(word ? `"${word.text}" does not occur in the docs.` : 'I found none of the misspellings that I know. Name the word, as in: fix the typo "recieve".');
    return;
  }
  const area = yield* findArea(desk, scope, holding);
  if (area.reason !== undefined) return void report.sentences.push(area.reason);
  const paths = holding.filter((path) => (area.paths?.includes(path) ?? true) && !area.excluded.includes(path));
  const rule = word ? yield* ruleFor(desk, word.text) : tableRule();
  if (!rule) return void report.sentences.push(`I cannot tell how "${word?.text}" should be spelled: nothing like it is in the docs. Say: replace "${word?.text}" with …`);
  const changed = yield* rewritePages(desk, paths, rule, word !== undefined, report);
  report.sentences.push(changed.places > 0
    ? `Corrected ${word ? `"${word.text}" to "${rule.replace(word.text, undefined, undefined, word.text)}"` : 'the spelling'} in ${count(changed.places, 'place')} on ${count(changed.pages, 'page')}.`
    : 'Nothing there is misspelled as far as I can tell.');
}

function tableRule(): TermRule {
  return {
    pattern: new RegExp(`(?<![\\w/.-])(?:${[...MISSPELLINGS.keys()].join('|')})(?![\\w/-])`, 'gi'),
    replace: (match) => likeCase(match, MISSPELLINGS.get(match.toLowerCase()) ?? match),
  };
}

/** The right spelling: known, or the most frequent word of the docs that is one slip away (two for long words). */
function* ruleFor(desk: Desk, word: string): Work<TermRule | undefined> {
  const known = MISSPELLINGS.get(word.toLowerCase());
  if (known) return { pattern: new RegExp(literal(word), 'gi'), replace: (match) => likeCase(match, known) };
  const frequency = new Map<string, number>();
  for (const hit of yield* search(desk, alternations(oneSlip(word)), false)) {
    for (const other of hit.text.match(/[\p{L}\p{N}_$@.-]*[\p{L}\p{N}_$]/gu) ?? []) {
      if (other !== word && slips(other.toLowerCase(), word.toLowerCase()) === 1) frequency.set(other, (frequency.get(other) ?? 0) + 1);
    }
  }
  const [best] = [...frequency].sort((a, b) => b[1] - a[1]);
  return best ? exactRule(word, best[0]) : undefined;
}

/** RE2 patterns of what the word may have been: a letter more, less or another, or two swapped, at each place. */
function oneSlip(word: string): string[] {
  const patterns: string[] = [];
  for (let at = 0; at < word.length; at++) {
    const [head, letter, tail] = [escape(word.slice(0, at)), escape(word[at] ?? ''), escape(word.slice(at + 1))];
    patterns.push(`${head}\\w?${tail}`, `${head}${letter}\\w${tail}`);
    if (at + 1 < word.length) patterns.push(`${head}${escape(word[at + 1] ?? '')}${letter}${escape(word.slice(at + 2))}`);
  }
  return [...patterns, `\\w${escape(word)}`];
}

/** Bounded alternations, each short enough for the search tool (1,000 characters). */
function alternations(words: string[]): string[] {
  const patterns: string[] = [];
  let current: string[] = [];
  for (const word of words) {
    if (current.join('|').length + word.length > 950) {
      patterns.push(`\\b(?:${current.join('|')})\\b`);
      current = [];
    }
    current.push(word);
  }
  if (current.length > 0) patterns.push(`\\b(?:${current.join('|')})\\b`);
  return patterns;
}

function literal(word: string): string {
  return `(?<!\\w)${escape(word)}(?!\\w)`;
}

function likeCase(match: string, target: string): string {
  if (match.length > 1 && match === match.toUpperCase()) return target.toUpperCase();
  return /^[A-Z]/.test(match) ? target.charAt(0).toUpperCase() + target.slice(1) : target;
}
