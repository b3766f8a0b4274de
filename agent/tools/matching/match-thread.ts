import { readFileSync } from 'node:fs';
import { RE2JSException } from 're2js';
import { serveThread } from '../../../shared/threads/serve-thread.ts';
import {
  openFinder,
  openLeftFinder,
  pack,
  type PackedReplacements,
  type Wanted,
  within,
} from '../edits/replacements.ts';
import { type FoundLines, matchingLines, type ShownPart } from './matching-lines.ts';
import { type Pattern, PatternMatcher } from './pattern-matcher.ts';
import { readShared, type SharedText, shareTexts } from './shared-texts.ts';

/** What the thread is asked, one question after another. */
export type MatchQuestion =
  | { kind: 'read'; files: string[] }
  | {
      kind: 'lines';
      pattern: Pattern;
      /** For the plain form of texts that have another one. */
      plain?: Pattern;
      texts: SharedText[];
      shown: ShownPart;
    }
  | { kind: 'replacements'; wanted: Wanted; texts: SharedText[]; scope?: WantedScope };

/** Only in these parts of pages, which are parsed as their paths say. */
export interface WantedScope {
  parts: 'prose' | 'code';
  paths: string[];
}

export interface MatchAnswers {
  /** Null for one that is not text, undefined for one that cannot be read. */
  read: (SharedText | null | undefined)[];
  lines: FoundLines;
  /** Of each text that has some. */
  replacements: FoundReplacements[];
}

export interface FoundReplacements {
  text: number;
  replacements: PackedReplacements;
  /** Offsets of places that only read like what was looked for. */
  left: number[];
}

/** The pattern is none, or its replacement names a group that it does not have. */
export interface Refused {
  refused: string;
}

serveThread(
  async (question: MatchQuestion): Promise<MatchAnswers[keyof MatchAnswers] | Refused> => {
    try {
      return await answer(question);
    } catch (error) {
      if (error instanceof RE2JSException) return { refused: error.message };
      throw error;
    }
  },
);

async function answer(question: MatchQuestion): Promise<MatchAnswers[keyof MatchAnswers]> {
  switch (question.kind) {
    case 'read':
      return readFiles(question.files);
    case 'lines':
      return matchingLines(
        matcherFor(question.pattern),
        question.plain && plainMatcherFor(question.plain),
        textsOf(question.texts),
        question.shown,
      );
    case 'replacements':
      return await replacementsIn(question);
  }
}

/** Reading them one after another takes a fifth of the time, and nothing else waits here. */
function readFiles(files: readonly string[]): MatchAnswers['read'] {
  const contents = files.map(file => {
    try {
      return readFileSync(file);
    } catch {
      return undefined;
    }
  });
  const texts = shareTexts(contents);
  return texts.map((text, i) => (contents[i] ? text : undefined));
}

async function replacementsIn({
  wanted,
  texts,
  scope,
}: Extract<MatchQuestion, { kind: 'replacements' }>): Promise<MatchAnswers['replacements']> {
  const find = openFinder(wanted, matcherFor);
  const findLeft = openLeftFinder(wanted, plainMatcherFor);
  const answers: MatchAnswers['replacements'] = [];
  // The parser of pages takes a while to load.
  const parser = scope && (await import('../scope.ts'));
  let number = -1;
  for (const text of textsOf(texts)) {
    number += 1;
    let found = find(text);
    let left = findLeft(text, found);
    if (parser && found.length + left.length > 0) {
      const ranges = parser.scopeRanges(scope.paths[number] ?? '', text, scope.parts);
      found = within(found, ranges);
      left = within(left, ranges);
    }
    if (found.length + left.length > 0)
      answers.push({
        text: number,
        replacements: pack(found),
        left: left.map(({ start }) => start),
      });
  }
  return answers;
}

function* textsOf(texts: readonly SharedText[]): Generator<string> {
  for (const text of texts) yield readShared(text);
}

const matchers = new Map<string, PatternMatcher>();

/** A call asks about one pattern again and again, and about its plain form. */
function matcherFor(pattern: Pattern): PatternMatcher {
  const key = `${pattern.ignoreCase} ${pattern.source}`;
  const matcher = matchers.get(key) ?? new PatternMatcher(pattern);
  if (!matchers.has(key) && matchers.size > 1) matchers.clear();
  matchers.set(key, matcher);
  return matcher;
}

/** Undefined for a pattern that is none in its plain form, such as a class from one quote to another. */
function plainMatcherFor(pattern: Pattern): PatternMatcher | undefined {
  try {
    return matcherFor(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}
