import { type PythonValue, pythonAssignments } from '../../code/python-literals.ts';
import { lineNaming } from '../line-of.ts';
import { joinPath, nameOf } from '../paths.ts';
import type { IdRules } from './ids.ts';
import type { SitePlace, SiteRedirect, SiteSource, Unread } from '../site-kind.ts';

export interface SphinxConfig {
  rootDoc: string;
  extensions: string[];
  /** File endings of pages, such as `.md` and `.rst`. */
  suffixes: string[];
  /** Names of `intersphinx_mapping`. */
  otherProjects: string[];
  exclude: string[];
  language: string | null;
  baseUrl: string | null;
  /** Pages are folders instead of `.html` files. */
  isDirHtml: boolean;
  ids: IdRules;
  /** `toDocument`: the target has to be a document, or the build stops. */
  redirects: (SiteRedirect & { toDocument: boolean })[];
  /** `suppress_warnings`: warnings that do not stop a strict build. */
  suppressed: string[];
  files: string[];
  unread: Unread[];
}

export function readSphinxConfig(source: SiteSource, found: SitePlace): SphinxConfig {
  const { values, computed } = pythonAssignments(source.read(found.marker) ?? '');
  const text = (name: string) => {
    const value = values.get(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const decisive = ['source_suffix', 'exclude_patterns', 'root_doc', 'master_doc'];
  const unread = decisive
    .filter(name => computed.has(name) && !values.has(name))
    .map(name => ({
      file: found.marker,
      line: lineNaming(source.read(found.marker) ?? '', name, /^/),
      message: `${name} is computed.`,
    }));
  const slugFunction = values.get('myst_heading_slug_func');
  const hasOwnSlugs =
    computed.has('myst_heading_slug_func') ||
    (typeof slugFunction === 'string' && slugFunction !== 'docutils.nodes.make_id');
  if (hasOwnSlugs)
    unread.push({
      file: found.marker,
      line: lineNaming(source.read(found.marker) ?? '', 'myst_heading_slug_func', /^/),
      message: 'The ids of headings come from a function.',
    });
  const extensions = stringsOf(values.get('extensions'));
  const redirects = readRedirects(source, found, values);
  return {
    rootDoc: text('root_doc') ?? text('master_doc') ?? 'index',
    extensions,
    suffixes: [
      ...suffixesOf(values.get('source_suffix'), extensions),
      ...namesOf(values.get('nb_custom_formats')),
    ],
    otherProjects: namesOf(values.get('intersphinx_mapping')),
    exclude: stringsOf(values.get('exclude_patterns')),
    language: text('language') ?? null,
    baseUrl: text('html_baseurl') ?? readTheDocsBase(source),
    isDirHtml: usesDirHtml(source),
    ids: {
      slugDepth: Number(values.get('myst_heading_anchors') ?? 0),
      slugsAreIds: values.get('myst_heading_slug_func') === 'docutils.nodes.make_id',
      hasOwnSlugs,
      smartQuotes: stringsOf(values.get('myst_enable_extensions')).includes('smartquotes'),
    },
    redirects: redirects.list,
    suppressed: stringsOf(values.get('suppress_warnings')),
    files: [found.marker, ...redirects.files],
    unread,
  };
}

function suffixesOf(value: PythonValue | undefined, extensions: readonly string[]): string[] {
  const own = [...namesOf(value), ...stringsOf(value)];
  const isMyst = extensions.some(name => /^myst_(?:parser|nb)$/.test(name));
  if (value === undefined) return isMyst ? ['.rst', '.md'] : ['.rst'];
  return isMyst && !own.includes('.md') ? [...own, '.md'] : own;
}

/** Keys of a dictionary. */
function namesOf(value: PythonValue | undefined): string[] {
  const isDictionary = value !== null && typeof value === 'object' && !Array.isArray(value);
  return isDictionary ? Object.keys(value) : [];
}

/** Read the Docs serves a project's default version below this path. */
function readTheDocsBase(source: SiteSource): string | null {
  return source.has('.readthedocs.yaml') || source.has('.readthedocs.yml') ? '/en/latest' : null;
}

function usesDirHtml(source: SiteSource): boolean {
  const file = ['.readthedocs.yaml', '.readthedocs.yml'].find(name => source.has(name));
  return /^\s*builder:\s*["']?dirhtml/m.test((file && source.read(file)) ?? '');
}

/**
 * `rediraffe_redirects` (a dictionary or a file of pairs) and `redirects` of sphinx_reredirects.
 */
function readRedirects(
  source: SiteSource,
  found: SitePlace,
  values: ReadonlyMap<string, PythonValue>,
): { list: SphinxConfig['redirects']; files: string[] } {
  const rediraffe = values.get('rediraffe_redirects');
  const list: SphinxConfig['redirects'] = [];
  const files: string[] = [];
  if (typeof rediraffe === 'string') {
    const file = joinPath(found.root, rediraffe) ?? nameOf(rediraffe);
    for (const [index, text] of (source.read(file) ?? '').split('\n').entries()) {
      const [, from, to] = /^\s*"?([^"\s#]+)"?\s+"?([^"\s]+)"?\s*$/.exec(text) ?? [];
      if (from && to) list.push(redirect(from, to, file, index + 1, true));
    }
    files.push(file);
  }
  const text = source.read(found.marker) ?? '';
  for (const [from, to] of entriesOf(rediraffe)) {
    const line = lineNaming(text, from, /^rediraffe_redirects\b/m);
    list.push(redirect(from, to, found.marker, line, true));
  }
  for (const [from, to] of entriesOf(values.get('redirects'))) {
    const line = lineNaming(text, from, /^redirects\b/m);
    list.push(redirect(from, to, found.marker, line, false));
  }
  return { list, files };
}

function redirect(
  from: string,
  to: string,
  file: string,
  line: number | null,
  toDocument: boolean,
): SphinxConfig['redirects'][number] {
  return { from: documentPath(from), to: documentPath(to), file, line, toDocument };
}

/** A document's name as its site path: `guide/index.md` is `/guide`. */
export function documentPath(name: string): string {
  if (/^[a-z]+:/i.test(name)) return name;
  const bare = name.replace(/\.(?:md|rst|txt|ipynb|html)$/, '').replace(/(^|\/)index$/, '$1');
  return `/${joinPath(bare) ?? ''}`;
}

function entriesOf(value: PythonValue | undefined): [string, string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([from, to]): [string, string][] =>
    typeof to === 'string' ? [[from, to]] : [],
  );
}

function stringsOf(value: PythonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];
}
