import type { Queryable } from '../../../db/pool.ts';
import { pageUrl } from '../../../db/search/page-url.ts';

/** A site whose pages are written out. */
export interface MarkdownSite {
  db: Queryable;
  projectId: string;
  name: string;
  /** What links are built on. */
  address: string;
  basePath: string;
}

/** The address of a file of the site. */
export function addressOf({ address, basePath }: MarkdownSite, path: string): string {
  const prefix = basePath === '/' ? '' : basePath;
  return pageUrl({ site_url: address, base_path: basePath }, `${prefix}${path}`);
}
