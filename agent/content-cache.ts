import { createHash } from 'node:crypto';

/**
 * Remembers what a pure function made of a file's content: the checks of a turn's steps, its end
 * and its publishing look at the same pages again and again, and parsing one takes 12 ms. The least
 * recently used go first, and a promise that fails at once.
 */
export function rememberByContent<T>(
  compute: (path: string, text: string) => T,
  capacity: number,
): (path: string, text: string) => T {
  const known = new Map<string, T>();
  return (path, text) => {
    const key = `${createHash('sha1').update(text).digest('base64')} ${path}`;
    const value = known.has(key) ? (known.get(key) as T) : compute(path, text);
    known.delete(key);
    known.set(key, value);
    if (value instanceof Promise) value.catch(() => known.delete(key));
    const [oldest] = known.keys();
    if (known.size > capacity && oldest !== undefined) known.delete(oldest);
    return value;
  };
}
