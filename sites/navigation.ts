import { linearPattern } from './glob.ts';
import { candidateFiles, cleanSitePath } from './page-path.ts';

/**
 * Where a value is written: a repository file and the JSON path in it, so that it can be edited in
 * place.
 */
export interface NavigationPlace {
  file: string;
  pointer: (string | number)[];
}

/** One page of the navigation, with what it inherits from the levels above it. */
export interface NavigationEntry extends NavigationPlace {
  /** As written, such as `guides/install`. */
  page: string;
  /** Site path, such as `/guides/install`. */
  path: string;
  /** Titles of the levels above, outermost first, such as `['Documentation', 'Get started']`. */
  crumbs: string[];
  language?: string;
  version?: string;
  /** The nearest level that names one decides; 1 if none does. */
  boost?: number;
}

export interface Redirect extends NavigationPlace {
  /** Site paths as written; may hold `:name` and `*`. */
  source: string;
  destination: string;
}

export interface Navigation {
  /** Every file that was read: docs.json first, then what its `$ref`s name. */
  files: string[];
  entries: NavigationEntry[];
  redirects: Redirect[];
  /** Where the list of redirects is, if there is one. */
  redirectList: NavigationPlace | undefined;
  /**
   * Site paths under which the platform makes pages from an API description: no file stands for
   * them.
   */
  generated: string[];
  /** Files that could not be read; the line is 1-based. */
  errors: { file: string; line: number | null; message: string }[];
}

export const NAVIGATION_FILES = ['docs.json', 'mint.json'];

/**
 * The repository path of the site's navigation file: in the docs folder, else at the root;
 * undefined if there is none.
 */
export function navigationFile(
  has: (path: string) => boolean,
  docsFolder: string,
): string | undefined {
  const inDocs = docsFolder === '' ? [] : NAVIGATION_FILES.map(name => `${docsFolder}/${name}`);
  return [...inDocs, ...NAVIGATION_FILES].find(has);
}

/** The existing file that an entry, or any site path, stands for. */
export function pageFile(
  has: (path: string) => boolean,
  docsFolder: string,
  page: string,
): string | undefined {
  return candidateFiles(docsFolder, page).find(has);
}

type Move = Pick<Redirect, 'source' | 'destination'>;

/** Those that begin with the same text; each is tried for a path that begins so. */
const MOST_ALIKE = 1_000;

/** Finds where redirects lead a site path: the first one that applies; undefined if none does. */
export function redirectFinder(redirects: readonly Move[]): (path: string) => string | undefined {
  const exact = new Map<string, number>();
  const patterns: { at: number; start: string; matches: (path: string) => boolean }[] = [];
  const alike = new Map<string, number>();
  for (const [at, { source }] of redirects.entries()) {
    const path = cleanSitePath(source);
    if (!exact.has(path)) exact.set(path, at);
    const [start = ''] = /^[^:*]*/.exec(source) ?? [];
    const count = (alike.get(start) ?? 0) + 1;
    if (start === source || count > MOST_ALIKE) continue;
    alike.set(start, count);
    patterns.push({ at, start, matches: onceCompiled(source) });
  }
  return path => {
    const own = exact.get(path) ?? redirects.length;
    const other = patterns.find(one => path.startsWith(one.start) && one.matches(path));
    return redirects[Math.min(own, other?.at ?? own)]?.destination;
  };
}

/** What `:name` and `*` match; on RE2, since a repository writes it. */
function onceCompiled(source: string): (path: string) => boolean {
  let pattern: ReturnType<typeof linearPattern> | null = null;
  return path => {
    if (pattern === null) {
      const written = source
        .replace(/\/$/, '')
        .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
        .replace(/:\w+\*|\*/g, '.*')
        .replace(/:\w+/g, '[^/]+');
      pattern = linearPattern(written);
    }
    return pattern?.matches(path) ?? false;
  };
}
