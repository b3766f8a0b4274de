import { useId, useState } from 'react';

export interface Bar {
  label: string;
  values: readonly [number, number?];
}

interface Props {
  title: string;
  bars: readonly Bar[];
  format: (n: number) => string;
  /** What the parts of a bar are called; with two they stand on one another. */
  legend: readonly [string, string?];
  /** Where the second part is what went wrong. */
  warn?: boolean;
}

const WIDTH = 400;
const HEIGHT = 130;
const BOTTOM = 18;

/** Bars by day. The same numbers are in a table for those who do not see them. */
export function BarChart({ title, bars, format, legend, warn = false }: Props) {
  const titleId = useId();
  const [at, setAt] = useState<number | null>(null);
  const top = niceTop(Math.max(...bars.map(({ values: [a, b = 0] }) => a + b), 0));
  const step = WIDTH / Math.max(bars.length, 1);
  const height = (n: number) => (n / top) * (HEIGHT - BOTTOM - 14);
  const total = bars.reduce((sum, { values: [a, b = 0] }) => sum + a + b, 0);
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
            : `${format(total)} in all`}
        </span>
      </figcaption>
      <svg
        className="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        aria-hidden="true"
        onMouseLeave={() => setAt(null)}
      >
        {total > 0 &&
          [1, 0.5].map(part => (
            <g key={part}>
              <line
                className="gridline"
                x1="0"
                x2={WIDTH}
                y1={HEIGHT - BOTTOM - height(top * part)}
                y2={HEIGHT - BOTTOM - height(top * part)}
              />
              <text x="0" y={HEIGHT - BOTTOM - height(top * part) - 4}>
                {format(top * part)}
              </text>
            </g>
          ))}
        <line className="gridline" x1="0" x2={WIDTH} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} />
        {bars.map(({ label, values: [a, b = 0] }, i) => (
          <g key={label} onMouseEnter={() => setAt(i)}>
            <rect className="hit" x={i * step} y="0" width={step} height={HEIGHT - BOTTOM} />
            <rect
              className="bar"
              x={i * step + step * 0.16}
              width={step * 0.68}
              y={HEIGHT - BOTTOM - height(a)}
              height={height(a)}
              rx={Math.min(2, step / 6)}
            />
            {b > 0 && (
              <rect
                className="bar-2"
                x={i * step + step * 0.16}
                width={step * 0.68}
                y={HEIGHT - BOTTOM - height(a + b)}
                height={height(b)}
                rx={Math.min(2, step / 6)}
              />
            )}
          </g>
        ))}
        {total === 0 && (
          <text x={WIDTH / 2} y={HEIGHT / 2} textAnchor="middle">
            none in this time
          </text>
        )}
        <text x="0" y={HEIGHT - 3}>
          {bars[0]?.label}
        </text>
        <text x={WIDTH} y={HEIGHT - 3} textAnchor="end">
          {bars.at(-1)?.label}
        </text>
      </svg>
      {legend[1] && (
        <div className="legend" aria-hidden="true">
          <span>
            <i />
            {legend[0]}
          </span>
          <span>
            <i className="second" />
            {legend[1]}
          </span>
        </div>
      )}
      <Numbers title={title} bars={bars} legend={legend} format={format} />
    </figure>
  );
}

function Numbers({ title, bars, legend, format }: Omit<Props, 'warn'>) {
  const used = bars.filter(({ values: [a, b = 0] }) => a + b > 0);
  return (
    <div className="visually-hidden">
      <table>
        <caption>{title}, days with use</caption>
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
              <td>{format(a)}</td>
              {legend[1] && <td>{format(b)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function describe(
  [a, b]: Bar['values'],
  legend: Props['legend'],
  format: (n: number) => string,
): string {
  return b === undefined
    ? format(a)
    : `${format(a)} ${legend[0].toLowerCase()}, ${format(b)} ${(legend[1] ?? '').toLowerCase()}`;
}

/** The next 2, 4 or 10 times a power of ten: its half is a whole number wherever counts are. */
function niceTop(max: number): number {
  if (max <= 0) return 2;
  const power = 10 ** Math.floor(Math.log10(max));
  return ([2, 4].find(n => n * power >= max) ?? 10) * power;
}
