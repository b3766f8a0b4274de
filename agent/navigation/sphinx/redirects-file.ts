import { below, isExternal } from '../../../sites/kinds/paths.ts';
import type { NavigationEdit } from '../navigation-edit.ts';
import type { Site, SiteSource } from '../../../sites/kinds/site-kind.ts';
import { documentPath } from '../../../sites/kinds/sphinx/config.ts';

/** `"old" "new"`, with or without quotes. */
const PAIR = /^(\s*"?)([^"\s#]+)("?\s+"?)([^"\s]+)("?\s*)$/;

/** The file of `rediraffe_redirects`; in conf.py itself they are code. */
export function redirectsFile(source: SiteSource, site: Site): string | undefined {
  return site.configFiles.find(file => !file.endsWith('.py') && source.has(file));
}

/** Its text with the redirects that a move or a deletion needs; undefined if nothing changes. */
export function redirected(
  source: SiteSource,
  site: Site,
  edit: NavigationEdit,
): string | undefined {
  const file = redirectsFile(source, site);
  if (file === undefined || (edit.kind !== 'move-page' && edit.kind !== 'remove-page'))
    return undefined;
  const gone = edit.kind === 'move-page' ? edit.from : edit.file;
  const fresh = edit.kind === 'move-page' ? edit.to : edit.redirectTo;
  const old = site.pages.find(page => page.file === gone);
  if (!old || (fresh !== undefined && isExternal(fresh))) return undefined;
  const text = source.read(file) ?? '';
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/).flatMap(line => {
    const [, lead = '', from = '', gap = '', to, end = ''] = PAIR.exec(line) ?? [];
    if (to === undefined || documentPath(to) !== old.path) return line;
    return fresh === undefined ? [] : lead + from + gap + writtenLike(to, fresh, site) + end;
  });
  const isNew = edit.kind === 'remove-page' || edit.redirect;
  if (fresh !== undefined && isNew) {
    const last = lines.findLastIndex(line => PAIR.test(line));
    const [, lead = '"', , gap = '" "', to = 'x.md', end = '"'] =
      PAIR.exec(lines[last] ?? '') ?? [];
    const pair = lead + writtenLike(to, gone, site) + gap + writtenLike(to, fresh, site) + end;
    lines.splice(last < 0 ? 0 : last + 1, 0, pair);
  }
  const result = lines.join(lineEnd);
  return result === text ? undefined : result;
}

/** A document as the file names others: with or without the ending of its file. */
function writtenLike(model: string, file: string, { docsFolder }: Site): string {
  const path = below(docsFolder, file) ?? file;
  if (/\.html$/.test(model)) return path.replace(/\.\w+$/, '.html');
  return /\.\w+$/.test(model) ? path : path.replace(/\.\w+$/, '');
}

/** New lines that do not redirect within the site. */
export function otherLines(file: string, before: string, after: string): string[] {
  const known = new Set(before.split(/\r?\n/));
  return after.split(/\r?\n/).flatMap((line, index) => {
    if (known.has(line) || line.trim() === '') return [];
    const [, , from = '', , to = ''] = PAIR.exec(line) ?? [];
    const isOwn = [from, to].every(one => /^[\w./-]+$/.test(one) && !/^\/\//.test(one));
    return isOwn ? [] : [`${file}:${index + 1} is not a redirect within the site.`];
  });
}
