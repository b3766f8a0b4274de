import type { Workspace } from '../../shared/workspace.ts';
import { isPagePath } from '../../sites/markdown.ts';
import { BasePages } from '../policy/base-pages.ts';
import { pointsOf, Unjudged } from '../policy/judge.ts';
import { textOf } from '../policy/text-of.ts';
import type { FoundInText } from './points-in-text.ts';

/** Something plain that a job adds, and that a person should have seen before it is merged. */
export interface ReviewPoint {
  path: string;
  /** 1-based; null for the whole file. */
  line: number | null;
  /** A part of a sentence. */
  says: string;
}

type Found = FoundInText & { path: string };

/** Of one job; each is looked for in all pages. */
const MOST = 200;

/**
 * What a reviewer should look at, page by page: no model is asked. All of it is allowed, and each
 * is how an agent that obeys a hostile page would do harm.
 */
export async function reviewPoints(
  workspace: Workspace,
  docsFolder: string,
): Promise<ReviewPoint[]> {
  const changes = await workspace.changes();
  const before = new Map<string, string>();
  for (const path of changes.keys())
    if (workspace.snapshot.entries.has(path))
      before.set(path, textOf((await workspace.snapshot.read(path)) ?? Buffer.of()) ?? '');
  const gone = [...changes].filter(([path, now]) => now === null && isPagePath(path));
  const found: Found[] = [];
  const written: Set<string>[] = [];
  for (const [path, content] of changes) {
    const text = content && textOf(content);
    if (!text) continue;
    const own = before.get(path);
    if (own === undefined) written.push(new Set(text.split('\n')));
    const known = own === undefined ? gone.map(([other]) => before.get(other) ?? '') : [own];
    if (found.length < MOST) found.push(...(await foundIn(path, text, known)));
  }
  const deleted = gone
    .map(([path]) => path)
    .filter(path => !written.some(lines => isMostOf(before.get(path) ?? '', lines)));
  const named = found.flatMap(({ unlessNamed }) => unlessNamed ?? []);
  const isNew = await BasePages.of(workspace.snapshot, docsFolder).unnamed(new Set(named), isWhole);
  const points = found
    .slice(0, MOST)
    .filter(({ unlessNamed }) => unlessNamed === undefined || isNew.has(unlessNamed));
  const rest =
    found.length < MOST ? [] : [{ path: 'The rest', line: null, says: 'was not looked through' }];
  return [...deletions(deleted), ...once(points), ...rest];
}

async function foundIn(path: string, text: string, known: string[]): Promise<Found[]> {
  try {
    return (await pointsOf(text, known)).map(one => ({ path, ...one }));
  } catch (error) {
    if (!(error instanceof Unjudged)) throw error;
    return [{ path, line: 1, says: 'a page that is too long to be looked through' }];
  }
}

/** Not as a part of another name: `acme.co` is not in `acme.com`. */
function isWhole(text: string, one: string): boolean {
  for (let at = text.indexOf(one); at >= 0; at = text.indexOf(one, at + 1)) {
    const before = text.slice(Math.max(0, at - 5), at);
    const after = text.slice(at + one.length, at + one.length + 2);
    if (/(?:^|[^\w.@/-]|\/\/|(?:^|[^\w.-])www\.)$/.test(before) && !/^(?:[\w-]|\.\w)/.test(after))
      return true;
  }
  return false;
}

function deletions(paths: readonly string[]): ReviewPoint[] {
  const says = paths.length === 1 ? 'this page is deleted' : `one of ${paths.length} deleted pages`;
  return paths.map(path => ({ path, line: null, says }));
}

/** A page that was moved has most of its lines elsewhere. */
function isMostOf(text: string, lines: ReadonlySet<string>): boolean {
  const own = text.split('\n').filter(line => line.trim() !== '');
  return own.length > 0 && own.filter(line => lines.has(line)).length * 2 >= own.length;
}

/** The first place of each. */
function once(points: readonly Found[]): ReviewPoint[] {
  const seen = new Map<string, ReviewPoint>();
  for (const { path, line, says } of points)
    if (!seen.has(says)) seen.set(says, { path, line, says });
  return [...seen.values()];
}
