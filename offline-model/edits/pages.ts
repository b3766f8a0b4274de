import { posix } from 'node:path';
import type { Desk, Report, Work } from '../desk.ts';
import { newPage } from '../places.ts';

/** Creates a page in the form of its neighbours, and lists it in the navigation. */
export function* addPage(
  desk: Desk,
  [name = '', title = '', text = '']: (string | undefined)[],
  report: Report,
): Work<void> {
  const target = newPage(desk, name);
  if ('reason' in target) return void report.failures.push(target.reason);
  const { path } = target;
  const pages = yield* desk.pages();
  // A list leaves hidden files out, and the tool would replace one.
  const isHidden = /(?:^|\/)\./.test(path);
  if (pages.includes(path) || (isHidden && (yield* desk.read(path))))
    return void report.failures.push(`${path} already exists; I left it as it is.`);
  const siblings = pages.filter(page => posix.dirname(page) === posix.dirname(path));
  const [model = pages[0]] = siblings;
  const lines = model === undefined ? undefined : yield* desk.read(model);
  const isPlain = lines !== undefined && !/^\uFEFF?---[ \t]*$/.test(lines[0] ?? '');
  const head = isPlain ? [`# ${title}`] : ['---', `title: ${JSON.stringify(title)}`, '---'];
  desk.create(path, [...head, ...(text === '' ? [] : ['', ...text.split('\n')])], report);
  yield* desk.flush();
  if (!report.changed) return;
  report.sentences.push(`Added the page ${path}.`);
  const entry = yield* desk.call('edit_navigation', { action: 'add_page', page: path });
  desk.forget();
  report.sentences.push(entry.isError ? `It has no navigation entry: ${entry.text}` : entry.text);
}
