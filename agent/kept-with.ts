/**
 * Remembers what `make` makes of an object, by a key, for as long as the object lives: a job asks
 * many times about the same snapshot or site.
 */
export function keptWith<O extends object, T>(
  make: (owner: O, key: string) => T,
): (owner: O, key?: string) => T {
  const kept = new WeakMap<O, Map<string, T>>();
  return (owner, key = '') => {
    const own = kept.get(owner) ?? new Map<string, T>();
    kept.set(owner, own);
    const value = own.has(key) ? (own.get(key) as T) : make(owner, key);
    own.set(key, value);
    if (value instanceof Promise) value.catch(() => own.delete(key));
    return value;
  };
}
