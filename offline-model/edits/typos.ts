import type { Desk, Report, Work } from '../desk.ts';
import type { Intent, Scope } from '../instruction.ts';
import { findArea } from '../area.ts';
import { count, literalPattern, search } from '../pages.ts';
import { slips } from '../slips.ts';
import { MISSPELLINGS } from './misspellings.ts';
import { reachOf } from './markdown.ts';
import { replaceEverywhere, rewritePages } from './replace.ts';
import { escape, exactRule, type TermRule } from './terms.ts';
import { unknownWords } from './unknown-words.ts';
import { WORDS } from './words.ts';

/**
 * Corrects a word that was named, or, where none was, what is misspelled on the pages in scope as
 * far as rules can tell.
 */
export function* fixTypo(
  desk: Desk,
  { word, right, scope }: Extract<Intent, { kind: 'typo' }>,
  report: Report,
): Work<void> {
  if (!word) return yield* fixAny(desk, scope, report);
  const named = yield* readNamed(desk, word.text, right?.text);
  if (!named)
    return void report.sentences.push(
      `I cannot tell how "${word.text}" should be spelled: nothing like it is in the docs. Say: replace "${word.text}" with …`,
    );
  const { wrong } = named;
  const hits = yield* search(desk, named.pattern, false, '**/*.{md,mdx}');
  const holding = [...new Set(hits.map(hit => hit.path))];
  if (holding.length === 0)
    return void report.sentences.push(`"${wrong}" does not occur in the docs.`);
  const area = yield* findArea(desk, scope, holding, true);
  if (area.reason !== undefined) return void report.sentences.push(area.reason);
  if (COMMON.has(wrong.toLowerCase()) && hits.length > 1) {
    return void report.sentences.push(
      `"${wrong}" is a word of its own and occurs on ${count(hits.length, 'line')}. Give me the words around it as well, as in: replace "more then one" with "more than one".`,
    );
  }
  const changed = yield* rewritePages(desk, area, named.rule, reachOf(scope, true), report);
  if (changed.places === 0)
    return yield* replaceEverywhere(desk, wrong, named.right, scope, area, report);
  report.sentences.push(
    `Corrected "${wrong}" to "${named.right}" in ${count(changed.places, 'place')} on ${count(changed.pages, 'page')}.`,
  );
}

/**
 * Pages that are read as a whole for words that nobody knows; with more of them, only common
 * misspellings are searched for.
 */
const READ_CLOSELY = 20;

function* fixAny(desk: Desk, scope: Scope, report: Report): Work<void> {
  const hits = yield* search(
    desk,
    alternations([...MISSPELLINGS.keys(), ...TWICE.map(word => `${word} ${word}`)]),
    false,
    '**/*.{md,mdx}',
  );
  const holding = [...new Set(hits.map(hit => hit.path))];
  const pages = yield* desk.pages();
  const area = yield* findArea(desk, scope, pages, false);
  if (area.reason !== undefined) return void report.sentences.push(area.reason);
  const close = area.paths;
  const unknown =
    close.length <= READ_CLOSELY
      ? unknownWords((yield* desk.readAll(close)).values())
      : new Map<string, string>();
  const corrected = new Set<string>();
  const rule = tableRule(unknown, corrected);
  const changed = yield* rewritePages(
    desk,
    close.length <= READ_CLOSELY
      ? area
      : { ...area, paths: holding.filter(path => close.includes(path)) },
    rule,
    reachOf(scope, false),
    report,
  );
  if (changed.places > 0)
    report.sentences.push(
      `Corrected the spelling in ${count(changed.places, 'place')} on ${count(changed.pages, 'page')}: ${[...corrected].slice(0, 20).join(', ')}.`,
    );
  else
    report.sentences.push(
      `I found no misspelling that I know${close.length <= READ_CLOSELY ? '' : '; name a page, and I look closer'}. Name the word, as in: fix the typo "recieve".`,
    );
}

/**
 * Words that nobody means to write twice; "sign in in the app" and "what it is is open" are right.
 */
const TWICE = ['the', 'a', 'an', 'of', 'and', 'or', 'to', 'for', 'with'];
/** Words that are right far more often than not. */
const COMMON = new Set([
  ...TWICE,
  'in',
  'is',
  'be',
  'are',
  'it',
  'on',
  'as',
  'at',
  'this',
  'you',
  'can',
  'will',
  'then',
  'than',
  'its',
  "it's",
  'there',
  'their',
  'your',
  "you're",
  'by',
  'from',
  'that',
  'not',
  'use',
  'used',
]);

interface Named {
  wrong: string;
  right: string;
  /** RE2, for the search. */
  pattern: string;
  rule: TermRule;
}

