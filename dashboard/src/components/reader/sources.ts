import { reading as read } from '../../data/query.ts';
import { urlOf } from '../../data/request.ts';
import type { SiteSource } from './site-source.ts';

type Places = Pick<SiteSource, 'address' | 'go'>;

/** A project's docs for its members, at the base or at a branch. */
export function projectSource(
  projectId: string,
  ref: string | undefined,
  places: Places,
): SiteSource {
  const params = { projectId };
  return {
    ...places,
    frame: edition => read('GET /projects/:projectId/site', { params, query: { ref, ...edition } }),
    page: path => read('GET /projects/:projectId/site/page', { params, query: { ref, path } }),
    search: query =>
      read('GET /projects/:projectId/site/search', { params, query: { ref, query } }),
    image: path => urlOf('GET /projects/:projectId/site/image', { params, query: { ref, path } }),
  };
}

/** Docs that everybody may read: of a public project, by its domain, or Docent's own (`-`). */
export function publicSource(domain: string, places: Places): SiteSource {
  const params = { domain };
  return {
    ...places,
    frame: query => read('GET /sites/:domain', { params, query }),
    page: path => read('GET /sites/:domain/page', { params, query: { path } }),
    search: query => read('GET /sites/:domain/search', { params, query: { query } }),
    image: path => urlOf('GET /sites/:domain/image', { params, query: { path } }),
  };
}
