import type { SiteKindName } from '../../sites/kinds/registry.ts';
import type { Unread } from '../../sites/kinds/site-kind.ts';
import type { ComparedPages } from '../../sites/published/comparison-text.ts';

/** What people and the model see of a site: in `docent project show`, in the agent's prompt. */
export interface SiteFacts {
  kind: SiteKindName;
  /** What seems to build the site, where its rules are not known; of older indexes undefined. */
  generator?: string | null;
  /** '' is the repository's root; no slash at either end. */
  docsFolder: string;
  /** `/`, or a path such as `/docs` without a slash at the end. */
  basePath: string;
  /** Origin of the published site; null if it is not configured. */
  address: string | null;
  /** One sentence on how a file becomes an address. */
  addressRule: string;
  /** Files that hold configuration and navigation. */
  configFiles: string[];
  /** Pages of the index, those of APIs among them. */
  pages: number;
  /** Pages that are made from API descriptions. */
  apiPages: number;
  /** Pages that the index leaves out: drafts, unlisted pages, posts, other formats. */
  leftOut: number;
  /** Entries of the navigation; null: the site lists its pages by folder. */
  navigation: number | null;
  /** Some pages, and the addresses that the site gives them. */
  examples: { file: string; url: string }[];
  languages: string[];
  /** Null where a site has one language or none. */
  defaultLanguage: string | null;
  versions: string[];
  /** What of the configuration could not be read. */
  unread: Unread[];
  /** One sentence on pages in formats that are not read; null: there are none. */
  unreadPages: string | null;
  /** Beside what the site publishes; null: that was not seen. */
  published?: ComparedPages | null;
}

/** A heading of a page, in order; `id` is null where the generator gives it none. */
export interface PublishedHeading {
  text: string;
  depth: number;
  id: string | null;
}

/** A page as its site publishes it. */
export interface PublishedPage {
  file: string;
  /** Site path, below the base path. */
  path: string;
  /** As the site writes it: with the base path, and its ending. */
  url: string;
  language: string | null;
  version: string | null;
  /** A version that readers are not led to: found only where it is asked for. */
  oldVersion: boolean;
  /** Other languages that have this page. */
  translations: string[];
  /** In the navigation; null if it is not there. */
  title: string | null;
  /** Titles of the navigation levels above the page, outermost first. */
  crumbs: string[];
  /** Multiplies the score, unless the page says otherwise. */
  boost: number | null;
  /** Null: as GitHub makes their ids. */
  headings: PublishedHeading[] | null;
  /** What an operation of an API says. Null: the page is of none. */
  apiText: string | null;
  /** The page has no file of its own: the operation is all of it. */
  isGenerated: boolean;
  /** Files of which it shows parts. */
  parts?: string[];
  /** Where the text of a page is that is read as its site publishes it, and the digest of it. */
  readAt?: { path: string; digest: string };
}

/** A page of a site that is being read. */
export interface ListedPage {
  file: string;
  path: string;
  /** Changes if the site's configuration changes anything about the page. */
  digest: string;
  /** Null: the page is read from its file. */
  readAt: string | null;
  /** Files of which it shows parts. */
  parts: string[];
}