/** The correction that is meant; null where nothing says how the word is spelled. */
function* readNamed(desk: Desk, word: string, right: string | undefined): Work<Named | null> {
  const known = right ?? MISSPELLINGS.get(word.toLowerCase());
  if (known !== undefined) return correction(word, known);
  const here = (yield* search(desk, literalPattern(word), true)).length;
  const near = [...(yield* nearWords(desk, word))]
    .filter(([other]) => !inflected(other, word))
    .sort((a, b) => b[1] - a[1]);
  const [best] = near;
  // A word that stands nowhere, or is much more at home than the one that looks like it, is what
  // was meant.
  const [rare, ...others] = here === 0 ? near : near.filter(([other]) => !isWord(other));
  if (rare && others.length === 0 && (here === 0 || isWord(word) || here > 2 * rare[1]))
    return correction(rare[0], likeCase(rare[0], word));
  if (isWord(word) || here === 0) return null;
  if (best && best[1] >= here) return correction(word, likeCase(word, best[0]));
  const [guess, ...more] = spellings(word.toLowerCase());
  return guess !== undefined && more.length === 0 ? correction(word, likeCase(word, guess)) : null;
}

function isWord(word: string): boolean {
  return WORDS.has(word.toLowerCase());
}

/**
 * What a word may have been, by the likeliest slip that leads to any: letters in another order or
 * number, one left out, another one.
 */
function spellings(word: string): string[] {
  const near = [...WORDS].filter(
    other => Math.abs(other.length - word.length) <= 1 && slips(other, word) === 1,
  );
  const set = (text: string) => [...new Set(text)].sort().join('');
  return (
    [
      near.filter(other => set(other) === set(word)),
      near.filter(other => other.length > word.length),
      near,
    ].find(found => found.length > 0) ?? []
  );
}

function correction(wrong: string, right: string): Named {
  const cased = wrong !== wrong.toLowerCase() || wrong.toLowerCase() === right.toLowerCase();
  const rule = cased
    ? exactRule(wrong, right)
    : {
        pattern: new RegExp(literal(wrong), 'gi'),
        replace: (match: string) => likeCase(match, right),
      };
  return { wrong, right, pattern: literalPattern(wrong), rule };
}

/** Forms of one word are not slips of each other. */
function inflected(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return /^(?:s|d|ed|r|ing)$/i.test(long.startsWith(short) ? long.slice(short.length) : '');
}

/** Words of the docs that are one slip away, and how often they stand there. */
function* nearWords(desk: Desk, word: string): Work<Map<string, number>> {
  const frequency = new Map<string, number>();
  if (!/^[\p{L}\p{N}$@._-]{3,}$/u.test(word)) return frequency;
  for (const hit of yield* search(desk, alternations(oneSlip(word)), false)) {
    for (const other of hit.text.match(/[\p{L}\p{N}_$@.-]*[\p{L}\p{N}_$]/gu) ?? []) {
      if (letters(other) !== letters(word) && slips(other.toLowerCase(), word.toLowerCase()) === 1)
        frequency.set(other, (frequency.get(other) ?? 0) + 1);
    }
  }
  return frequency;
}

/** What is left where only capitals and marks differ. */
function letters(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Common misspellings, the unknown words given, and small words that stand twice; notes each
 * correction that it makes.
 */
function tableRule(unknown: Map<string, string>, corrected: Set<string>): TermRule {
  const right = new Map([...MISSPELLINGS, ...unknown]);
  return {
    pattern: new RegExp(
      `(?<![\\w/.-])(?:${[...right.keys()].join('|')}|(${TWICE.join('|')}) \\1)(?![\\w/-])`,
      'gi',
    ),
    replace(match, twice) {
      const fixed =
        typeof twice === 'string'
          ? match.slice(0, twice.length)
          : likeCase(match, right.get(match.toLowerCase()) ?? match);
      corrected.add(`${match} → ${fixed}`);
      return fixed;
    },
  };
}

/**
 * RE2 patterns of what the word may have been: a letter more, less or another, or two swapped, at
 * each place.
 */
function oneSlip(word: string): string[] {
  const patterns: string[] = [];
  for (let at = 0; at < word.length; at++) {
    const [head, letter, tail] = [
      escape(word.slice(0, at)),
      escape(word[at] ?? ''),
      escape(word.slice(at + 1)),
    ];
    patterns.push(`${head}\\w?${tail}`, `${head}${letter}\\w${tail}`);
    if (at + 1 < word.length)
      patterns.push(`${head}${escape(word[at + 1] ?? '')}${letter}${escape(word.slice(at + 2))}`);
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
