/** Hugo reads `baseURL` and `baseurl` alike: the names of members in lower case, at every depth. */
export function lowerNames(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toLowerCase(), lowered(member)]),
  );
}

function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered);
  const isMembers = typeof value === 'object' && value !== null && !(value instanceof Date);
  return isMembers ? lowerNames(value as Record<string, unknown>) : value;
}
