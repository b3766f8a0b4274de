import { folderOf, isExternal, joinPath, sitePathOf, splitUrl, withBase } from '../kinds/paths.ts';
import type {
  ApiPage,
  Site,
  SitePage,
  SiteProblem,
  SiteSource,
  Unread,
} from '../kinds/site-kind.ts';
import type { ApiReference } from './api-reference.ts';
import { apiReferences } from './api-references.ts';
import { operationText, operationTitle } from './operation-text.ts';
import { type ApiDescription, type ApiOperation, readApiDescription } from './operations.ts';

/**
 * The site with a page for each operation of the API descriptions that it names: links lead there,
 * and searches find them. Nothing is fetched: a description elsewhere is named in `unread`.
 */
export function withApiPages(source: SiteSource, site: Site): Site {
  const references = apiReferences(source, site);
  if (references.length === 0) return site;
  const reader = new ReferenceReader(source, site);
  for (const reference of references) reader.read(reference);
  const { pages, texts, unread, problems } = reader;
  const routes = new Set(pages.map(({ path }) => path));
  return {
    ...site,
    apiPages: pages,
    apiTexts: texts,
    unread: [...site.unread, ...unread],
    problems: [...site.problems, ...problems],
    resolve: (url, file) => {
      const target = site.resolve(url, file);
      if (target.kind !== 'missing') return target;
      const route = pathsOf(url, file, site).find(path => routes.has(path));
      return route === undefined ? target : { kind: 'route', path: route };
    },
  };
}

class ReferenceReader {
  readonly pages: ApiPage[] = [];
  /** What operations add to pages of the site, by file. */
  readonly texts = new Map<string, string>();
  readonly unread: Unread[] = [];
  readonly problems: SiteProblem[] = [];
  readonly #source: SiteSource;
  readonly #site: Site;
  readonly #read = new Map<string, ApiDescription | undefined>();
  readonly #pages: ReadonlyMap<string, SitePage>;
  readonly #taken = new Set<string>();

  constructor(source: SiteSource, site: Site) {
    this.#source = source;
    this.#site = site;
    this.#pages = new Map(site.pages.map(page => [page.path, page]));
  }

  read(reference: ApiReference): void {
    const { file, from, named, only } = reference;
    const description = file === undefined ? undefined : this.#description(file);
    if (file === undefined || description === undefined) {
      const message = isExternal(named)
        ? `The API description ${named} is not fetched: its operations are not known.`
        : `The API description ${named} cannot be read.`;
      if (!this.unread.some(one => one.message === message))
        this.unread.push({ file: from, line: null, message });
      return;
    }
    const wanted = description.operations.filter(
      ({ method, route }) => !only || (method === only.method && route === only.route),
    );
    if (only && wanted.length === 0) {
      const link = `${only.method} ${only.route}`;
      const message = `${from} names ${link}, which ${file} does not have.`;
      this.problems.push({ rule: 'navigation', file: from, line: null, link, message });
    }
    for (const operation of wanted) this.#add(reference, file, operation, description);
  }

  #description(file: string): ApiDescription | undefined {
    if (!this.#read.has(file))
      this.#read.set(file, readApiDescription(this.#source.read(file) ?? ''));
    return this.#read.get(file);
  }

  #add(
    reference: ApiReference,
    file: string,
    operation: ApiOperation,
    description: ApiDescription,
  ): void {
    const wanted = reference.pathOf(operation);
    const text = operationText(operation, description);
    // A file of the site is the page: its front matter names the operation, or a plugin wrote it.
    const page = this.#pages.get(wanted);
    if (page) {
      this.texts.set(page.file, text);
      return;
    }
    const path = this.#free(wanted);
    this.pages.push({
      file,
      method: operation.method,
      route: operation.route,
      path,
      url: withBase(this.#site.basePath, path),
      title: operationTitle(operation),
      crumbs: [...reference.crumbs, ...operation.tags.slice(0, 1)],
      language: reference.language,
      version: reference.version,
      text,
    });
  }

  /** Two operations with one name get a number. */
  #free(path: string): string {
    let free = path;
    for (let n = 1; this.#taken.has(free); n++) free = `${path}-${n}`;
    this.#taken.add(free);
    return free;
  }
}

/** The site paths that a link may mean, without base path and ending. */
function pathsOf(url: string, file: string, site: Site): string[] {
  const { path } = splitUrl(url);
  const clean = path.replace(/\.html?$/, '').replace(/(.)\/$/, '$1');
  const from = site.pages.find(page => page.file === file)?.path ?? '/';
  const base = site.basePath === '/' ? '' : site.basePath;
  if (!clean.startsWith('/'))
    return [from, folderOf(from)].map(folder => sitePathOf(joinPath(folder, clean) ?? ''));
  return [
    clean,
    ...(base !== '' && clean.startsWith(`${base}/`) ? [clean.slice(base.length)] : []),
  ];
}
