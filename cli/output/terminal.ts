import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Coloured in a terminal, plain in a pipe or file. */
export function paint(style: Style, text: string): string {
  return process.stdout.isTTY ? styleText(style, text) : text;
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Prints rows under headings, with aligned columns. */
export function printTable(headings: string[], rows: string[][]): void {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map(row => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  print(paint('dim', line(headings)));
  for (const row of rows) print(line(row));
}
