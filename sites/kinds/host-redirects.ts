import { parse as parseToml } from 'smol-toml';
import { lineNaming } from './line-of.ts';
import { objectOf, textOf } from '../values.ts';
import { joinPath } from './paths.ts';
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
  const { redirects } = objectOf(parsed(text));
  return (Array.isArray(redirects) ? redirects : []).flatMap((one: unknown) => {
    const { from, to } = objectOf(one);
    const [path, target] = [textOf(from), textOf(to)];
    if (!path?.startsWith('/') || target === undefined) return [];
    return [{ from: path, to: target, file, line: lineNaming(text, path, /^\[\[redirects/m) }];
  });
}

function parsed(text: string): unknown {
  try {
    return parseToml(text);
  } catch {
    return {};
  }
}
