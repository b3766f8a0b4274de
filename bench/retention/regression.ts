/** A straight line through points: what is gained from the first to the last of them, and the mean. */
export function trend(points: readonly { at: number; value: number }[]): {
  gain: number;
  mean: number;
} {
  const n = points.length;
  const mean = points.reduce((sum, { value }) => sum + value, 0) / n;
  const middle = points.reduce((sum, { at }) => sum + at, 0) / n;
  const spread = points.reduce((sum, { at }) => sum + (at - middle) ** 2, 0);
  const slope =
    points.reduce((sum, { at, value }) => sum + (at - middle) * (value - mean), 0) / (spread || 1);
  return { gain: slope * ((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)), mean };
}
