import { lineNaming } from './line-of.ts';
import { listOf, objectOf, textOf } from '../values.ts';
import { joinPath } from './paths.ts';
import { parseToml } from './toml.ts';
import type { SiteRedirect, SiteSource } from './site-kind.ts';

/**
 * Redirects of a `_redirects` file in a served folder, as Netlify and Cloudflare read it, and of a
 * `netlify.toml` beside the site's configuration or at the top.
 */
export function readHostRedirects(
  source: SiteSource,
  servedFolder: string,
  root: string,
): SiteRedirect[] {
  const file = joinPath(servedFolder, '_redirects') ?? '_redirects';
  const lines = (source.read(file) ?? '').split('\n');
  const listed = lines.flatMap((text, index) => {
    const [from, to] = text
      .replace(/(?:^|\s)#.*$/, '')
      .trim()
      .split(/\s+/);
    return from?.startsWith('/') && to ? [{ from, to, file, line: index + 1 }] : [];
  });
  const configurations = new Set([joinPath(root, 'netlify.toml') ?? '', 'netlify.toml']);
  return [...listed, ...[...configurations].flatMap(one => netlifyRedirects(source, one))];
}

function netlifyRedirects(source: SiteSource, file: string): SiteRedirect[] {
  const text = source.read(file);
  if (text === undefined) return [];
  const { redirects } = parseToml(text, file);
  return listOf(redirects).flatMap(one => {
    const { from, to } = objectOf(one);
    const [path, target] = [textOf(from), textOf(to)];
    if (!path?.startsWith('/') || target === undefined) return [];
    return [{ from: path, to: target, file, line: lineNaming(text, path, /^\[\[redirects/m) }];
  });
}
