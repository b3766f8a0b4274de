import type { Config } from '../../shared/config.ts';
import { openPool } from '../../db/pool.ts';
import { type FoundSite, listFoundSites } from '../../db/search/index-runs.ts';
import { comparisonText } from '../../sites/published/comparison-text.ts';
import { counted } from '../../shared/text/counted.ts';
import { notRead, siteTitle } from '../project/site-lines.ts';
import { findRunning } from '../stack/running.ts';
import type { Finding } from './finding.ts';

/** What was found of every project's site, and what of it could not be read. */
export async function checkSites(config: Config): Promise<Finding[]> {
  const connectionString = config.DATABASE_URL ?? findRunning(config.DATA_DIR)?.databaseUrl;
  if (!connectionString) return [];
  const pool = openPool({ connectionString, max: 1 });
  try {
    return (await listFoundSites(pool)).map(findingOf);
  } catch {
    // The check of the database says why.
    return [];
  } finally {
    await pool.end();
  }
}

function findingOf({ domain, site, failure, awayBecause }: FoundSite): Finding {
  const name = `site ${domain}`;
  if (failure !== null)
    return { name, state: 'note', says: `The last indexing failed. ${failure}` };
  if (!site) return { name, state: 'note', says: `not read yet; run "docent index ${domain}"` };
  const { published } = site;
  const missing = [
    ...notRead(site),
    ...(published && published.right < published.pages
      ? [`Published: ${comparisonText(published)}`]
      : []),
    ...(awayBecause === null ? [] : [`The published site could not be compared. ${awayBecause}`]),
  ];
  const navigation =
    site.navigation === null ? 'by folder' : counted(site.navigation, 'entry', 'entries');
  const found =
    `${siteTitle(site)} in ${site.docsFolder || 'the root'}, ` +
    `${counted(site.pages, 'page')}, navigation: ${navigation}`;
  return {
    name,
    state: missing.length === 0 && site.pages > 0 ? 'ok' : 'note',
    says: missing.length === 0 ? found : `${found}; ${missing.join(' ')}`,
  };
}
