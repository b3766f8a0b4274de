/** `1 page`, `2 pages`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The first ten of them, and how many more there are. */
export function someOf(items: string[]): string {
  const more = items.length - 10;
  return items.slice(0, 10).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** On one line, and no longer than `length`. */
export function clip(text: string, length = 120): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
