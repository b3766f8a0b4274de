import { type BuiltKind, GENERATORS } from './packages.ts';

const ALL = Object.keys(GENERATORS) as BuiltKind[];

/** `all`, or kinds with commas between; without, nothing is installed and built. */
export function wantedKinds(given: string | undefined): BuiltKind[] {
  const names = given === 'all' ? ALL : (given ?? '').split(',').filter(name => name !== '');
  const unknown = names.filter(name => !ALL.includes(name as BuiltKind));
  if (unknown.length > 0)
    throw new Error(
      `GENERATORS names ${unknown.join(', ')}; it can name ${ALL.join(', ')} or all.`,
    );
  return names as BuiltKind[];
}
