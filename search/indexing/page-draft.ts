import type { IndexPage } from '../../db/search/index-page.ts';

/** A page to be indexed; read and parsed only if its key is new. */
export interface PageDraft {
  path: string;
  /** Hash of all that the page is made of. */
  key: string;
  load(): Promise<IndexPage>;
}
