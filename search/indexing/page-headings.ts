import { type PageOutline, plainText } from '../../sites/outline/page-outline.ts';
import type { ShownOperation, Site } from '../../sites/kinds/site-kind.ts';
import { PARTS_OF_OPERATION } from '../../sites/openapi/operation-text.ts';
import type { PublishedHeading } from '../../db/search/published-site.ts';

/** The page's own headings; those that a component brings along are not part of its text. */
export function publishedHeadings(site: Site, outline: PageOutline): PublishedHeading[] {
  const own = { ...outline, components: [] };
  const ids = site.headingIds(own);
  const idOf = idsByHeading(site, own, ids);
  return own.headings.map((heading, i) => ({
    text: plainText(heading.parts),
    depth: heading.depth,
    id: idOf(i),
  }));
}

/** Operations of an API on a page: what is below one leads to it. */
export function operationHeadings(operations: readonly ShownOperation[]): PublishedHeading[] {
  return operations.flatMap(({ method, route, anchor: id }) => [
    { text: `${method} ${route}`, depth: 2, id },
    ...PARTS_OF_OPERATION.map(text => ({ text, depth: 3, id })),
  ]);
}

/** A heading may have no id (the title in Docusaurus) or several (targets in Sphinx). */
function idsByHeading(site: Site, outline: PageOutline, ids: readonly string[]) {
  const { headings } = outline;
  if (ids.length === headings.length) return (i: number) => ids[i] ?? null;
  const below = headings.filter(heading => heading.depth > 1);
  if (ids.length === below.length)
    return (i: number) => {
      const heading = headings[i];
      return heading && heading.depth > 1 ? (ids[below.indexOf(heading)] ?? null) : null;
    };
  const counts = headings.map(
    (_, i) => site.headingIds({ ...outline, headings: headings.slice(0, i) }).length,
  );
  return (i: number) => {
    const from = counts[i] ?? ids.length;
    return from < (counts[i + 1] ?? ids.length) ? (ids[from] ?? null) : null;
  };
}
