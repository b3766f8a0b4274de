import { diffArrays } from 'diff';

const LONGEST_MS = 200;

/** What changed between two texts, as the lines of a unified diff without its headers. */
export function lineDiff(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const parts = diffArrays(old, now, { timeout: LONGEST_MS });
  if (!parts) return [...old.map(line => `-${line}`), ...now.map(line => `+${line}`)];
  return parts.flatMap(({ added, removed, value }) => {
    const sign = added ? '+' : removed ? '-' : ' ';
    return value.map(line => `${sign}${line}`);
  });
}
