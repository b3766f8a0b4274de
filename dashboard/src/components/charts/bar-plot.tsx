export interface Bar {
  label: string;
  /** Null: not known, drawn as nothing. */
  values: readonly [number | null, (number | null)?];
}

interface Props {
  bars: readonly Bar[];
  format: (n: number) => string;
  /** Gets the index of the bar under the pointer; null: none. */
  onPoint: (index: number | null) => void;
}

const WIDTH = 400;
const HEIGHT = 130;
const BOTTOM = 18;
const BASE = HEIGHT - BOTTOM;

/** The drawing of a bar chart. The two values of a bar are stacked. */
export function BarPlot({ bars, format, onPoint }: Props) {
  const max = Math.max(...bars.map(({ values: [a, b] }) => (a ?? 0) + (b ?? 0)), 0);
  const top = niceTop(max);
  const step = WIDTH / Math.max(bars.length, 1);
  const height = (n: number) => (n / top) * (BASE - 14);
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
      onMouseLeave={() => onPoint(null)}
    >
      {max > 0 &&
        [top, top / 2].map(value => (
          <Gridline key={value} y={BASE - height(value)} label={format(value)} />
        ))}
      <Gridline y={BASE} />
      {bars.map((bar, i) => (
        <g key={bar.label} onMouseEnter={() => onPoint(i)}>
          <rect className="hit" x={i * step} y="0" width={step} height={BASE} />
          <StackedBar bar={bar} x={i * step} step={step} height={height} />
        </g>
      ))}
      {max === 0 && (
        <text x={WIDTH / 2} y={HEIGHT / 2} textAnchor="middle">
          None in this period
        </text>
      )}
      <text x="0" y={HEIGHT - 3}>
        {bars[0]?.label}
      </text>
      <text x={WIDTH} y={HEIGHT - 3} textAnchor="end">
        {bars.at(-1)?.label}
      </text>
    </svg>
  );
}

function Gridline({ y, label }: { y: number; label?: string }) {
  return (
    <g>
      <line className="gridline" x1="0" x2={WIDTH} y1={y} y2={y} />
      {label !== undefined && (
        <text x="0" y={y - 4}>
          {label}
        </text>
      )}
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
