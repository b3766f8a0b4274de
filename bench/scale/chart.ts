export interface Line {
  name: string;
  /** In ascending order of x. */
  points: [x: number, y: number][];
}

export interface Chart {
  title: string;
  x: string;
  y: string;
  lines: Line[];
  /** A dashed line across: what a figure should stay below or above. */
  goal?: { name: string; y: number };
  /** Both axes in powers of ten instead of even steps from 0; x always is. */
  logY?: boolean;
}

const WIDTH = 760;
const HEIGHT = 410;
const LEFT = 72;
const RIGHT = 210;
const TOP = 66;
const BOTTOM = 56;
/** Between two names at the ends of lines. */
const APART = 17;
const LIGHT = ['#0b5cad', '#a84300', '#1a7f37', '#6f42c1', '#b42318', '#0f6b75'];
const DARK = ['#6cb6ff', '#f0a35e', '#6bc46d', '#c9a3ff', '#ff8f85', '#5cc8d0'];
const DASHES = ['none', '8 4', '2 4', '10 4 2 4', '14 6', '5 3'];

/**
 * A picture of curves, as SVG: in light and in dark by what the reader's system prefers, each line
 * named at its end and told apart by colour and dashes.
 */
export function drawChart(chart: Chart): string {
  const points = chart.lines.flatMap(line => line.points);
  const x = logScale(
    points.map(([at]) => at),
    [LEFT, WIDTH - RIGHT],
  );
  const values = [...points.map(([, at]) => at), ...(chart.goal ? [chart.goal.y] : [])];
  const y = (chart.logY ? logScale : evenScale)(values, [HEIGHT - BOTTOM, TOP]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">`,
    `<title>${escaped(chart.title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="panel" width="${WIDTH}" height="${HEIGHT}" rx="8"/>`,
    text(chart.title, 20, 28, 'name title'),
    ...gridOf(x, y, chart),
    ...chart.lines.map((line, i) => curve(line, i, x.at, y.at)),
    ...names(chart, y.at),
    '</svg>\n',
  ].join('\n');
}

interface Scale {
  at(value: number): number;
  ticks: number[];
}

function logScale(values: number[], [from, to]: [number, number]): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(Math.log10) as [
    number,
    number,
  ];
  const powers = most - least > 1.5 ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(least); power <= Math.ceil(most); power++)
    ticks.push(...powers.map(digit => digit * 10 ** power));
  const low = Math.min(
    least,
    ...ticks
      .filter(tick => tick <= 10 ** least)
      .map(Math.log10)
      .slice(-1),
  );
  const high = Math.max(
    most,
    ...ticks
      .filter(tick => tick >= 10 ** most)
      .map(Math.log10)
      .slice(0, 1),
  );
  const inside = ticks.filter(tick => Math.log10(tick) >= low && Math.log10(tick) <= high);
  return {
    at: value => from + ((Math.log10(value) - low) / (high - low || 1)) * (to - from),
    ticks: inside,
  };
}

function evenScale(values: number[], [from, to]: [number, number]): Scale {
  const most = Math.max(...values);
  const rough = 10 ** Math.floor(Math.log10(most / 4));
  const step = [1, 2, 5, 10].map(digit => digit * rough).find(each => most / each <= 6) ?? most;
  const high = Math.ceil(most / step) * step;
  return {
    at: value => from + (value / high) * (to - from),
    ticks: Array.from({ length: Math.round(high / step) + 1 }, (_, i) => i * step),
  };
}

function gridOf(x: Scale, y: Scale, chart: Chart): string[] {
  const right = WIDTH - RIGHT;
  const bottom = HEIGHT - BOTTOM;
  return [
    ...y.ticks.flatMap(tick => [
      `<path class="grid" d="M${LEFT} ${round(y.at(tick))}H${right}"/>`,
      text(shown(tick), LEFT - 8, y.at(tick) + 4, 'quiet end'),
    ]),
    ...x.ticks.flatMap(tick => [
      `<path class="grid" d="M${round(x.at(tick))} ${TOP}V${bottom}"/>`,
      text(shown(tick), x.at(tick), bottom + 20, 'quiet middle'),
    ]),
    text(chart.x, (LEFT + right) / 2, HEIGHT - 14, 'quiet middle'),
    text(chart.y, 20, TOP - 16, 'quiet'),
    ...(chart.goal
      ? [`<path class="goal" d="M${LEFT} ${round(y.at(chart.goal.y))}H${right}"/>`]
      : []),
  ];
}

function curve(
  { points }: Line,
  i: number,
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  const places = points.map(([across, up]) => `${round(x(across))} ${round(y(up))}`);
  const dots = places.map(place => {
    const [cx, cy] = place.split(' ');
    return `<circle class="dot${i}" cx="${cx}" cy="${cy}" r="3"/>`;
  });
  return [`<path class="line line${i}" d="M${places.join('L')}"/>`, ...dots].join('');
}

/** At the ends of the lines, moved apart where they meet. */
function names({ lines, goal }: Chart, y: (value: number) => number): string[] {
  const wanted = [
    ...lines.map(({ name, points }, i) => ({
      name: `${name}  ${shown(points.at(-1)?.[1] ?? 0)}`,
      at: y(points.at(-1)?.[1] ?? 1),
      kind: `name label${i}`,
    })),
    ...(goal ? [{ name: goal.name, at: y(goal.y), kind: 'quiet' }] : []),
  ].toSorted((a, b) => a.at - b.at);
  for (const [i, each] of wanted.entries())
    if (i > 0) each.at = Math.max(each.at, (wanted[i - 1]?.at ?? 0) + APART);
  const over = Math.max(0, (wanted.at(-1)?.at ?? 0) - (HEIGHT - BOTTOM + 10));
  return wanted.map(({ name, at, kind }) => text(name, WIDTH - RIGHT + 12, at - over + 4, kind));
}

function text(words: string, x: number, y: number, kind: string): string {
  return `<text class="${kind}" x="${round(x)}" y="${round(y)}">${escaped(words)}</text>`;
}

function shown(value: number): string {
  return value >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(2)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function colours(values: string[]): string {
  return values
    .map((value, i) => `.line${i}{stroke:${value}}.dot${i},.label${i}{fill:${value}}`)
    .join('');
}

const STYLE = [
  'text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;white-space:pre}',
  '.title{font-weight:600;font-size:15px}.end{text-anchor:end}.middle{text-anchor:middle}',
  '.line{fill:none;stroke-width:2}.grid{stroke-width:1}.goal{stroke-dasharray:4 4}',
  DASHES.map((dash, i) => `.line${i}{stroke-dasharray:${dash}}`).join(''),
  '.panel{fill:#fff;stroke:#d0d7de}.title{fill:#1f2328}.quiet{fill:#57606a}',
  '.grid{stroke:#e4e8ec}.goal{stroke:#57606a}',
  colours(LIGHT),
  '@media (prefers-color-scheme:dark){',
  '.panel{fill:#161b22;stroke:#3d444d}.title{fill:#e6edf3}.quiet{fill:#9ea7b3}',
  '.grid{stroke:#2b323b}.goal{stroke:#9ea7b3}',
  colours(DARK),
  '}',
].join('');
