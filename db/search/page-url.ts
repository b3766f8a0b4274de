/** Where a project's site is; as rows name it. */
export interface SiteAddress {
  /** The project's; null: Docent itself shows the pages. */
  site_url: string | null;
  /** The site's own base path, if its configuration is known. */
  base_path: string | null;
}

/**
 * The link to a page. `url` holds the base path, and so may the project's site URL: it stands in
 * the link once. It is a path as files have it: what would end a path in an address is escaped.
 */
export function pageUrl({ site_url: siteUrl, base_path: basePath }: SiteAddress, url: string) {
  const site = siteUrl?.replace(/\/+$/, '') ?? '';
  const isNamed = basePath !== null && basePath !== '/' && site.endsWith(basePath);
  const path = url.replace(/[%?#]/g, encodeURIComponent);
  return `${isNamed ? site.slice(0, -basePath.length) : site}${path}`;
}

/** A page, and where its site is, as `LINKED` selects it. */
export interface LinkedPage extends SiteAddress {
  path: string;
  /** As the site's generator writes it; null: as its path. */
  url: string | null;
  /** Below Docent's own address. */
  shown_at: string;
}

/** Of a page `p` of the table `search_pages`. */
export const LINKED = `p.path, p.url,
  (select site ->> 'basePath' from search_indexes i where i.project_id = p.project_id) as base_path,
  (select site_url from projects r where r.id = p.project_id) as site_url,
  (select case when r.public then '/sites/' || r.domain
               else '/dashboard/' || o.slug || '/' || r.domain || '/docs' end
     from projects r join organizations o on o.id = r.organization_id
    where r.id = p.project_id) as shown_at`;

/** The link to a page: on its site, else a path below Docent's own address. */
export function linkTo({ path, url, shown_at: shownAt, ...site }: LinkedPage): string {
  return site.site_url === null ? `${shownAt}${path}` : pageUrl(site, url ?? path);
}
