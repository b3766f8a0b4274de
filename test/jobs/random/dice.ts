/** Chance that can be repeated: the same seed throws the same dice. */
export interface Dice {
  /** A whole number from 0 to below `n`. */
  below(n: number): number;
  /** One of the keys, as often as its weight says. */
  pick<K extends string>(weights: Record<K, number>): K;
}

/**
 * Mulberry32, spread by one of Knuth's multipliers so that neighbouring seeds have nothing in
 * common.
 */
export function dice(seed: number): Dice {
  let state = Math.imul(seed + 1, 2_654_435_761);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: n => Math.floor(next() * n),
    pick(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      return (entries.find(([, weight]) => (left -= weight) < 0) ?? entries[0]!)[0];
    },
  };
}
