/** The docs as a reader sees them: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { SITE_KINDS } from '../../../sites/kinds/registry.ts';
import { nullable } from './common.ts';
import type { PageNode } from './page-tree.ts';

/** A branch; left out, the base of the project. */
const Ref = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));

const Tag = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }));

/** Stands for the pages of a site with versions that are of none. */
export const NO_VERSION = '-';

/** Of a site in several languages or versions, one of them; left out, the one to begin with. */
export const PublicSiteQuery = Type.Object({ language: Tag, version: Tag });
export const SiteQuery = Type.Object({ ref: Ref, language: Tag, version: Tag });
export const SitePageQuery = Type.Object({
  ref: Ref,
  path: Type.String({ minLength: 1, maxLength: 1_000 }),
});
export const SiteSearchQuery = Type.Object({
  ref: Ref,
  query: Type.String({ minLength: 1, maxLength: 200 }),
});

/** `-` is Docent's own docs; otherwise the domain of a public project. */
export const PublicSiteParams = Type.Object({
  domain: Type.String({ pattern: '^(-|[a-z0-9]([a-z0-9-]*[a-z0-9])?)$', maxLength: 63 }),
});

export const NavigationEntry = Type.Object({
  title: Type.String(),
  /** Site path of a page; null: a link to elsewhere. */
  path: nullable(Type.String()),
  href: nullable(Type.String()),
  /** Titles of the levels above, outermost first. */
  crumbs: Type.Array(Type.String()),
});
export type NavigationEntry = Static<typeof NavigationEntry>;

export const SiteView = Type.Object({
  name: Type.String(),
  kind: Type.Union(SITE_KINDS.map(kind => Type.Literal(kind))),
  ref: nullable(Type.String()),
  commit: Type.String(),
  /** Site path of the page to begin with; null: there is no page. */
  home: nullable(Type.String()),
  /** Of one language and version. */
  navigation: Type.Array(NavigationEntry),
});
export type SiteView = Static<typeof SiteView>;

/** The tree of a page is made by code of ours, so it is not checked again on its way out. */
export const PageNodes = Type.Unsafe<PageNode[]>(Type.Array(Type.Any()));

/** The same page, or else the first one, in a language or version. */
const Edition = Type.Object({ name: Type.String(), path: Type.String() });
export type Edition = Static<typeof Edition>;

const PageRef = nullable(Type.Object({ path: Type.String(), title: Type.String() }));

export const SitePageView = Type.Object({
  /** Of the page; another one than was asked for if the site redirects that. */
  path: Type.String(),
  /** Id of the heading that the site's redirect leads to. */
  anchor: nullable(Type.String()),
  file: Type.String(),
  title: Type.String(),
  description: Type.String(),
  crumbs: Type.Array(Type.String()),
  /** The second and third level, in order. */
  headings: Type.Array(
    Type.Object({ id: Type.String(), text: Type.String(), depth: Type.Integer() }),
  ),
  nodes: PageNodes,
  /** Null: the site has one. */
  language: nullable(Type.String()),
  version: nullable(Type.String()),
  /** All of the site, this page's too; empty if there is one. */
  languages: Type.Array(Edition),
  versions: Type.Array(Edition),
  previous: PageRef,
  next: PageRef,
  /** Why the page is shown in part, as a sentence. */
  problem: nullable(Type.String()),
});
export type SitePageView = Static<typeof SitePageView>;

/** What the browser app of public docs begins with; `page` null: there is no such page. */
export interface PublicPageData {
  frame: SiteView;
  page: SitePageView | null;
}

export const SiteSearchResults = Type.Object({
  results: Type.Array(
    Type.Object({
      path: Type.String(),
      hash: nullable(Type.String()),
      title: Type.String(),
      heading: nullable(Type.String()),
      text: Type.String(),
    }),
  ),
});
export type SiteSearchResults = Static<typeof SiteSearchResults>;

/** A changed page of a pull request; `from` is its path before it was moved. */
export const ChangedPageQuery = Type.Object({
  file: Type.String({ minLength: 1, maxLength: 1_000 }),
  from: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
});
export const ChangedImageQuery = Type.Object({
  file: Type.String({ minLength: 1, maxLength: 1_000 }),
  side: Type.Union([Type.Literal('before'), Type.Literal('after')]),
});
/** The page as it becomes, with what differs marked. */
export const ChangedPage = Type.Object({ nodes: PageNodes });
export type ChangedPage = Static<typeof ChangedPage>;
/** Changed pages of a pull request for people with its link, by path; not of all files. */
export interface LinkedPages {
  pages: { path: string; nodes: PageNode[] }[];
}
