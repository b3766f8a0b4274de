import { count } from './text.ts';
import type { UpdatedLinks } from './update-links.ts';
import type { UpdatedNavigation } from './update-navigation.ts';

const MAX_LEFT = 40;

/** Sentences about links and navigation, for the result of a tool that moved or deleted a page. */
export function describeUpdates(links: UpdatedLinks, navigation: UpdatedNavigation): string[] {
  const lines: string[] = [];
  if (links.updated.length > 0) {
    const total = links.updated.reduce((sum, page) => sum + page.links, 0);
    const pages = links.updated.map(({ path }) => path).join(', ');
    lines.push(`Updated ${count(total, 'link')} in ${pages}.`);
  }
  lines.push(...navigation.done);
  const left = [...links.left, ...navigation.left];
  if (left.length > 0) {
    lines.push(
      'Could not update these, look at them yourself:',
      ...left.slice(0, MAX_LEFT).map(line => `- ${line}`),
    );
  }
  if (left.length > MAX_LEFT) lines.push(`[${left.length - MAX_LEFT} more]`);
  return lines;
}
