import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Chart, drawChart } from './chart.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
const PAGE = join(DOCS, 'contributing', 'performance.md');
const PICTURES = join(DOCS, 'images', 'performance');
/** `--quick`: to see that a bench runs. Its figures say nothing. */
const QUICK = 20;

export type TableRow = Record<string, string | number>;

/** Where the figures and curves of a bench go. */
export interface Report {
  /** Prints a table; `name` is that of its block in docs/contributing/performance.md. */
  table(name: string, title: string, rows: TableRow[]): Promise<void>;
  curves(name: string, chart: Chart): Promise<void>;
  /** How many to measure of a number that is right for a whole run. */
  of(count: number): number;
}

/**
 * `--docs` also writes the tables and curves into docs/contributing/performance.md and its pictures; `--quick`
 * measures a twentieth.
 */
export function openReport(args: string[]): Report {
  const quick = args.includes('--quick');
  const writes = args.includes('--docs');
  if (quick && writes) throw new Error('--quick measures too little for --docs.');
  return {
    async table(name, title, rows) {
      const text = markdown(rows);
      console.log(`\n${title}\n\n${text}\n`);
      if (writes) await replaceBlock(name, text);
    },
    async curves(name, chart) {
      if (!writes) return;
      await mkdir(PICTURES, { recursive: true });
      await writeFile(join(PICTURES, `${name}.svg`), drawChart(chart));
      const lines = chart.lines.map(line => line.name).join(', ');
      const path = `../images/performance/${name}.svg`;
      await replaceBlock(`${name}.svg`, `![${chart.title}: ${lines}](${path})`);
    },
    of: count => (quick ? Math.max(1, Math.ceil(count / QUICK)) : count),
  };
}

function markdown(rows: TableRow[]): string {
  const names = Object.keys(rows[0] ?? {});
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
  return [
    line(names),
    `|${'---|'.repeat(names.length)}`,
    ...rows.map(row => line(names.map(name => shown(row[name])))),
  ].join('\n');
}

function shown(value: string | number | undefined): string {
  if (typeof value !== 'number') return value ?? '';
  return Number.isFinite(value) ? value.toLocaleString('en') : '';
}

/** What stands between `<!-- bench NAME -->` and `<!-- end -->` in docs/contributing/performance.md. */
async function replaceBlock(name: string, text: string): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const begin = `<!-- bench ${name} -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf('<!-- end -->', from);
  if (from < 0 || to < 0)
    throw new Error(`docs/contributing/performance.md has no block ${begin}.`);
  const before = page.slice(0, from + begin.length);
  await writeFile(PAGE, `${before}\n\n${text}\n\n${page.slice(to)}`);
}
