// What the package offers to code outside of this repository.
export { checkSite, type SiteFinding } from './check-site.ts';
export { folderSource } from './command/folder-source.ts';
export {
  findSites,
  type FoundSite,
  type KnownSite,
  kindTitle,
  readSite,
  type SiteKindName,
} from './kinds/registry.ts';
export type { Site, SitePage, SiteSource } from './kinds/site-kind.ts';
export { siteSource } from './kinds/source.ts';
