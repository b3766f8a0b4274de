const MOST = 24;
/** Names in code that docs could use: camelCase, snake_case, UPPER, --flags, /routes. */
/** Bounded, so that a long line without a name costs little for each of its characters. */
const NAME =
  /--[a-z][a-z0-9-]{2,60}|\/[a-z][\w-]{0,60}(?:\/[\w{}:-]{1,60}){1,20}|[A-Za-z][A-Za-z0-9]{0,60}(?:[_-][A-Za-z0-9]{1,60}){1,20}|[a-z]{1,60}(?:[A-Z][a-z0-9]{1,60}){1,20}|(?:[A-Z][a-z0-9]{1,60}){2,20}|[A-Z][A-Z0-9_]{3,60}/g;
/** Characters of a diff that are looked through. */
const MAX_DIFF = 100_000;

/** The names in the changed lines of a diff, those that changed most first. */
export function identifiersIn(diff: string): string[] {
  const counts = new Map<string, number>();
  for (const line of diff.slice(0, MAX_DIFF).split('\n')) {
    if (!/^[+-](?![+-]{2} )/.test(line)) continue;
    for (const [name] of line.slice(1, 1_000).matchAll(NAME))
      if (name.length <= 60) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([name]) => name);
}
