/**
 * A value as JSON that Postgres takes as `jsonb`, which knows neither U+0000 nor unpaired
 * surrogates: each becomes U+FFFD. Models and readers send both, and our own cutting of
 * texts makes them.
 */
export function jsonText(value: unknown): string {
  // An escaped backslash is matched too, so that a text that only spells "\\u0000" stays as it is.
  return JSON.stringify(value).replace(/\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g, escape =>
    escape === '\\\\' ? escape : '\ufffd',
  );
}

/**
 * A value of JSON as `jsonb` gives it back, with the members of each object ordered by their names'
 * lengths, then bytes: a request to a model has the same bytes whether its entries were read or
 * known. Frozen, since all share it.
 */
export function asStored<T>(value: T): T {
  return stored(value) as T;
}

function stored(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(stored));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, stored(member)] as const);
  if (members.length > 1) members.sort(([a], [b]) => byLengthAndBytes(a, b));
  return Object.freeze(Object.fromEntries(members));
}

function byLengthAndBytes(a: string, b: string): number {
  const byLength = Buffer.byteLength(a) - Buffer.byteLength(b);
  return byLength === 0 ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : byLength;
}
