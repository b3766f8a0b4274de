/** Prints rows as a table of Markdown, as docs/performance.md has them. */
export function printTable(title: string, rows: Record<string, string | number>[]): void {
  const [first] = rows;
  if (!first) return;
  const names = Object.keys(first);
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  const body = rows.map(row => line(names.map(name => row[name] ?? '')));
  console.log(
    [`\n${title}\n`, line(names), `|${'---|'.repeat(names.length)}`, ...body, ''].join('\n'),
  );
}
