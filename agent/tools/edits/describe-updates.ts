import type { PageMove } from '../../site/move-page.ts';
import { withoutRefused } from './apply-texts.ts';
import { count } from '../text.ts';

const MAX_LEFT = 40;

/** Sentences about links and navigation, for the result of a tool that moved or deleted a page. */
export function describeUpdates(
  { links, navigation }: Pick<PageMove, 'links' | 'navigation'>,
  refused: ReadonlyMap<string, string>,
): string[] {
  const lines: string[] = [];
  const updated = links.updated.filter(({ path }) => !refused.has(path));
  if (updated.length > 0) {
    const total = updated.reduce((sum, page) => sum + page.links, 0);
    const pages = updated.map(({ path }) => path).join(', ');
    lines.push(`Updated ${count(total, 'link')} in ${pages}.`);
  }
  lines.push(...withoutRefused(navigation.done, refused));
  const left = withoutRefused(navigation.left, refused);
  lines.push(...describeLeft([...links.left, ...left, ...refused.values()]));
  return lines;
}

/** What a person or the model has to look at. */
export function describeLeft(left: readonly string[]): string[] {
  if (left.length === 0) return [];
  const lines = [
    'Could not update these, look at them yourself:',
    ...left.slice(0, MAX_LEFT).map(line => `- ${line}`),
  ];
  if (left.length > MAX_LEFT) lines.push(`[${left.length - MAX_LEFT} more]`);
  return lines;
}
