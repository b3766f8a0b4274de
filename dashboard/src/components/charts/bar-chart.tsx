import { useId, useState } from 'react';
import { type Bar, BarPlot } from './bar-plot.tsx';

interface Props {
  title: string;
  bars: readonly Bar[];
  format: (n: number) => string;
  /** The names of a bar's values. Two values are stacked. */
  legend: readonly [string, string?];
  /** The second value counts what failed. */
  warn?: boolean;
}

/** Bars by day. A table has the same numbers for screen readers. */
export function BarChart({ title, bars, format, legend, warn = false }: Props) {
  const titleId = useId();
  const [at, setAt] = useState<number | null>(null);
  const known = bars.flatMap(({ values }) => values.filter(value => value != null));
  const total = known.reduce((sum, value) => sum + value, 0);
  const isUnknown = total === 0 && bars.some(({ values }) => values.includes(null));
  const shown = at === null ? undefined : bars[at];
  return (
    <figure
      className={`card card-pad section ${warn ? 'chart-warn' : ''}`}
      aria-labelledby={titleId}
    >
      <figcaption className="row-between">
        <h3 id={titleId}>{title}</h3>
        <span className="small soft number">
          {shown
            ? `${shown.label}: ${describe(shown.values, legend, format)}`
            : isUnknown
              ? 'unknown'
              : `${format(total)} total`}
        </span>
      </figcaption>
      <BarPlot bars={bars} format={format} onPoint={setAt} />
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

function NumberTable({ title, bars, legend, format }: Omit<Props, 'warn'>) {
  const used = bars.filter(({ values }) =>
    values.some(value => value !== 0 && value !== undefined),
  );
  return (
    <div className="visually-hidden">
      <table>
        <caption>{title} by day</caption>
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
    </div>
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
