import type { SearchResult, SearchSection } from '../../../db/search/search-request.ts';
import type { ShownResult, Source } from '../wire/answer-events.ts';

/** A page given to the model, in the passages that it can cite. */
export interface Citable {
  /** What the block names as its source: the page's URL. */
  source: string;
  title: string;
  path: string;
  passages: SearchSection[];
}

/** A search result as citable passages, one per section. */
export function citable(result: SearchResult): Citable {
  return {
    source: result.url,
    title: result.title,
    path: result.path,
    passages: result.sections,
  };
}

/** A search result as the stream and the search endpoint show it. */
export function shown(result: SearchResult): ShownResult {
  return {
    path: result.path,
    url: result.url,
    content: result.sections.map(section => section.text).join('\n\n'),
    metadata: { title: result.title },
  };
}

/**
 * Keeps what the model was given, in the order in which the API numbers it, and turns its citations
 * into sources.
 */
export class Citations {
  readonly #pages: Citable[] = [];
  /** Page and passage by the number that a model without citations of its own knows it by. */
  readonly #numbered: { page: number; passage: number }[] = [];
  readonly #sources = new Map<string, Source>();
  readonly #cited = new Set<string>();

  /** Notes what the model is given. Returns the number of the first passage, counted from 1. */
  given(pages: readonly Citable[]): number {
    const first = this.#numbered.length + 1;
    for (const page of pages) {
      const index = this.#pages.push(page) - 1;
      for (const passage of page.passages.keys()) this.#numbered.push({ page: index, passage });
    }
    return first;
  }

  /** Notes a citation by number; one of a passage that was never given is dropped. */
  citeNumber(number: number): void {
    const at = this.#numbered[number - 1];
    if (!at) return;
    this.cite({
      search_result_index: at.page,
      start_block_index: at.passage,
      end_block_index: at.passage + 1,
    });
  }

  /** Notes a citation; one of something that was never given is dropped. */
  cite(location: {
    search_result_index: number;
    start_block_index: number;
    end_block_index: number;
  }): void {
    const page = this.#pages[location.search_result_index];
    if (!page) return;
    for (const { anchor, heading } of page.passages.slice(
      location.start_block_index,
      location.end_block_index,
    )) {
      this.#cited.add(page.path);
      const url = anchor ? `${page.source}#${anchor}` : page.source;
      const title = heading && heading !== page.title ? `${page.title}: ${heading}` : page.title;
      if (!this.#sources.has(url))
        this.#sources.set(url, { id: `src_${this.#sources.size + 1}`, url, title });
    }
  }

  /** One per cited section, in the order in which they were cited first. */
  sources(): Source[] {
    return [...this.#sources.values()];
  }

  /** Whether the model was given this address, as a page's or in a passage. */
  mention(address: string): boolean {
    const [bare = ''] = address.split('#');
    return this.#pages.some(
      page =>
        page.source === bare ||
        page.path === bare ||
        page.passages.some(({ text }) => address !== '' && text.includes(address)),
    );
  }

  /** Of the page that was cited first. */
  firstPath(): string | undefined {
    const [first] = this.#cited;
    return first?.replace(/#.*$/, '');
  }

  cites(path: string): boolean {
    return this.#cited.has(path);
  }
}

/** Titles of the pages of sections, by address: a section is titled after its page and itself. */
export function pagesOf(sources: readonly Source[]): Record<string, string> {
  return Object.fromEntries(
    sources.map(({ url, title }) => {
      const [page = url, section] = url.split('#', 2);
      return [page, section === undefined ? title : title.replace(/: [^:]*$/, '')];
    }),
  );
}
