import { folderOf, isExternal, sitePathOf, withBase } from '../kinds/paths.ts';
import type {
  ApiPage,
  ApiText,
  Site,
  SitePage,
  SiteProblem,
  SiteSource,
  Unread,
} from '../kinds/site-kind.ts';
import type { ApiReference } from './api-reference.ts';
import { operationText, operationTitle } from './operation-text.ts';
import {
  type ApiDescription,
  type ApiOperation,
  MOST_OPERATIONS,
  readApiDescription,
} from './operations.ts';

/** Pages with text, as a search reads them. */
const MARKDOWN = /\.(?:mdx?|markdown|mdoc)$/i;

/** Makes pages of descriptions, one reference after the other. */
export class ReferenceReader {
  readonly pages: ApiPage[] = [];
  /** What operations add to pages of the site, by file. */
  readonly texts = new Map<string, ApiText>();
  /** Pages of the site that show several operations. */
  readonly embedded = new Set<string>();
  /** Paths that the site makes of a description beside its operations. */
  readonly routes = new Set<string>();
  /** Templates of dynamic routes whose pages are known, with the site path of their folder. */
  readonly templates = new Map<string, string>();
  readonly unread: Unread[] = [];
  readonly problems: SiteProblem[] = [];
  readonly #source: SiteSource;
  readonly #site: Site;
  readonly #ending: string;
  readonly #pages: ReadonlyMap<string, SitePage>;
  readonly #shared = new Map<string, ApiPage>();
  readonly #taken = new Set<string>();

  constructor(source: SiteSource, site: Site, ending: string) {
    this.#source = source;
    this.#site = site;
    this.#ending = ending;
    this.#pages = new Map(site.pages.map(page => [page.path, page]));
  }

  read(reference: ApiReference): void {
    const { file, from, named, only, wants = () => true } = reference;
    const description =
      file === undefined ? undefined : readApiDescription(this.#source.read(file) ?? '');
    if (file === undefined || description === undefined) {
      const message = isExternal(named)
        ? `The API description ${named} is not fetched: its operations are not known.`
        : `The API description ${named} cannot be read.`;
      this.#say(from, message);
      const { below } = reference;
      if (below !== undefined) for (const path of [below, `${below}/*`]) this.routes.add(path);
      return;
    }
    const wanted = description.operations.filter(
      one => wants(one) && (!only || (one.method === only.method && one.route === only.route)),
    );
    if (only && wanted.length === 0) {
      const link = `${only.method} ${only.route}`;
      const message = `${from} names ${link}, which ${file} does not have.`;
      this.problems.push({ rule: 'navigation', file: from, line: null, link, message });
    }
    for (const path of reference.routesOf?.(description) ?? []) this.routes.add(path);
    if (description.elsewhere.length > 0)
      this.#say(file, `The operations of ${listed(description.elsewhere)} are in other files.`);
    if (description.isCut)
      this.#say(
        file,
        `Only its first ${MOST_OPERATIONS.toLocaleString('en')} operations are read.`,
      );
    this.#addAll(reference, file, wanted, description);
  }

  #addAll(
    reference: ApiReference,
    file: string,
    operations: readonly ApiOperation[],
    description: ApiDescription,
  ): void {
    const nameless: string[] = [];
    for (const operation of operations) {
      const path = reference.pathOf(operation, description);
      if (path === undefined) {
        nameless.push(`${operation.method} ${operation.route}`);
        continue;
      }
      if (reference.template !== undefined)
        this.templates.set(reference.template, sitePathOf(folderOf(path)));
      this.#add(reference, { file, path, operation, description });
    }
    if (nameless.length > 0)
      this.#say(file, `The site makes no page of ${listed(nameless)}, which lack a name.`);
  }

  #add(reference: ApiReference, { file, path, operation, description }: Place): void {
    const shown = {
      method: operation.method,
      route: operation.route,
      anchor: reference.anchorOf?.(operation) ?? null,
    };
    const text = operationText(operation, description);
    const page = this.#pages.get(path);
    if (page && reference.anchorOf) this.embedded.add(page.file);
    // A file of the site is the page: its front matter names the operation, or a plugin wrote it.
    if (page && MARKDOWN.test(page.file)) {
      const known = this.texts.get(page.file);
      const operations = [...(known?.operations ?? []), shown];
      this.texts.set(page.file, { text: joined(known?.text, text), operations });
      return;
    }
    const shared = reference.anchorOf && this.#shared.get(path);
    if (shared) {
      shared.text = joined(shared.text, text);
      shared.operations.push(shown);
      return;
    }
    const free = this.#free(path);
    const made: ApiPage = {
      file,
      path: free,
      url: page?.url ?? withBase(this.#site.basePath, free) + this.#ending,
      title: reference.anchorOf ? (description.title ?? 'API') : operationTitle(operation),
      crumbs: [...reference.crumbs, ...(reference.anchorOf ? [] : operation.tags.slice(0, 1))],
      language: page?.language ?? reference.language,
      version: page?.version ?? reference.version,
      operations: [shown],
      text,
    };
    this.pages.push(made);
    if (reference.anchorOf) this.#shared.set(path, made);
  }

  /** Two operations with one name get a number. */
  #free(path: string): string {
    let free = path;
    for (let n = 1; this.#taken.has(free); n++) free = `${path}-${n}`;
    this.#taken.add(free);
    return free;
  }

  #say(file: string, message: string): void {
    if (!this.unread.some(one => one.message === message))
      this.unread.push({ file, line: null, message });
  }
}

interface Place {
  file: string;
  path: string;
  operation: ApiOperation;
  description: ApiDescription;
}

function joined(before: string | undefined, text: string): string {
  return before === undefined ? text : `${before}\n\n${text}`;
}

/** The first names of a list, and how many more there are. */
function listed(names: readonly string[]): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `${names.slice(0, 3).join(', ')}${more}`;
}
