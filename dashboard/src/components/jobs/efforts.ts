import type { Effort } from '../../../../shared/models/thinking.ts';

/** How much a model may think, from least to most. */
const EFFORTS: Record<Effort, true> = {
  low: true,
  medium: true,
  high: true,
  xhigh: true,
  max: true,
};

export const EFFORT_NAMES = Object.keys(EFFORTS) as Effort[];

/** A form's value as an effort; undefined if it is none. */
export function effortIn(text: string): Effort | undefined {
  return EFFORT_NAMES.find(effort => effort === text);
}
