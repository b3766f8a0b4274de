import { firstTitle } from '../../sites/outline/page-outline.ts';
import { nameOf } from '../../sites/kinds/paths.ts';
import type { SiteSource } from '../../sites/kinds/site-kind.ts';

/** A page's own title: in its front matter, else its first heading, else its name. */
export function pageTitle(source: SiteSource, file: string): string | undefined {
  if (!source.has(file)) return undefined;
  const outline = source.outline(file);
  const named = outline.frontMatter.title;
  if (typeof named === 'string' && named.trim() !== '') return named.trim();
  const words = nameOf(file)
    .replace(/\.\w+$/, '')
    .replace(/[-_]+/g, ' ');
  return firstTitle(outline) ?? words.charAt(0).toUpperCase() + words.slice(1);
}
