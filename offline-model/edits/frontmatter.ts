import type { Desk, Report, Work } from '../desk.ts';
import { frontmatterEnd, headings } from '../markdown.ts';
import { escape } from '../phrase.ts';
import { openPage } from './page-text.ts';

/** Sets a field of a page's frontmatter; the title of a page without one is its first heading. */
export function* setFrontmatter(
  desk: Desk,
  [field = '', name = '', value = '']: (string | undefined)[],
  report: Report,
): Work<void> {
  const page = yield* openPage(desk, name, report);
  if (!page) return;
  const { path, lines } = page;
  if (value.includes('\n'))
    return void report.failures.push('A frontmatter value must be one line.');
  const after = withField(lines, field, value);
  if (!after)
    return void report.failures.push(
      `The ${field} of ${path} has several lines; I change only single ones.`,
    );
  if (after.join('\n') === lines.join('\n'))
    return void report.sentences.push(`The ${field} of ${path} is already “${value}”.`);
  desk.change(path, after, report);
  report.sentences.push(`Set the ${field} of ${path} to “${value}”.`);
}

/** The lines with the field; undefined where its value has several. */
function withField(lines: string[], field: string, value: string): string[] | undefined {
  const end = frontmatterEnd(lines);
  const key = new RegExp(`^(["']?)${escape(field)}\\1\\s*:`);
  const at = lines.findIndex((line, index) => index > 0 && index < end && key.test(line));
  const old = lines[at] ?? '';
  if (at > 0) {
    const next = lines.slice(at + 1, end).find(line => line.trim() !== '') ?? '';
    if (/:\s*(?:[>|][+-]?\d?)?\s*$/.test(old) || /^(?:\s|-\s)/.test(next)) return undefined;
    return lines.with(at, `${key.exec(old)?.[0] ?? ''} ${scalar(value, old)}`);
  }
  const [title] = headings(lines);
  if (field === 'title' && title?.level === 1) {
    // An underlined one keeps its line; the first line may begin with a byte order mark.
    const fresh = title.end > title.line ? value : `# ${value}`;
    const mark = title.line === 0 && lines[0]?.startsWith('\uFEFF') ? '\uFEFF' : '';
    return lines.toSpliced(title.line, Math.max(1, title.end - title.line), mark + fresh);
  }
  if (end > 0) return lines.toSpliced(end, 0, `${field}: ${scalar(value, lines[end - 1] ?? '')}`);
  const [first = ''] = lines;
  const mark = first.startsWith('\uFEFF') ? '\uFEFF' : '';
  const head = [`${mark}---`, `${field}: ${scalar(value, '')}`, '---', ''];
  return [...head, ...lines.with(0, first.slice(mark.length))];
}

/** A YAML scalar in the quotes of the old value (of the field above a new one), or as it needs. */
function scalar(value: string, old: string): string {
  const quoted = /:\s*(["'])/.exec(old)?.[1];
  if (quoted === "'" && !value.includes("'")) return `'${value}'`;
  const plain =
    quoted === undefined &&
    /^[\p{L}\p{N}](?:[^:#\n]|:(?=\S)|(?<=\S)#)*$/u.test(value) &&
    !/^(?:true|false|null|yes|no|on|off|~|[\d.]+)$/i.test(value) &&
    !/[\s:]$/.test(value);
  return plain || /^(?:true|false|\d+)$/.test(value) ? value : JSON.stringify(value);
}
