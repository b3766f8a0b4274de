import { type KeyboardEvent, useId, useState } from 'react';
import { type Bar, BarPlot } from './bar-plot.tsx';

interface Props {
  title: string;
  bars: readonly Bar[];
  format: (n: number) => string;
  /** The names of a bar's values. Two values are stacked. */
  legend: readonly [string, string?];
  /** The second value counts what failed. */
  warn?: boolean;
  /** Instead of the total. */
  summary?: string | undefined;
}

/** Bars by day; arrow keys go through the days. A table has the same numbers. */
export function BarChart({ title, bars, format, legend, warn = false, summary }: Props) {
  const titleId = useId();
  const [at, setAt] = useState<number | null>(null);
  const known = bars.flatMap(({ values }) => values.filter(value => value != null));
  const total = known.reduce((sum, value) => sum + value, 0);
  const isUnknown = total === 0 && bars.some(({ values }) => values.includes(null));
  const shown = at === null ? undefined : bars[at];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(bars.length - 1, (at ?? (step > 0 ? -1 : bars.length)) + step)));
  };
  return (
    <figure
      className={`card card-pad section ${warn ? 'chart-warn' : ''}`}
      aria-labelledby={titleId}
    >
      <figcaption className="row-between">
        <h3 id={titleId}>{title}</h3>
        <span className="small soft number" role="status">
          {shown
            ? `${shown.label}: ${describe(shown.values, legend, format)}`
            : isUnknown
              ? 'unknown'
              : (summary ?? `${format(total)} total`)}
        </span>
      </figcaption>
      <div
        className="chart-keys"
        tabIndex={0}
        role="group"
        aria-label={`${title} by day: left and right arrow keys read the days`}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(null)}
      >
        <BarPlot bars={bars} format={format} at={at} onPoint={setAt} />
      </div>
      {legend[1] && <Legend of={legend} />}
      <NumberTable title={title} bars={bars} legend={legend} format={format} />
    </figure>
  );
}

function Legend({ of: [first, second] }: { of: Props['legend'] }) {
  return (
    <div className="legend" aria-hidden="true">
      <span>
        <i />
        {first}
      </span>
      <span>
        <i className="second" />
        {second}
      </span>
    </div>
  );
}

function NumberTable({ title, bars, legend, format }: Omit<Props, 'warn' | 'summary'>) {
  const used = bars.filter(({ values }) =>
    values.some(value => value !== 0 && value !== undefined),
  );
  return (
    <details className="chart-table">
      <summary className="small soft">As a table</summary>
      <table className="table">
        <caption className="visually-hidden">{title} by day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">{legend[0]}</th>
            {legend[1] && <th scope="col">{legend[1]}</th>}
          </tr>
        </thead>
        <tbody>
          {used.map(({ label, values: [a, b = 0] }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{inWords(a, format)}</td>
              {legend[1] && <td>{inWords(b, format)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function inWords(value: number | null, format: Props['format']): string {
  return value === null ? 'unknown' : format(value);
}

function describe([a, b]: Bar['values'], legend: Props['legend'], format: Props['format']): string {
  const first = inWords(a, format);
  return b === undefined
    ? first
    : `${first} ${legend[0].toLowerCase()}, ${inWords(b, format)} ${(legend[1] ?? '').toLowerCase()}`;
}
