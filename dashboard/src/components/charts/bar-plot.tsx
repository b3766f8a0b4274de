export interface Bar {
  label: string;
  /** Null: not known, drawn as nothing. */
  values: readonly [number | null, (number | null)?];
}

interface Props {
  bars: readonly Bar[];
  format: (n: number) => string;
  /** The bar whose values are shown. */
  at: number | null;
  /** Gets the index of the bar under the pointer; null: none. */
  onPoint: (index: number | null) => void;
}

const WIDTH = 480;
const HEIGHT = 170;
const LEFT = 46;
const BOTTOM = 22;
const TOP = 8;
const BASE = HEIGHT - BOTTOM;
/** Most labels of the axis of time. */
const LABELS = 5;

/** The drawing of a bar chart. The two values of a bar are stacked. */
export function BarPlot({ bars, format, at, onPoint }: Props) {
  const max = Math.max(...bars.map(({ values: [a, b] }) => (a ?? 0) + (b ?? 0)), 0);
  const top = niceTop(max);
  const step = (WIDTH - LEFT) / Math.max(bars.length, 1);
  const height = (n: number) => (n / top) * (BASE - TOP);
  const every = Math.ceil(bars.length / LABELS);
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
      onMouseLeave={() => onPoint(null)}
    >
      {max > 0 &&
        [top, top / 2, 0].map(value => (
          <Gridline key={value} y={BASE - height(value)} label={format(value)} />
        ))}
      {max === 0 && <Gridline y={BASE} label={format(0)} />}
      {bars.map((bar, i) => (
        <g key={bar.label} data-shown={i === at || undefined} onMouseEnter={() => onPoint(i)}>
          <rect className="hit" x={LEFT + i * step} y="0" width={step} height={BASE} />
          <StackedBar bar={bar} x={LEFT + i * step} step={step} height={height} />
          {i % every === 0 && (
            // The first one stays clear of the labels of the lines.
            <text
              x={LEFT + (i === 0 ? 0 : (i + 0.5) * step)}
              y={HEIGHT - 5}
              textAnchor={i === 0 ? 'start' : 'middle'}
            >
              {bar.label}
            </text>
          )}
        </g>
      ))}
      {max === 0 && (
        <text x={(WIDTH + LEFT) / 2} y={HEIGHT / 2} textAnchor="middle">
          None in this period
        </text>
      )}
    </svg>
  );
}

/** A value's line, with its label beside the bars. */
function Gridline({ y, label }: { y: number; label: string }) {
  return (
    <g>
      <line className="gridline" x1={LEFT} x2={WIDTH} y1={y} y2={y} />
      <text x={LEFT - 6} y={y + 4} textAnchor="end">
        {label}
      </text>
    </g>
  );
}

function StackedBar({
  bar,
  x,
  step,
  height,
}: {
  bar: Bar;
  x: number;
  step: number;
  height: (n: number) => number;
}) {
  const [a, b] = bar.values.map(value => value ?? 0) as [number, number?];
  const shape = { x: x + step * 0.16, width: step * 0.68, rx: Math.min(2, step / 6) };
  return (
    <>
      <rect className="bar" {...shape} y={BASE - height(a)} height={height(a)} />
      {b !== undefined && b > 0 && (
        <rect className="bar-2" {...shape} y={BASE - height(a + b)} height={height(b)} />
      )}
    </>
  );
}

/** The next 2, 4 or 10 times a power of ten: half of it is a whole number if the values are. */
function niceTop(max: number): number {
  if (max <= 0) return 2;
  const power = 10 ** Math.floor(Math.log10(max));
  return ([2, 4].find(n => n * power >= max) ?? 10) * power;
}
