import type { Site, SiteSource } from '../kinds/site-kind.ts';
import type { ApiReference } from './api-reference.ts';
import { docsJsonReferences } from './docs-json-references.ts';
import { docusaurusReferences } from './docusaurus-references.ts';
import { mkdocsReferences } from './mkdocs-references.ts';
import { sphinxReferences } from './sphinx-references.ts';
import { starlightReferences } from './starlight-references.ts';
import { vitepressReferences } from './vitepress-references.ts';

/** Every API description that a site names. mdBook, Hugo and plain folders have no such plugin. */
export function apiReferences(source: SiteSource, site: Site): ApiReference[] {
  switch (site.kind) {
    case 'docs.json':
      return docsJsonReferences(source, site);
    case 'docusaurus':
      return docusaurusReferences(source, site);
    case 'mkdocs':
      return mkdocsReferences(source, site);
    case 'sphinx':
      return sphinxReferences(source, site);
    case 'starlight':
      return starlightReferences(source, site);
    case 'vitepress':
      return vitepressReferences(source, site);
    case 'mdbook':
    case 'hugo':
    case 'folder':
      return [];
  }
}
