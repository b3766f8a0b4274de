import { ConfigSchema } from './config.ts';

/** Written into demo.env for scripts, beside settings. */
const OF_DEMO_ENV = ['ADMIN_KEY', 'ASSISTANT_KEY', 'TEMPORAL_CLI'];
const KNOWN = Object.keys(ConfigSchema.properties);
const WORDS = new Map(KNOWN.map(name => [wordsOf(name), name]));

/**
 * A sentence for each variable of an environment that is not a setting but resembles one: a typing
 * error, another order of its words, `DOCENT_` before it. Without it nobody learns that a setting
 * has no effect.
 */
export function unknownSettings(env: Record<string, string | undefined>): string[] {
  return Object.keys(env)
    .filter(name => !KNOWN.includes(name) && !OF_DEMO_ENV.includes(name))
    .flatMap(name => {
      const meant = resembled(name);
      return meant ? [`${name} is not a setting and has no effect. Is ${meant} meant?`] : [];
    });
}

function resembled(name: string): string | undefined {
  const bare = name
    .toUpperCase()
    .replaceAll('-', '_')
    .replace(/^DOCENT_/, '');
  const sameWords = WORDS.get(wordsOf(bare));
  if (sameWords) return sameWords;
  // A few letters of a short name may be another program's.
  const most = bare.length < 6 ? 0 : bare.length < 10 ? 1 : 2;
  return most === 0 ? undefined : KNOWN.find(known => distance(bare, known, most) <= most);
}

function wordsOf(name: string): string {
  return name.split('_').toSorted().join('_');
}

/** Letters to add, remove, replace or swap with the next; more than `most` is not counted further. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let [before, row]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        next[j - 1]! + 1,
        row![j]! + 1,
        row![j - 1]! + (same ? 0 : 1),
        swapped ? before![j - 2]! + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row![b.length]!;
}
