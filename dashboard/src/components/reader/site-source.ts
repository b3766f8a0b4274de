import { createContext, useContext } from 'react';
import type {
  SitePageView,
  SiteSearchResults,
  SiteView,
} from '../../../../api/dashboard/contract/site.ts';
import type { Query } from '../../data/query.ts';

/** A language and a version of a site; undefined: the one to begin with. */
export interface Edition {
  language?: string | undefined;
  version?: string | undefined;
}

/** Where a reader gets a site from, and what addresses its pages have. */
export interface SiteSource {
  frame(edition: Edition): Query<SiteView>;
  page(path: string): Query<SitePageView>;
  search(query: string): Query<SiteSearchResults>;
  /** The address of an image of the repository, from our own server. */
  image(file: string): string;
  /** The address of a page here. */
  address(path: string, hash?: string): string;
  go(path: string, hash?: string): void;
}

const Source = createContext<SiteSource | undefined>(undefined);
export const SourceProvider = Source.Provider;

export function useSite(): SiteSource {
  const source = useContext(Source);
  if (!source) throw new Error('outside a reader');
  return source;
}

/** A site path as a part of an address. */
export function addressPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
