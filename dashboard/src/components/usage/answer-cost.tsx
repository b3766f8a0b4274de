import type { Usage } from '../../../../api/dashboard/contract/usage.ts';
import { formatCompact, formatCost, formatNumber, plural } from '../text/format.tsx';

/** What a thousand questions cost, by the size of those in `usage`, which is of `days` days. */
export function AnswerCost({ usage, days }: { usage: Usage; days: number }) {
  const sum = (value: (day: Usage['days'][number]) => number | null) =>
    usage.days.reduce((total, day) => total + (value(day) ?? 0), 0);
  const questions = sum(day => day.questions);
  const tokens = sum(day => day.assistantTokens);
  if (questions === 0 || tokens === 0)
    return (
      <p className="muted">
        Ask a question, and what 1,000 of its size would cost is shown here and under Usage.
      </p>
    );
  const sizes = `${plural(questions, 'question')} of the last ${days} days, ${formatCompact(tokens / questions)} tokens each`;
  const isKnown = usage.days.some(({ assistantTokens, assistantCostUsd }) =>
    Boolean(assistantTokens && assistantCostUsd !== null),
  );
  const cost = sum(day => day.assistantCostUsd);
  return (
    <p>
      {isKnown ? (
        <>
          <strong>{`${formatNumber(1_000)} questions cost about ${formatCost((cost / questions) * 1_000)}`}</strong>
          {` with ${usage.assistantModel}, by the ${sizes}.`}
        </>
      ) : (
        `What ${formatNumber(1_000)} questions cost is not known: ${usage.assistantModel} has no price (MODEL_PRICES). There are ${sizes}.`
      )}
    </p>
  );
}
