import type { FoundSite, Site, SiteKindName, SiteSource } from './site-kind.ts';

/** Everything that is particular to one generator. */
export interface SiteKind {
  name: SiteKindName;
  /** For people: `Docusaurus`. */
  title: string;
  /** Every place in a repository that looks like this kind, by marker files only. */
  find(source: SiteSource): FoundSite[];
  /** Reads a site. Never throws on content: what is wrong is in `problems` and `unread`. */
  read(source: SiteSource, found: FoundSite): Site;
}
