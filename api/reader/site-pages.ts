import MiniSearch from 'minisearch';
import type {
  NavigationEntry,
  SitePageView,
  SiteSearchResults,
  SiteView,
} from '../dashboard/contract/site.ts';
import { isOld, oldVersions } from '../../search/site/translations.ts';
import { shownOutline } from '../../sites/kinds/includes.ts';
import type { KnownSite } from '../../sites/kinds/registry.ts';
import type { ApiPage, NavigationItem, SitePage, SiteSource } from '../../sites/kinds/site-kind.ts';
import { projectSite, type WantedSite } from '../../sites/project-site.ts';
import { redirectFinder } from '../../sites/navigation.ts';
import { cleanSitePath } from '../../sites/page-path.ts';
import { plainText } from '../../sites/outline/page-outline.ts';
import { readFrontMatter } from '../../sites/outline/front-matter.ts';
import { renderApiPage, renderPage } from './render/render-page.ts';
import { type Edition, SiteEditions } from './site-editions.ts';

const RESULTS_OF_READER = 20;
const SNIPPET = 160;
const MARKDOWN = /\.(?:mdx?|markdown|mdoc)$/i;

export type SiteFrame = Pick<SiteView, 'kind' | 'home' | 'navigation'>;

/** A page of a file, or one made of an API description. */
type ShownPage = SitePage & { made?: ApiPage };

interface SearchDocument {
  id: number;
  path: string;
  hash: string | null;
  title: string;
  heading: string;
  text: string;
}

/** A site as readers see it: its navigation, its pages and its search. */
export class SitePages {
  readonly site: KnownSite;
  readonly #source: SiteSource;
  /** By site path; what is for some readers only is left out of a public site. */
  readonly #pages: ReadonlyMap<string, ShownPage>;
  readonly #editions: SiteEditions;
  readonly #movedTo: ReturnType<typeof redirectFinder>;
  #search: { index: MiniSearch<SearchDocument>; documents: SearchDocument[] } | undefined;

  constructor(source: SiteSource, wanted: WantedSite, isPublic: boolean) {
    this.#source = source;
    this.site = projectSite(source, wanted).site;
    const shown = this.site.pages.filter(
      page => !page.draft && MARKDOWN.test(page.file) && (!isPublic || !this.#isForGroups(page)),
    );
    const old = oldVersions(shown);
    // The first one of a path: current versions and the default language come first.
    const ranked = shown.toSorted((a, b) => Number(isOld(old, a)) - Number(isOld(old, b)));
    const made = (this.site.apiPages ?? []).map(page => ({
      ...{
        file: page.file,
        path: page.path,
        url: page.url,
        title: page.title,
        crumbs: page.crumbs,
      },
      ...{ language: page.language, version: page.version, inNavigation: true, draft: false },
      made: page,
    }));
    this.#pages = new Map([...made, ...ranked.toReversed()].map(page => [page.path, page]));
    this.#movedTo = redirectFinder(
      this.site.redirects.map(({ from, to }) => ({ source: from, destination: to })),
    );
    const navigation = withMade(this.site.navigation, made);
    this.#editions = new SiteEditions({ ...this.site, navigation }, this.#pages);
  }

  frame(wanted: Partial<Edition>): SiteFrame {
    const navigation = this.#editions.navigation(wanted);
    const first = navigation.find(({ path }) => path !== null)?.path;
    const home = this.#pages.has('/') ? '/' : (first ?? [...this.#pages.keys()].toSorted()[0]);
    return { kind: this.site.kind, home: home ?? null, navigation };
  }

