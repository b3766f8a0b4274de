import { isExternal, nameOf } from '../../sites/kinds/paths.ts';
import type { Site } from '../../sites/kinds/site-kind.ts';
import { linkForms } from './link-forms.ts';
import { fileOfLink } from './relink.ts';

/**
 * What a link that leads nowhere may mean: the only page that has its name, written as the link is.
 * Undefined if no page has the name, or more than one.
 */
export function suggestLink(site: Site, url: string, file: string): string | undefined {
  const [path = ''] = url.split(/[?#]/);
  const wanted = pageName(path);
  if (wanted === '' || isExternal(url)) return undefined;
  const language = site.pages.find(page => page.file === file)?.language;
  const named = site.pages.filter(page => pageName(page.file) === wanted);
  const same = named.length > 1 ? named.filter(page => page.language === language) : named;
  const [page] = same;
  if (!page || same.length > 1) return undefined;
  const move = {
    before: site,
    after: site,
    from: file,
    to: file,
    old: page.file,
    fresh: page.file,
  };
  const hasEnding = /\.\w+$/.test(path);
  return linkForms(url, move)
    .filter(form => form.startsWith('/') === path.startsWith('/'))
    .filter(form => /\.\w+(?:[?#/]|$)/.test(form) === hasEnding)
    .find(form => fileOfLink(site, { kind: 'link', url: form }, file) === page.file);
}

/** The name of a page's file; an index page has that of its folder. */
function pageName(path: string): string {
  const bare = path
    .replace(/\/$/, '')
    .replace(/\.(?:mdx?|markdown|html)$/i, '')
    .replace(/\/(?:_?index|README)$/i, '');
  return nameOf(bare).toLowerCase();
}
