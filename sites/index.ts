// What the package offers to code outside of this repository.
export { checkSite, type SiteFinding } from './check-site.ts';
export { folderSource } from './command/folder-source.ts';
export { findSites, kindTitle, readSite } from './kinds/registry.ts';
export type { FoundSite, Site, SiteKindName, SitePage, SiteSource } from './kinds/site-kind.ts';
export { siteSource } from './kinds/source.ts';
