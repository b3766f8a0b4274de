import type { PageOutline, PageSyntax } from '../outline/page-outline.ts';

/** The files of one commit or folder. Paths use `/` and have no leading slash. */
export interface SiteSource {
  /** Every path, sorted. */
  readonly paths: readonly string[];
  has(path: string): boolean;
  /** Whether some file lies below this folder. */
  hasFolder(path: string): boolean;
  /** UTF-8 text, or undefined if there is no such file. */
  read(path: string): string | undefined;
  /** The outline of a page; empty if there is no such file. Kept, so that each is parsed once. */
  outline(path: string, syntax?: PageSyntax): PageOutline;
}

/** Where a site is. */
export interface SitePlace {
  /** Folder of the configuration; '' is the top of the repository. */
  root: string;
  /** The file that gives it away, such as `website/docusaurus.config.ts`. */
  marker: string;
}

/** One page, as the generator would publish it. */
export interface SitePage {
  file: string;
  /** Where a site has more than docs: a post of its blog, or a page on its own. */
  kind?: 'doc' | 'blog' | 'page';
  /** Site path below the base path: `/guides/install`, `/` for the home page. */
  path: string;
  /** Path as the generator writes it: with the base path, and `.html` or a closing slash. */
  url: string;
  language: string | null;
  version: string | null;
  inNavigation: boolean;
  /** Title in the navigation, or null if the page is not in it. */
  title: string | null;
  /** Titles of the navigation levels above the page, outermost first. */
  crumbs: string[];
  draft: boolean;
  /** Meant to be outside the navigation. */
  unlisted?: boolean;
  /** Meant to be outside search results. */
  unsearched?: boolean;
  /** Multiplies its score in searches. */
  boost?: number;
}

/** An operation of an API, as a page shows it. */
export interface ShownOperation {
  /** `GET`. */
  method: string;
  /** `/users/{id}`. */
  route: string;
  /** Its id on the page; null: it has none that is known. */
  anchor: string | null;
}

/** What operations of an API say on a page. */
export interface ApiText {
  /** Markdown, with `METHOD /path` as a heading of each. */
  text: string;
  operations: ShownOperation[];
}

/** A page that the site makes of an API description: of one operation, or of all. */
export interface ApiPage extends ApiText {
  /** The description. */
  file: string;
  path: string;
  url: string;
  title: string;
  crumbs: string[];
  language: string | null;
  version: string | null;
}

/** One line of a navigation list, in the order in which readers see it. */
export interface NavigationItem {
  title: string;
  /** Site path, for a page or a generated index page. */
  path?: string;
  /** Address outside the site, or a link written by hand. */
  href?: string;
  crumbs: string[];
  /** These distinguish lists; order has a meaning within one list. */
  sidebar?: string;
  locale?: string | null;
  version?: string | null;
  plugin?: string;
  /** The page of this item has no file: the generator makes it. */
  generated?: true;
  /** The file of the page. */
  file?: string;
}

export interface SiteRedirect {
  /** Site path below the base path; may hold `*` and `:name`. */
  from: string;
  /** Site path or address. */
  to: string;
  file: string;
  /** 1-based. */
  line: number | null;
}

/** Why a site is not known completely: what could not be read without running it. None is edited. */
export interface Unread {
  file: string;
  line: number | null;
  /** One sentence, such as `sidebar "docs" is computed by a function call`. */
  message: string;
}

/** What is wrong with the configuration itself: the site's own build would stop or warn. */
export interface SiteProblem {
  rule: 'navigation' | 'redirect' | 'configuration';
  file: string;
  line: number | null;
  /** What the entry names, as written. */
  link: string | null;
  message: string;
}

/**
 * Where a link leads. `page`: a page of the site; `file`: another file that exists; `route`: a path
 * that the site answers without a file; `unchecked`: the generator leaves such a link as it is;
 * `missing`: nowhere.
 */
