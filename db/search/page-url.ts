/** Where a project's site is; as rows name it. */
export interface SiteAddress {
  /** The project's; null: links are relative. */
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
