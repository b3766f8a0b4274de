import { objectOf, textOf } from '../../values.ts';

/** Site paths of a menu. Entries by weight, each before those that name it as their parent. */
export function readMenu(value: unknown): string[] {
  const entries = Array.isArray(value) ? value.map(objectOf) : [];
  const nameOfEntry = (entry: Record<string, unknown>) =>
    textOf(entry.identifier) ?? textOf(entry.name);
  const ordered = entries.toSorted((a, b) => menuWeight(a) - menuWeight(b));
  const seen = new Set<Record<string, unknown>>();
  const below = (parent: string | undefined): Record<string, unknown>[] =>
    ordered
      .filter(entry => textOf(entry.parent) === parent && !seen.has(entry))
      .flatMap(entry => {
        seen.add(entry);
        const name = nameOfEntry(entry);
        return [entry, ...(name === undefined ? [] : below(name))];
      });
  return below(undefined)
    .flatMap(entry => textOf(entry.pageref) ?? textOf(entry.url) ?? [])
    .filter(path => path.startsWith('/'));
}

/** An entry without a weight is behind those that have one. */
function menuWeight(entry: Record<string, unknown>): number {
  const weight = Number(entry.weight ?? 0);
  return weight === 0 ? Number.MAX_SAFE_INTEGER : weight;
}
