import { posix } from 'node:path';
import type { Desk, Report, Work } from '../desk.ts';
import type { Intent } from '../instruction.ts';
import { count, findPage, search } from '../pages.ts';
import { inboundLinks } from './inbound.ts';
import { frontmatterEnd, headings } from './markdown.ts';

type Of<K extends Intent['kind']> = Extract<Intent, { kind: K }>;

/**
 * Creates a page with the given text in the form of its neighbours, and lists it in the navigation
 * after one of them.
 */
export function* addPage(
  desk: Desk,
  { path: wanted, title, text }: Of<'add-page'>,
  report: Report,
): Work<void> {
  const pages = yield* desk.pages();
  const path = newPath(
    desk.root,
    wanted?.endsWith('/') ? `${wanted}${slug(title ?? '')}` : (wanted ?? slug(title ?? '')),
    pages,
  );
  if (pages.includes(path))
    return void report.sentences.push(`${path} exists already; I left it alone.`);
  const neighbour = pages.find(page => posix.dirname(page) === posix.dirname(path)) ?? pages[0];
  const shape = neighbour ? yield* desk.read(neighbour) : undefined;
  const body = text.split('\n');
  const named = frontmatterEnd(body) > 0 || headings(path, body)[0]?.level === 1;
  const name = title ?? heading(posix.basename(path).replace(/\.mdx?$/, ''));
  const withFrontmatter = shape ? frontmatterEnd(shape) > 0 : true;
  const head = named
    ? []
    : withFrontmatter
      ? ['---', `title: ${JSON.stringify(name)}`, '---', '']
      : [`# ${name}`, ''];
  const entry = yield* navigationEntry(desk, path, pages);
  desk.create(path, [...head, ...body], report);
  if (entry) desk.change(entry.file, entry.lines, report);
  report.sentences.push(
    `Added the page ${path}${entry ? ` and listed it in ${entry.file} after ${entry.after}` : ''}.`,
  );
}

/** Moves a page; the tool mends links, navigation and redirects, and says what it could not. */
export function* movePage(desk: Desk, { page, to }: Of<'move-page'>, report: Report): Work<void> {
  const found = yield* findPage(desk, page);
  if (found.reason !== undefined) return void report.sentences.push(found.reason);
  const from = found.path;
  const ending = posix.extname(from);
  const inFolder = to.endsWith('/') ? `${to}${posix.basename(from)}` : to;
  const named = /\.mdx?$/i.test(inFolder) ? inFolder : `${inFolder}${ending}`;
  const target = named.includes('/')
    ? newPath(desk.root, named, yield* desk.pages())
    : posix.join(posix.dirname(from), named);
  if (yield* runTool(desk, 'move_page', { from, to: target }, report)) desk.pageMoved(from, target);
}

/**
 * Deletes a page. Links to it follow the redirect; without one their words stay, and where a link
 * is no words, so does the page.
 */
export function* deletePage(
  desk: Desk,
  { page, redirectTo }: Of<'delete-page'>,
  report: Report,
): Work<void> {
  const found = yield* findPage(desk, page);
  if (found.reason !== undefined) return void report.sentences.push(found.reason);
  let target: string | undefined;
  if (redirectTo && /^https?:\/\/\S+$/i.test(redirectTo.text)) target = redirectTo.text;
  else if (redirectTo) {
    const other = yield* findPage(desk, redirectTo);
    if (other.reason !== undefined) return void report.sentences.push(other.reason);
    target = other.path;
  }
  const inbound = target === undefined ? yield* inboundLinks(desk, found.path) : undefined;
  if (inbound && inbound.left.length > 0) {
    return void report.failures.push(
      `I left ${found.path} where it is: ${count(inbound.left.length, 'link')} to it cannot become plain text (${inbound.left.slice(0, 5).join(', ')}). Say where they are to lead: delete ${found.path} and redirect to …`,
    );
  }
  // The links go first: the tool then tells of none that is mended.
  const without = inbound?.without ?? new Map<string, string[]>();
  const linking = yield* desk.readAll([...without.keys()]);
  for (const [path, lines] of without) desk.change(path, lines, report);
  if (
    !(yield* runTool(
      desk,
      'delete_page',
      { path: found.path, ...(target ? { redirect_to: target } : {}) },
      report,
    ))
  ) {
    yield* desk.readAll([...linking.keys()]);
    for (const [path, lines] of linking) desk.change(path, lines, report);
    yield* desk.flush();
    report.changed = false;
    return;
  }
  desk.pageMoved(found.path, undefined);
  if (inbound && inbound.links > 0)
    report.sentences.push(
      `${count(inbound.links, 'link')} to it became plain text, in ${[...without.keys()].join(', ')}.`,
    );
}

/** Runs a tool that says itself what it did; false where it refused. */
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

/** A path under the docs folder with the ending of the other pages. */
function newPath(root: string, wanted: string, pages: string[]): string {
  const clean = wanted.replace(/^\.?\//, '');
  const ending = /\.mdx?$/i.test(clean)
    ? ''
    : pages.some(page => page.endsWith('.mdx')) && !pages.some(page => page.endsWith('.md'))
      ? '.mdx'
      : '.md';
  return `${root !== '' && !clean.startsWith(`${root}/`) ? `${root}/` : ''}${clean}${ending}`;
}

/**
 * The navigation file with the new page behind the last listed page of its folder; undefined where
 * none is listed.
 */
function* navigationEntry(
  desk: Desk,
  path: string,
  pages: string[],
): Work<{ file: string; lines: string[]; after: string } | undefined> {
  const route = (page: string) => page.replace(/\.mdx?$/i, '');
  const hits = yield* search(desk, '^\\s*"[^":]+",?\\s*$', true, '**/{docs,mint}.json');
  const siblings = new Set(
    pages.filter(page => posix.dirname(page) === posix.dirname(path)).map(route),
  );
  const entry = hits.findLast(hit => {
    const listed = /"([^"]+)"/.exec(hit.text)?.[1]?.replace(/^\//, '') ?? '';
    return [...siblings].some(
      sibling => sibling === listed || sibling === posix.join(posix.dirname(hit.path), listed),
    );
  });
  if (!entry) return undefined;
  const lines = yield* desk.read(entry.path);
  const line = lines?.[entry.line - 1];
  const listed = /"([^"]+)"/.exec(line ?? '')?.[1];
  if (!lines || line === undefined || listed === undefined) return undefined;
  const own = line.replace(
    listed,
    posix.join(posix.dirname(listed), posix.basename(route(path))).replace(/^\.\//, ''),
  );
  const after = [...lines];
  after.splice(
    entry.line - 1,
    1,
    line.trimEnd().endsWith(',') ? line : `${line.trimEnd()},`,
    line.trimEnd().endsWith(',') ? own : own.trimEnd(),
  );
  return { file: entry.path, lines: after, after: listed };
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

function heading(name: string): string {
  const words = name.replace(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
