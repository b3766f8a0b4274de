import { posix } from 'node:path';
import type { Desk, Report, Work } from '../desk.ts';
import { pagesWithLinks, pageLinks, resolve } from '../links.ts';
import { GENERATORS, VITEPRESS } from '../generators.ts';
import { frontmatterEnd } from '../markdown.ts';
import { findPage, newPage } from '../places.ts';
import { count, someOf } from '../wording.ts';

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

/** Moves a page; the tool updates links, navigation and redirects, and says what it could not. */
export function* movePage(desk: Desk, [name = '', to = '']: Values, report: Report): Work<void> {
  const found = yield* findPage(desk, name);
  if ('reason' in found) return void report.failures.push(found.reason);
  const target = newPage(desk, to.endsWith('/') ? `${to}${posix.basename(found.path)}` : to);
  if ('reason' in target) return void report.failures.push(target.reason);
  const done = yield* runTool(desk, 'move_page', { from: found.path, to: target.path }, report);
  if (done) desk.pageMoved(found.path, target.path);
}

/** Deletes a page to which no link leads, or whose links follow the redirect. */
export function* deletePage(desk: Desk, [name = '', redirect]: Values, report: Report): Work<void> {
  const found = yield* findPage(desk, name);
  if ('reason' in found) return void report.failures.push(found.reason);
  const { path } = found;
  let to: string | undefined;
  if (redirect !== undefined) {
    const page = yield* findPage(desk, redirect);
    if ('reason' in page) return void report.failures.push(page.reason);
    to = page.path;
  }
  const links = to === undefined ? yield* linksTo(desk, path) : [];
  if (links.length > 0)
    return void report.failures.push(
      `I left ${path} where it is: ${count(links.length, 'link')} to it would lead nowhere ` +
        `(${someOf(links)}). Write where they are to lead: ` +
        `Delete the page ${path} and redirect to …`,
    );
  if (yield* runTool(desk, 'delete_page', { path, ...(to && { redirect_to: to }) }, report))
    desk.pageMoved(path, undefined);
}

/** `path:line` of each link to a page from another one. */
function* linksTo(desk: Desk, page: string): Work<string[]> {
  const pages = yield* desk.pages();
  const leadsHere = (url: string, from: string) =>
    from !== page && resolve(desk, pages, url, from)?.page === page;
  const linking = yield* pagesWithLinks(desk, '\\]\\(|href\\s*=|^[ >]*\\[[^\\]]+\\]:', leadsHere);
  return [...(yield* desk.readAll(linking))].flatMap(([path, lines]) =>
    pageLinks(lines)
      .filter(({ url }) => leadsHere(url, path))
      .map(({ line }) => `${path}:${line}`),
  );
}

/** Runs a tool that reports itself what it did; false where it refused. */
function* runTool(
  desk: Desk,
  name: string,
  input: Record<string, unknown>,
  report: Report,
): Work<boolean> {
  const outcome = yield* desk.call(name, input);
  desk.forget();
  report.changed ||= !outcome.isError;
  (outcome.isError ? report.failures : report.sentences).push(outcome.text.trim());
  return !outcome.isError;
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
