/** What a chain is made of. */
interface Entry {
  id: string;
  parent_id: string | null;
}

/**
 * The entries from `head` up to one for which `isLast` is true, or to the first of all; newest
 * first. Undefined if one of them is not found.
 */
export function chainOf<E extends Entry>(
  find: (id: string) => E | undefined,
  head: string,
  isLast: (entry: E) => boolean = () => false,
): E[] | undefined {
  const chain: E[] = [];
  for (let id: string | null = head; id !== null;) {
    const entry = find(id);
    if (!entry) return undefined;
    chain.push(entry);
    if (isLast(entry)) break;
    id = entry.parent_id;
  }
  return chain;
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
