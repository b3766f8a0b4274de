/**
 * Whether an address is of a host in the list, or below an address in it. Both are parsed, so no
 * spelling of a host or of a path gets past; `/docs` is not the beginning of `/docs-old`.
 */
export function isAllowedPage(url: URL, allowed: readonly string[]): boolean {
  return allowed.some(entry => {
    const written = entry.includes('://') ? entry : `https://${entry}`;
    if (!URL.canParse(written)) return false;
    const { origin, pathname } = new URL(written);
    if (origin !== url.origin) return false;
    const folder = pathname.replace(/\/$/, '');
    if (folder === '') return true;
    // A server may read these as / and \, and leave the folder with them.
    if (/%(2f|5c)/i.test(url.pathname)) return false;
    return url.pathname === folder || url.pathname.startsWith(`${folder}/`);
  });
}
