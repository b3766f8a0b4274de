import { posix } from 'node:path';
import type { Desk, Report, Work } from '../desk.ts';
import { GENERATORS, VITEPRESS } from '../generators.ts';
import { frontmatterEnd } from '../markdown.ts';
import { newPage } from '../places.ts';

type Values = (string | undefined)[];

/** Creates a page in the form of its neighbours, and lists it in the navigation after one. */
export function* addPage(
  desk: Desk,
  [name = '', title = '', text = '']: Values,
  report: Report,
): Work<void> {
  const target = newPage(desk, name);
  if ('reason' in target) return void report.failures.push(target.reason);
  const { path } = target;
  const pages = yield* desk.pages();
  // Lists leave hidden files out, and the tool would replace one.
  const isHidden = /(?:^|\/)\./.test(path);
  if (pages.includes(path) || (isHidden && (yield* desk.read(path))))
    return void report.failures.push(`${path} already exists; I left it as it is.`);
  const siblings = pages.filter(page => posix.dirname(page) === posix.dirname(path));
  const [model = pages[0]] = siblings;
  const lines = model === undefined ? undefined : yield* desk.read(model);
  const head =
    lines && frontmatterEnd(lines) < 0
      ? [`# ${title}`]
      : ['---', `title: ${JSON.stringify(title)}`, '---'];
  const entry = yield* navigationEntry(desk, path, siblings);
  const listed = entry === undefined && (yield* hasGenerator(desk));
  desk.create(path, [...head, ...(text === '' ? [] : ['', ...text.split('\n')])], report);
  if (entry) desk.change(entry.file, entry.lines, report);
  report.sentences.push(
    `Added the page ${path}${entry ? ` and listed it in ${entry.file} after ${entry.after}` : ''}.`,
  );
  if (!listed) return;
  const { text: answer, isError } = yield* desk.call('edit_navigation', {
    action: 'add_page',
    page: path,
  });
  desk.forget();
  report.sentences.push(isError ? `It has no navigation entry: ${answer}` : answer);
}

/** Whether a generator builds the site, whose navigation the tool edits. */
function* hasGenerator(desk: Desk): Work<boolean> {
  const found = yield* desk.listAll([GENERATORS, VITEPRESS]);
  return found.flat().length > 0;
}

/** The navigation file with the new page behind the last listed page of its folder, if any is. */
function* navigationEntry(
  desk: Desk,
  path: string,
  siblings: string[],
): Work<{ file: string; lines: string[]; after: string } | undefined> {
  const hits = yield* desk.search('^\\s*"[^":]+",?\\s*$', '**/{docs,mint}.json', true);
  const routes = new Set(siblings.map(routeOf));
  const entry = hits.findLast(({ path: file, text }) => {
    const listed = entryOf(text).replace(/^\//, '');
    return routes.has(listed) || routes.has(posix.join(posix.dirname(file), listed));
  });
  if (!entry) return undefined;
  const lines = yield* desk.read(entry.path);
  const line = lines?.[entry.line - 1];
  if (!lines || line === undefined) return undefined;
  const after = entryOf(line);
  const own = after.replace(/[^/]*$/, posix.basename(routeOf(path)));
  const isLast = !line.trimEnd().endsWith(',');
  const added = [isLast ? `${line.trimEnd()},` : line, line.replace(after, own)];
  return { file: entry.path, lines: lines.toSpliced(entry.line - 1, 1, ...added), after };
}

function routeOf(page: string): string {
  return page.replace(/\.mdx?$/i, '');
}

function entryOf(line: string): string {
  return /"([^"]+)"/.exec(line)?.[1] ?? '';
}
