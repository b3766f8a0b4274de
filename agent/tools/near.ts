/**
 * The `count` candidates that look most like `wanted`, best first; only those with some likeness
 * (0.3 of 1).
 */
export function nearest(wanted: string, candidates: Iterable<string>, count: number): string[] {
  return nearestOf(candidates)(wanted, count);
}

/** The same for many questions about the same candidates. */
export function nearestOf(
  candidates: Iterable<string>,
): (wanted: string, count: number) => string[] {
  const known = Array.from(candidates, candidate => ({ candidate, pairs: bigrams(candidate) }));
  return (wanted, count) => {
    const target = bigrams(wanted);
    return known
      .map(({ candidate, pairs }) => ({ candidate, score: likeness(target, pairs) }))
      .filter(({ score }) => score >= 0.3)
      .sort((a, b) => b.score - a.score)
      .slice(0, count)
      .map(({ candidate }) => candidate);
  };
}

/** 1-based numbers of the `count` lines that look most like `wanted`, in the order of the file. */
export function nearestLines(wanted: string, lines: readonly string[], count: number): number[] {
  const target = bigrams(wanted.trim());
  return lines
    .map((line, index) => ({ line: index + 1, score: likeness(target, bigrams(line.trim())) }))
    .filter(({ score }) => score >= 0.3)
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ line }) => line)
    .sort((a, b) => a - b);
}

/** Dice's coefficient: shared pairs of letters, 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}

function bigrams(text: string): Set<string> {
  const lower = text.toLowerCase().slice(0, 500);
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < lower.length; i++) pairs.add(lower.slice(i, i + 2));
  return pairs;
}
