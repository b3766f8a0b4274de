export type CsvRow = readonly (string | number | null)[];

/** Rows as CSV (RFC 4180). A text that a spreadsheet would take for a formula begins with '. */
export function csv(rows: readonly CsvRow[]): string {
  return rows.map(row => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  // Full-width signs too, and whatever blanks come first: some programs drop them.
  const safe = /^[\t\r\n]|^\s*[=+\-@＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
