import type { Question } from '../../../../api/dashboard/contract/questions.ts';

const BAR = 5;
const HEIGHT = 16;

/** How often a question was asked, and a bar for each of the last eight weeks. */
export function QuestionTrend({ question: { asked, weeks } }: { question: Question }) {
  const [before = 0, now = 0] = weeks.slice(-2);
  const top = Math.max(...weeks, 1);
  return (
    <span className="row question-trend" title={`This week ${now}, the week before ${before}`}>
      <span>
        {asked} times
        <span className="visually-hidden">
          , {now} in the last 7 days, {before} in the 7 days before
        </span>
      </span>
      <svg
        aria-hidden="true"
        width={weeks.length * BAR}
        height={HEIGHT}
        viewBox={`0 0 ${weeks.length * BAR} ${HEIGHT}`}
      >
        {weeks.map((n, i) => {
          const height = n === 0 ? 1 : Math.max(2, (n / top) * HEIGHT);
          return (
            <rect key={i} x={i * BAR} y={HEIGHT - height} width={BAR - 1} height={height} rx="1" />
          );
        })}
      </svg>
    </span>
  );
}
