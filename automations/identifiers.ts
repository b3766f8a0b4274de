const MOST = 24;
/** Names in code that docs could use: camelCase, snake_case, UPPER, --flags, /routes. */
const NAME =
  /--[a-z][a-z0-9-]{2,}|\/[a-z][\w-]*(?:\/[\w{}:-]+)+|[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}|[A-Z][A-Z0-9_]{3,}/g;

/** The names in the changed lines of a diff, those that changed most first. */
export function identifiersIn(diff: string): string[] {
  const counts = new Map<string, number>();
  for (const line of diff.split('\n')) {
    if (!/^[+-](?![+-]{2} )/.test(line)) continue;
    for (const [name] of line.slice(1, 1_000).matchAll(NAME))
      if (name.length <= 60) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([name]) => name);
}
