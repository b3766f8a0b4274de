/** Files by path; null: there is none. */
export type FileTexts = Record<string, string | null>;

/** What turns one tree into another: path to new text, null where deleted. */
export function changesBetween(
  before: Record<string, string>,
  after: Record<string, string>,
): FileTexts {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...paths]
      .filter(path => before[path] !== after[path])
      .map(path => [path, after[path] ?? null]),
  );
}

/** How close a change is to the reference, each as F1 from 0 to 1. */
export function closeness(
  before: FileTexts,
  ours: FileTexts,
  wanted: FileTexts,
): { exact: boolean; lineF1: number; touchedF1: number } {
  return {
    exact: [...new Set([...Object.keys(wanted), ...Object.keys(ours)])].every(
      path => wanted[path] === ours[path],
    ),
    touchedF1: f1(Object.keys(ours), Object.keys(wanted)),
    lineF1: f1(changedLines(before, ours), changedLines(before, wanted)),
  };
}

/**
 * Lines with text, taken away and added, each with its file and sign; a line that occurs twice
 * counts twice. Blank ones stand between any two paragraphs, and would make all changes alike.
 */
function changedLines(before: FileTexts, changes: FileTexts): string[] {
  return Object.entries(changes).flatMap(([path, text]) => {
    const old = textLines(before[path] ?? '');
    const fresh = textLines(text ?? '');
    return [
      ...without(old, fresh).map(line => `${path}-${line}`),
      ...without(fresh, old).map(line => `${path}+${line}`),
    ];
  });
}

function textLines(text: string): string[] {
  return text.split('\n').filter(line => line.trim() !== '');
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter(line => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

function f1(ours: readonly string[], wanted: readonly string[]): number {
  if (ours.length === 0 && wanted.length === 0) return 1;
  const shared = ours.length - without(ours, wanted).length;
  return (2 * shared) / (ours.length + wanted.length);
}
