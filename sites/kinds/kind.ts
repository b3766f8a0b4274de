import type { ApiReference } from '../openapi/api-reference.ts';
import type { Site, SitePlace, SiteSource } from './site-kind.ts';

/**
 * How a link of a generator's own finds its file. `include`: a path that is exactly that of a file;
 * `top`: a path from the top of the docs; `name`: what `Site.fileNamed` knows.
 */
export type OwnLinkKind = 'link' | 'import' | 'include' | 'top' | 'name';

/** A way to write a link that the Markdown parser takes for text or code. */
export interface LinkSyntax {
  kind: OwnLinkKind;
  /** With the flags `d` and `g`. The first group that takes part is the address. */
  pattern: RegExp;
}

/** Everything that is particular to one generator. */
export interface SiteKind<Name extends string = string> {
  name: Name;
  /** For people: `Docusaurus`. */
  title: string;
  /** In a list of kinds to choose from, where the title does not say enough. */
  choice?: string;
  /** Nothing builds the site: a folder of files is all it is, and any folder can be taken for one. */
  isPlain?: true;
  /** Paths of files that give such a site away. */
  marker?: RegExp;
  /** Whether a file with such a path really is one. */
  isMarker?(source: SiteSource, path: string): boolean;
  /** The folder of the configuration, if it is not that of the marker. */
  rootOf?(marker: string): string;
  /** Where the pages of a site with this marker are, unless its configuration says otherwise. */
  usualPages?(marker: string): string | undefined;
  /** Files that configure a site, beside modules and data files. */
  settings?: RegExp;
  /** Files beside Markdown whose links are kept right. */
  texts?: RegExp;
  /** Ways to write links that are its own. */
  links?: readonly LinkSyntax[];
  /** Of a plain kind: the site of this folder. */
  inFolder?(source: SiteSource, folder: string): SitePlace | undefined;
  /** Of a kind without a marker: its sites. */
  find?(source: SiteSource): SitePlace[];
  /** Reads a site. Never throws on content: what is wrong is in `problems` and `unread`. */
  read(source: SiteSource, place: SitePlace): Site;
  /** The API descriptions that a site names. */
  apiReferences?(source: SiteSource, site: Site): ApiReference[];
}
