export type SearchParams = Record<string, unknown>;

/** A text parameter. The router parses digits as a number. */
export function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function oneOf<const T extends string | number>(
  value: unknown,
  options: readonly T[],
): T | undefined {
  return options.find(option => option === value);
}

/** Leaves undefined members out of the address, so that a link can remove one by name. */
export function optional<T extends object>(search: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
