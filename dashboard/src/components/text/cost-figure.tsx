import type { Cost } from '../../../../shared/models/cost.ts';
import { formatCost, plural } from './format.tsx';

/** A cost, and how many calls are not in it. */
export function CostFigure({ cost }: { cost: Cost }) {
  return (
    <span className="number" title={notCounted(cost)}>
      {figure(cost)}
    </span>
  );
}

function figure({ costUsd, callsOfUnknownCost: unknown, callsWithoutPrice }: Cost): string {
  if (costUsd === null) return callsWithoutPrice > 0 ? 'not priced' : 'unknown';
  if (unknown === 0) return formatCost(costUsd);
  const what = callsWithoutPrice === unknown ? 'not priced' : 'of unknown cost';
  return `${formatCost(costUsd)} + ${plural(unknown, 'call')} ${what}`;
}

/** One sentence for each reason; undefined if every call is in the cost. */
export function notCounted({
  callsOfUnknownCost,
  callsWithoutPrice,
}: Pick<Cost, 'callsOfUnknownCost' | 'callsWithoutPrice'>): string | undefined {
  const unreported = callsOfUnknownCost - callsWithoutPrice;
  const sentences = [
    callsWithoutPrice > 0 &&
      `Not in the cost: ${plural(callsWithoutPrice, 'model call')} of models without a price (MODEL_PRICES).`,
    unreported > 0 &&
      `Not in the cost: ${plural(unreported, 'model call')} that ended before the model reported what it used.`,
  ].filter(sentence => sentence !== false);
  return sentences.join(' ') || undefined;
}
