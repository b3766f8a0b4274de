/** What search returns of a page: the text under one heading, without its subheadings' texts. */
export interface Section {
  /** The heading's anchor; null before the first heading. */
  anchor: string | null;
  heading: string;
  /** Headings above this one, outermost first. */
  crumbs: string[];
  prose: string;
  code: string;
  /** Prose and code as they follow each other, as Markdown: what readers and models are shown. */
  text: string;
}

/** A page as the index takes it. */
export interface IndexPage {
  /** Site path. */
  path: string;
  /** As the site writes it, with base path and ending, where that is not the path. */
  url?: string;
  /** Found only where its version is asked for. */
  oldVersion?: boolean;
  /** Other languages that have this page. */
  translations?: string[];
  /** Titles of the navigation levels above the page, outermost first. */
  crumbs?: string[];
  title: string;
  description: string;
  keywords: string[];
  /** Null: belongs to every version, or language. */
  version: string | null;
  language: string | null;
  /** Null: found by everybody; else only if one of them is given. */
  groups: string[] | null;
  /** Multiplies the score; 0.1 to 10. */
  boost: number;
  /** False: read by path only. */
  searchable: boolean;
  /** Markdown without frontmatter. */
  content: string;
  sections: Section[];
}

export interface Posting {
  /** Of the page as a whole; 0 if only a section's crumbs hold the stem. */
  weight: number;
  /** Ordinals in the page, ascending, and each one's weight. */
  sections: number[];
  weights: number[];
}

export interface WeighedPage {
  /** By stem. */
  postings: Map<string, Posting>;
  /** Each section's heading and prose as stems, to see which stand side by side. */
  texts: { heading: string[]; prose: string[] }[];
}
