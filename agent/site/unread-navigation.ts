import type { Site } from '../../sites/kinds/site-kind.ts';
import { mayListPages } from '../../sites/kinds/unread.ts';
import type { PageMove } from './move-page.ts';

/** Where the navigation may come from that nobody could read. */
export function unreadNavigation({ unread }: Site): string[] {
  return unread
    .filter(mayListPages)
    .map(({ file, line, message }) => `${line === null ? file : `${file}:${line}`}: ${message}`);
}

/** With the places that may still list a page that is deleted. */
export function stillListed(site: Site, move: PageMove): PageMove {
  const { left } = move.navigation;
  const unknown = unreadNavigation(site).filter(one => !left.some(known => known.includes(one)));
  const added = unknown.map(one => `${one} It may still list the page.`);
  return { ...move, navigation: { ...move.navigation, left: [...left, ...added] } };
}
