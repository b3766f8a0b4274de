import type { SiteRedirect, SiteSource } from './site-kind.ts';

/** Redirects of a `_redirects` file in a served folder, as Netlify and Cloudflare read it. */
export function readHostRedirects(source: SiteSource, folder: string): SiteRedirect[] {
  const file = folder === '' ? '_redirects' : `${folder}/_redirects`;
  const lines = (source.read(file) ?? '').split('\n');
  return lines.flatMap((text, index) => {
    const [from, to] = text.replace(/#.*$/, '').trim().split(/\s+/);
    return from?.startsWith('/') && to ? [{ from, to, file, line: index + 1 }] : [];
  });
}
