import { FALLBACK, type FoundSite, kindTitle, type KnownSite } from '../kinds/registry.ts';
import type { CheckOptions } from './check-options.ts';
import { counted } from './formats/report.ts';

const MOST_NAMED = 5;

/** Which sites of the repository were not checked. */
export function otherSites(others: readonly FoundSite[]): string[] {
  if (others.length === 0) return [];
  const named = others.slice(0, MOST_NAMED).map(one => `${one.marker} (${kindTitle(one.kind)})`);
  const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : '';
  const them = 'Check one with --config FILE, or all with --every-site.';
  return [`Other sites here: ${named.join(', ')}${more}. ${them}`];
}

/** The last line of a report: what the sources do not say. */
export function notKnown(site: KnownSite, unjudged: number, { external }: CheckOptions): string {
  if (site.kind === FALLBACK.name)
    return 'Not known: whether something builds a site of these files. If so, --built DIR judges by its HTML.';
  const parts = [
    ...(site.unread.length > 0
      ? [`${counted(site.unread.length, 'part')} of its configuration`]
      : []),
    ...(unjudged > 0
      ? [
          `whether ${counted(unjudged, 'link')} to headings ${unjudged === 1 ? 'leads' : 'lead'} to one`,
        ]
      : []),
    'what the build adds',
    ...(external ? [] : ['links to other sites (--external)']),
  ];
  return `Not known: ${parts.join(', ')}. After a build, --built DIR judges by its HTML.`;
}
