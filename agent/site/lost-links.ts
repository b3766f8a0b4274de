import type { SiteFinding } from '../../sites/check-site.ts';
import { splitUrl } from '../../sites/kinds/paths.ts';
import type { CheckedSite } from './checked-site.ts';
import { linksOf, textFiles } from './inbound-links.ts';
import { ownLinks } from './own-links.ts';
import { fileOfLink, isThere } from './relink.ts';

/**
 * Links that led somewhere before and do not now, whether or not the site's own build looks at
 * them: of the `fresh` findings, and others. Both by our own reading of the site before and now, so
 * that a rule that we have wrong is wrong in both.
 */
export function lostLinks(
  before: CheckedSite,
  now: CheckedSite,
  fresh: readonly SiteFinding[],
  changed: ReadonlyMap<string, unknown>,
): Set<SiteFinding> {
  const gone = before.site.pages.map(({ file }) => file).filter(file => changed.get(file) === null);
  const others = new Map(linksToLost(before, now).map(one => [placeOf(one), one]));
  const lost = fresh.filter(one => {
    // A page that moved has the links that another one had.
    const { page = one.file } = one;
    const pages = before.source.has(page) ? [page] : gone;
    return others.delete(placeOf(one)) || pages.some(from => ledSomewhere(before, from, one));
  });
  return new Set([...lost, ...others.values()]);
}

function ledSomewhere(before: CheckedSite, page: string, { rule, link }: SiteFinding): boolean {
  const { site } = before;
  if (link === null || !site.outline(page).links.some(({ url }) => url === link)) return false;
  const target = site.resolve(link, page);
  if (rule === 'link') return ['page', 'file', 'route'].includes(target.kind);
  return (
    rule === 'anchor' &&
    target.kind === 'page' &&
    idsOf(before, target.page.file).has(target.anchor)
  );
}

/** Those that are known, though text that cannot be read may bring others. */
function idsOf({ site }: CheckedSite, file: string): ReadonlySet<string | null> {
  const outline = site.outline(file);
  return site.anchors(outline) ?? new Set([...site.headingIds(outline), ...outline.ids]);
}

function placeOf({ file, line, link }: SiteFinding): string {
  return [file, line, link].join('\n');
}

/** Also imports, inclusions, names, and addresses that the build takes as they are. */
function linksToLost(before: CheckedSite, now: CheckedSite): SiteFinding[] {
  const gone = lostFiles(before, now);
  const ids = lostIds(before, now);
  if (gone.size === 0 && ids.size === 0) return [];
  return textFiles(now.source, now.site, now.kind).flatMap(path => {
    const own = ownLinks(now.kind.links ?? [], now.source.read(path) ?? '');
    return [...linksOf(now.source, now.site, path), ...own].flatMap((link): SiteFinding[] => {
      const was = fileOfLink(before.site, link, path);
      if (was === undefined) return [];
      const file = 'file' in link ? (link.file ?? path) : path;
      const place = { file, line: link.line, link: link.url, ...(file !== path && { page: path }) };
      if (gone.has(was) && !isThere(now.site, now.source, link, path))
        return [{ rule: 'link', severity: 'error', ...place, message: `It led to ${was}.` }];
      const { anchor } = splitUrl(link.url);
      return anchor !== null && ids.get(was)?.has(anchor)
        ? [{ rule: 'anchor', severity: 'error', ...place, message: `${was} lost #${anchor}.` }]
        : [];
    });
  });
}

/** Files that are no longer there, and pages whose address is another one. */
function lostFiles(before: CheckedSite, now: CheckedSite): Set<string> {
  const gone = new Set(before.source.paths.filter(path => !now.source.has(path)));
  const paths = new Map(now.site.pages.map(({ file, path }) => [file, path]));
  for (const { file, path } of before.site.pages) if (paths.get(file) !== path) gone.add(file);
  return gone;
}

/** Of pages that stay, the ids of what is no longer on them. */
function lostIds(before: CheckedSite, now: CheckedSite): Map<string, Set<string | null>> {
  const lost = new Map<string, Set<string | null>>();
  for (const { file } of before.site.pages) {
    if (!now.source.has(file) || before.site.outline(file) === now.site.outline(file)) continue;
    const left = idsOf(now, file);
    const ids = [...idsOf(before, file)].filter(id => !left.has(id));
    if (ids.length > 0) lost.set(file, new Set(ids));
  }
  return lost;
}
