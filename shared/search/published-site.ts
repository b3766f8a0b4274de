import type { SiteKindName, Unread } from '../site/kinds/site-kind.ts';

/** What people and the model see of a site: in `docent project show`, in the agent's prompt. */
export interface SiteFacts {
  kind: SiteKindName;
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
  /** Pages of the index. */
  pages: number;
  /** Pages that the index leaves out: drafts, unlisted pages, posts, other formats. */
  leftOut: number;
  /** Addresses of some pages. */
  examples: string[];
  languages: string[];
  /** Null where a site has one language or none. */
  defaultLanguage: string | null;
  versions: string[];
  unread: Unread[];
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
  headings: PublishedHeading[];
}

export interface PublishedSite {
  facts: SiteFacts;
  pages: PublishedPage[];
}

/** Which site of a repository. */
export interface WantedSite {
  /** Undefined: found. */
  docsFolder?: string | undefined;
  /** Null: found. */
  kind?: SiteKindName | null | undefined;
}
