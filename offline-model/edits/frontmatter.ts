import { isMap, isScalar, parseDocument, Scalar, stringify } from 'yaml';
import type { Desk, Report, Work } from '../desk.ts';
import { openPage } from '../places.ts';
import { headings } from './page-text.ts';

/** Lines `from` (0-based) to before `to` become `fresh`. */
type LineEdit = { from: number; to: number; fresh: string[] };

/** Sets a field of a page's frontmatter; the title of a page without any is its first heading. */
export function* setFrontmatter(
  desk: Desk,
  [field = '', name = '', value = '']: (string | undefined)[],
  report: Report,
): Work<void> {
  const page = yield* openPage(desk, name);
  if ('reason' in page) return void report.failures.push(page.reason);
  const { path, lines } = page;
  const edit = value.includes('\n') ? undefined : fieldEdit(path, lines, field, value);
  if (!edit)
    return void report.failures.push(
      `I set only fields that are a text of one line in YAML, and the ${field} of ${path} is not.`,
    );
  if (edit.fresh.join('\n') === lines.slice(edit.from, edit.to).join('\n'))
    return void report.sentences.push(`The ${field} of ${path} is already “${value}”.`);
  desk.change(path, [edit.from, edit.to], edit.fresh, report);
  report.sentences.push(`Set the ${field} of ${path} to “${value}”.`);
}

function fieldEdit(
  path: string,
  lines: string[],
  field: string,
  value: string,
): LineEdit | undefined {
  const [, mark = '', first = ''] = /^(\uFEFF?)(.*)$/s.exec(lines[0] ?? '') ?? [];
  if (first.trimEnd() === '+++') return undefined;
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  if (first.trimEnd() === '---' && end > 0) return yamlEdit(lines.slice(1, end), field, value);
  const [title] = headings(path, lines);
  const { start, end: last } = title?.position ?? {};
  if (field === 'title' && title?.depth === 1 && start && last) {
    const from = start.line - 1;
    return { from, to: last.line, fresh: [`${from === 0 ? mark : ''}# ${value}`] };
  }
  const to = Math.min(1, lines.length);
  const rest = to > 0 ? ['', first] : [];
  return { from: 0, to, fresh: [`${mark}---`, `${field}: ${scalar(value)}`, '---', ...rest] };
}

/** In frontmatter: all but the value stays as it is written. */
function yamlEdit(lines: string[], field: string, value: string): LineEdit | undefined {
  const text = lines.join('\n');
  const { contents, errors } = parseDocument(text);
  if (errors.length > 0 || (contents !== null && !isMap(contents))) return undefined;
  const old = contents?.get(field, true);
  const after = lines.length + 1;
  if (old === undefined) return { from: after, to: after, fresh: [`${field}: ${scalar(value)}`] };
  if (!isScalar(old)) return undefined;
  const [start = 0, end = 0] = old.range ?? [];
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  if (column === 0 || text.slice(start, end).includes('\n')) return undefined;
  const from = text.slice(0, start).split('\n').length;
  const line = lines[from - 1] ?? '';
  const before = line.slice(0, column).replace(/:$/, ': ');
  const fresh = before + scalar(value, old.type) + line.slice(column + end - start);
  return { from, to: from + 1, fresh: [fresh] };
}

/** The value as YAML, in the quotes of the old one, or as it needs. */
function scalar(value: string, type?: unknown): string {
  if (/^(?:true|false|\d+)$/.test(value)) return value;
  const written = new Scalar(value);
  if (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') written.type = type;
  return stringify(written, { lineWidth: 0 }).trimEnd();
}
