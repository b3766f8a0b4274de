import type { Site, SiteSource } from '../kinds/site-kind.ts';
import type { ApiReference } from './api-reference.ts';
import { docsJsonReferences } from './docs-json-references.ts';
import { docusaurusReferences, starlightReferences } from './plugin-references.ts';

/** Every API description that a site names. */
export function apiReferences(source: SiteSource, site: Site): ApiReference[] {
  if (site.kind === 'docs.json') return docsJsonReferences(source, site);
  if (site.kind === 'docusaurus') return docusaurusReferences(source, site);
  if (site.kind === 'starlight') return starlightReferences(source, site);
  return [];
}