  /** Of all pages, in every language and version. */
  paths(): string[] {
    return [...this.#pages.keys()].toSorted();
  }

  /** The page at a site path. Undefined: there is none. */
  page(path: string): SitePageView | undefined {
    const own = this.#found(path);
    const moved = own ? undefined : this.#movedTo(cleanSitePath(path));
    const [movedTo, anchor = null] = moved?.split('#') ?? [];
    const page = own ?? (movedTo === undefined ? undefined : this.#found(movedTo));
    if (!page) return undefined;
    const edition = this.#editions.of(page);
    const listed = this.#editions.navigation(edition).filter(entry => entry.path !== null);
    const at = listed.findIndex(entry => entry.path === page.path);
    return {
      ...(page.made
        ? renderApiPage(this.site, this.#source, page.made)
        : renderPage(this.site, this.#source, page.file)),
      path: page.path,
      anchor,
      file: page.file,
      crumbs: page.crumbs,
      ...edition,
      languages: this.#editions.languages(page),
      versions: this.#editions.versions(page),
      previous: at > 0 ? pageRef(listed[at - 1]) : null,
      next: at >= 0 ? pageRef(listed[at + 1]) : null,
    };
  }

  #found(path: string): ShownPage | undefined {
    const clean = cleanSitePath(path);
    return (
      this.#pages.get(path) ??
      this.#pages.get(clean) ??
      // As the site's own addresses are: with the base path, and an ending.
      [...this.#pages.values()].find(({ url }) => cleanSitePath(url) === clean) ??
      // By its file, as a diff names it.
      [...this.#pages.values()].find(({ file }) => `/${file}` === path)
    );
  }

  /** The page of a file, wherever it is in the site. Undefined: there is no such file. */
  fileText(file: string) {
    return this.#source.has(file) ? renderPage(this.site, this.#source, file) : undefined;
  }

  search(query: string): SiteSearchResults {
    this.#search ??= this.#indexed();
    const { index, documents } = this.#search;
    const found = index.search(query, {
      prefix: true,
      fuzzy: 0.1,
      combineWith: 'AND',
      boost: { title: 3, heading: 2 },
    });
    return {
      results: found.slice(0, RESULTS_OF_READER).flatMap(({ id, terms }) => {
        const document = documents[Number(id)];
        if (!document) return [];
        const { path, hash, title, heading, text } = document;
        return [{ path, hash, title, heading: heading || null, text: snippet(text, terms) }];
      }),
    };
  }

  /** A document for each heading with what follows it. */
  #indexed() {
    const documents: SearchDocument[] = [];
    for (const page of this.#pages.values()) {
      if (page.made) {
        documents.push(...operationsOf(page.made, documents.length));
        continue;
      }
      const outline = shownOutline(this.site, page.file);
      const { frontMatter, headings } = outline;
      const ids = this.site.headingIds(outline);
      const lines = outline.text.split('\n');
      const title = textOf(frontMatter['title']) ?? page.title ?? page.path;
      const parts = [{ line: matterLines(outline.text), parts: null }, ...headings];
      for (const [i, part] of parts.entries()) {
        const end = parts[i + 1]?.line ?? lines.length + 1;
        documents.push({
          id: documents.length,
          path: page.path,
          hash: i === 0 || ids.length !== headings.length ? null : (ids[i - 1] ?? null),
          title,
          heading: part.parts ? plainText(part.parts) : '',
          text: spoken(lines.slice(part.line, end - 1)),
        });
      }
    }
    const index = new MiniSearch<SearchDocument>({ fields: ['title', 'heading', 'text'] });
    index.addAll(documents);
    return { index, documents };
  }

  #isForGroups(page: SitePage): boolean {
    const { groups } = this.#source.outline(page.file).frontMatter;
    return groups !== undefined && groups !== null;
  }
}

/** Pages that are made stand behind the others of their first level. */
function withMade(items: readonly NavigationItem[], pages: readonly SitePage[]): NavigationItem[] {
  const all = [...items];
  if (items.length === 0) return all; // the pages are listed by their paths
  for (const { title, path, crumbs, language, version } of pages) {
    const at = all.findLastIndex(item => item.crumbs[0] === crumbs[0]);
    all.splice(at < 0 ? all.length : at + 1, 0, {
      ...{ title: title ?? path, path, crumbs },
      ...(language !== null && { locale: language }),
      ...(version !== null && { version }),
    });
  }
  return all;
}

/** A document for each operation of a page. */
function operationsOf({ path, title, text, operations }: ApiPage, id: number): SearchDocument[] {
  const texts = text.split(/^## .*$/m).slice(1);
  return operations.map(({ method, route, anchor }, i) => ({
    ...{ id: id + i, path, hash: anchor, title, heading: `${method} ${route}` },
    text: spoken((texts[i] ?? '').split('\n')),
  }));
}

/** Lines as people read them: without the marks of Markdown, and of code without its fences. */
function spoken(lines: readonly string[]): string {
  return lines
    .filter(line => !/^\s*(?:`{3,}|~{3,}|:{3,}|import\s|export\s)/.test(line))
    .map(line =>
      line
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/<[^<>]{1,300}>|\{#[^}]*\}/g, ' ')
        .replace(/^\s*(?:#{1,6}|[-*+>]|\d+\.|\|)\s+|[`*|]|\b__|__\b/g, ' '),
    )
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function matterLines(text: string): number {
  return readFrontMatter(text).lines;
}

function pageRef(entry: NavigationEntry | undefined) {
  return entry && entry.path !== null ? { path: entry.path, title: entry.title } : null;
}

function snippet(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map(term => lower.indexOf(term.toLowerCase())).filter(place => place >= 0);
  const from = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - 40);
  const piece = text.slice(from, from + SNIPPET).replace(/\s+/g, ' ');
  return `${from > 0 ? '…' : ''}${piece.trim()}${from + SNIPPET < text.length ? '…' : ''}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