export type SiteLink =
  | { kind: 'external' }
  /** `name`: what `fileNamed` may know. */
  | { kind: 'unchecked'; name?: string }
  | { kind: 'page'; page: SitePage; anchor: string | null }
  | { kind: 'file'; file: string }
  | { kind: 'route'; path: string }
  | { kind: 'missing'; path: string };

/** What the site's own strict build does about a fault: it ends, it says so, or it does not look. */
export type OwnCheck = 'stops' | 'warns' | 'none';

/** What the site's own strict build looks at; the rest is reported on demand. */
export interface OwnChecks {
  /** Links to pages and files that do not exist. */
  links: OwnCheck;
  /** Links to headings that do not exist. */
  anchors: OwnCheck;
  /** Pages that nothing in the navigation leads to. */
  orphans: OwnCheck;
  /** Elements and components whose links are checked as those of Markdown are. */
  elements: readonly string[];
  /** Images and other files that do not exist. */
  images: boolean;
  /** Links that the configuration takes from what is checked. */
  leavesOut?(link: string): boolean;
  /** False: front matter that cannot be read is shown as text. */
  frontMatter?: false;
}

/** A line of a page, with the place where it is written: in its own file, or in one it includes. */
export interface PlacedLine {
  text: string;
  file: string;
  /** 1-based. */
  line: number;
}

/** A page with the parts of other files that it shows. */
export interface ShownPage {
  /** With the front matter of its own file. */
  text: string;
  /** Its lines; none if it shows nothing of other files. */
  lines: PlacedLine[];
  /** The files of which it shows something. */
  parts: string[];
}

/** Pages as readers see them. */
export interface ShownPages {
  page(file: string): ShownPage;
  outline(file: string): PageOutline;
}

/** A site as its generator sees it. */
export interface Site {
  ownChecks: OwnChecks;
  /** Folder of the configuration, '' at the top. */
  root: string;
  /** Folder of the pages. */
  docsFolder: string;
  /** Files that decide what is where. */
  configFiles: string[];
  /** `/`, or a path such as `/docs` without a slash at the end. */
  basePath: string;
  /** Origin of the published site, such as `https://docs.example.com`; null if not configured. */
  address: string | null;
  /** One sentence on how a file becomes an address. */
  addressRule: string;
  /** Sorted by file. Drafts are here and marked. */
  pages: SitePage[];
  /** Pages of the API descriptions that the site names, which have no file. */
  apiPages?: ApiPage[];
  /** What operations add to the page of a file. */
  apiTexts?: ReadonlyMap<string, ApiText>;
  navigation: NavigationItem[];
  /** No file lists the pages: the navigation is that of the folders. */
  isListedByFolder?: boolean;
  redirects: SiteRedirect[];
  /** Site paths that the generator makes without a file. */
  generated: string[];
  /** Page-like files in the docs folder that are not pages. */
  excluded: string[];
  /** What seems to build it, where its rules are not known: its links are not judged. */
  generator?: string;
  /** Empty: the site is known completely. */
  unread: Unread[];
  problems: SiteProblem[];
  /** Beginnings of links and imports that stand for a folder of the repository, such as `@site/`. */
  aliases?: readonly { prefix: string; folder: string }[];
  /** How a page is read; undefined: by the ending of its file. */
  syntaxOf?(file: string): PageSyntax;
  /** Undefined: no page shows parts of other files. */
  shown?: ShownPages;
  /** What of a page is checked: what its generator checks as its text. Links are where they are written. */
  outline(file: string): PageOutline;
  /** Ids of the page's headings, in order, as the generator writes them. */
  headingIds(outline: PageOutline): string[];
  /**
   * Every id that a link may name on the page: headings, HTML ids and more. Null if they cannot all
   * be known (text is included that cannot be read), so that an unknown one proves nothing.
   */
  anchors(outline: PageOutline): ReadonlySet<string> | null;
  /** Where a link written in `file` leads. */
  resolve(url: string, file: string): SiteLink;
  /** The file that a name leads to: a label, a reference to a page. */
  fileNamed?(name: string, from: string): string | undefined;
}
