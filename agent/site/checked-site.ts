import { checkSite, type SiteFinding } from '../../sites/check-site.ts';
import type { SiteSource } from '../../sites/kinds/site-kind.ts';
import type { ProjectSite } from '../../sites/project-site.ts';

/** A site at one moment with what is wrong with it. */
export interface CheckedSite extends ProjectSite {
  source: SiteSource;
  /** Also what the site's own build does not look at. */
  findings: SiteFinding[];
}

export function checkedSite(source: SiteSource, { kind, site }: ProjectSite): CheckedSite {
  return { source, kind, site, findings: checkSite(source, site, true) };
}

/** Without what the site's own build leaves alone. */
export function ownFindings({ findings }: CheckedSite): SiteFinding[] {
  return findings.filter(({ severity, rule }) => severity === 'error' || rule === 'orphan');
}
