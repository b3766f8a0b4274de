/** What the agent's tool `search_docs`, the assistant and the search endpoint ask of the index. */
export interface SearchFilter {
  version?: string;
  language?: string;
  groups?: string[];
}

export interface SearchSection {
  anchor: string | null;
  heading: string;
  text: string;
}

/** One page and its best sections for a query. */
export interface SearchResult {
  /** The page's site path, such as `/guides/install`; with `#anchor` for a section. */
  path: string;
  url: string;
  title: string;
  score: number;
  /** The best section first; at most `SECTIONS_OF_RESULT`. */
  sections: SearchSection[];
}

export interface SearchRequest {
  projectId: string;
  query: string;
  /** Distinct pages, 1 to `MOST_RESULTS`. */
  pageSize: number;
  filter?: SearchFilter;
  /** The page that the reader is on: its neighbours rank higher. */
  currentPath?: string;
}
