import type { RE2JS } from 're2js';
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

/** Where a redirect leads a site path, or undefined if none applies; the first one decides. */
export function followRedirect(redirects: readonly Move[], path: string): string | undefined {
  const { exact, patterns } = orderOf(redirects);
  const at = exact.get(path) ?? Infinity;
  const earlier = patterns.find(one => one.at < at && one.pattern.matches(path));
  return redirects[earlier?.at ?? at]?.destination;
}

/** Places in a list: of each plain path the first one, and of what `:name` and `*` match. */
interface Order {
  length: number;
  exact: ReadonlyMap<string, number>;
  patterns: readonly { at: number; pattern: RE2JS }[];
}

const orders = new WeakMap<readonly Move[], Order>();

/** Made once for a list: one of 20,000 is asked for each dead link. */
function orderOf(redirects: readonly Move[]): Order {
  const known = orders.get(redirects);
  if (known?.length === redirects.length) return known;
  const exact = redirects.map(({ source }, at) => [cleanSitePath(source), at] as const);
  const order = {
    length: redirects.length,
    exact: new Map(exact.toReversed()),
    patterns: redirects.flatMap(({ source }, at) => {
      const pattern = patternOf(source);
      return pattern ? [{ at, pattern }] : [];
    }),
  };
  orders.set(redirects, order);
  return order;
}

/** On RE2, since a repository writes it. */
function patternOf(source: string): RE2JS | undefined {
  if (!/[:*]/.test(source)) return undefined;
  const written = source
    .replace(/\/$/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+\*|\*/g, '.*')
    .replace(/:\w+/g, '[^/]+');
  return linearPattern(written);
}
