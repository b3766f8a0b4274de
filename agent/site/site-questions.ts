import { docsJsonChanges } from '../policy/docs-json.ts';
import type { SearchFilter } from '../../db/search/search-request.ts';
import { unreadPages } from '../../search/indexing/unread-pages.ts';
import { overlaid } from '../../sites/kinds/overlay.ts';
import type { NavigationChange, NavigationEdit } from '../navigation/navigation-edit.ts';
import { NAVIGATION } from '../navigation/registry.ts';
import type { SiteKindName } from '../../sites/kinds/registry.ts';
import type { SiteSource } from '../../sites/kinds/site-kind.ts';
import { type WantedSite, type ProjectSite, projectSite } from '../../sites/project-site.ts';
import type { Finding } from '../checks/finding.ts';
import { type CheckedSite, checkedSite, ownFindings } from './checked-site.ts';
import { allFindings, newFindings } from './compare-findings.ts';
import { deletePage, movePage, type PageMove, type PageMoveAnswer } from './move-page.ts';
import { type SearchedEdits, searchEdits } from './search-edits.ts';
import { stillListed, unreadNavigation } from './unread-navigation.ts';
import { type OutlineRoom, type SiteOutline, siteOutline } from './site-outline.ts';

/** What the tools ask of a site. Files are repository paths. */
export type SiteQuestion =
  | { kind: 'outline'; room: OutlineRoom }
  /** `all`: also what was wrong in the base. */
  | { kind: 'check'; all?: boolean }
  | { kind: 'edit-navigation'; edit: NavigationEdit }
  | { kind: 'move-page'; from: string; to: string; allowImports: boolean }
  | { kind: 'delete-page'; file: string; redirectTo: string | undefined }
  /** Of the base, whatever the edits: what a new text of a file of its navigation changes beside. */
  | { kind: 'other-changes'; file: string; after: string }
  /** The same for docs.json and its parts, which are judged as they are, whatever kind is set. */
  | { kind: 'docs-json-changes'; before: string; after: string; isPart: boolean }
  | { kind: 'page'; file: string }
  /** Pages that the edits have changed, by words. */
  | { kind: 'search-edits'; query: string; filter: SearchFilter };

/** What the model gets to know of a site. */
export interface SiteDescription {
  kind: SiteKindName;
  title: string;
  docsFolder: string;
  basePath: string;
  addressRule: string;
  navigationRule: string;
  /** Files other than pages that hold navigation or redirects. */
  navigationFiles: string[];
  configFiles: string[];
  unread: string[];
  /** One sentence on pages in formats that are not read; null: there are none. */
  unreadPages: string | null;
}

/** Whether links can be judged: most of a site’s links lead nowhere if it was guessed wrong. */
export interface CheckAnswer {
  findings: Finding[];
  /** Links of the base to pages and files, and how many of them lead nowhere. */
  links: { all: number; broken: number };
}

export interface PageAnswer {
  /** As the site publishes it; null if it does not. */
  address: string | null;
  inNavigation: boolean;
  /** Why the navigation is not known completely; null if it is. */
  navigationUnread: string | null;
  navigationRule: string;
}

export interface SiteAnswers {
  outline: { site: SiteDescription; outline: SiteOutline };
  check: CheckAnswer;
  'edit-navigation': NavigationChange;
  'move-page': PageMoveAnswer;
  'delete-page': PageMove;
  /** Null: the file is not one of the navigation. */
  'other-changes': string[] | null;
  'docs-json-changes': string[];
  page: PageAnswer;
  'search-edits': SearchedEdits;
}

/** A commit's files; what is found out about them once stays with them. */
export interface BaseSite {
  source: SiteSource;
  /** The base as projects have it, with what is wrong with it; and the last state of a job. */
  own: Map<string, SiteState>;
  checked: Map<string, CheckedSite>;
  last?: { key: string; state: SiteState };
}

/** A project's site with a job's edits. */
interface SiteState extends ProjectSite {
  source: SiteSource;
  checked?: CheckedSite;
}

/** `others`: files that are not of the site, such as symbolic links: links may lead to them. */
export function baseSite(source: SiteSource, others: readonly string[] = []): BaseSite {
  const known = new Set(others);
  const has = (path: string) => source.has(path) || known.has(path);
  return { source: { ...source, has }, own: new Map(), checked: new Map() };
}

/** Answers from the files of a base with edits upon it. */
export function answerSiteQuestion(
  base: BaseSite,
  edits: ReadonlyMap<string, string | null>,
  project: WantedSite,
  question: SiteQuestion,
): SiteAnswers[SiteQuestion['kind']] {
  if (question.kind === 'docs-json-changes')
    return changesOfDocsJson(base, edits, project.docsFolder ?? '', question);
  const state = stateOf(base, edits, project);
  switch (question.kind) {
    case 'outline':
      return {
        site: describe(state, project.addresses?.readAtSite),
        outline: siteOutline(state.site, question.room),
      };
    case 'check':
      return check(base, state, edits, project, question.all ?? false);
    case 'edit-navigation':
      return NAVIGATION[state.kind.name].edit(state.source, state.site, question.edit);
    case 'move-page':
      return movePage(state, project, question);
    case 'delete-page':
      return stillListed(state.site, deletePage(state, project, question));
    case 'other-changes':
      return otherChanges(stateOf(base, new Map(), project), question);
    case 'search-edits': {
      const before = stateOf(base, new Map(), project).site.pages;
      return searchEdits({ before, now: state.site.pages }, edits, question);
    }
    case 'page': {
      const { kind, source, site } = state;
      const page = site.pages.find(one => one.file === question.file);
      return {
        address: page?.url ?? null,
        inNavigation: page?.inNavigation ?? false,
        navigationUnread: unreadNavigation(site)[0] ?? null,
        navigationRule: NAVIGATION[kind.name].describe(source, site).rule,
      };
    }
  }
}

/** Calls of one step, and the end of a turn, ask about the same edits one after the other. */
function stateOf(
  base: BaseSite,
  edits: ReadonlyMap<string, string | null>,
  project: WantedSite,
): SiteState {
  const key = JSON.stringify([project, [...edits]]);
  const known = base.last?.key === key ? base.last.state : base.own.get(key);
  if (known) return known;
  const source = edits.size === 0 ? base.source : overlaid(base.source, edits);
  const state: SiteState = { source, ...projectSite(source, project) };
  if (edits.size === 0) base.own.set(key, state);
  else base.last = { key, state };
  return state;
}

function otherChanges(
  { kind, source, site }: SiteState,
  { file, after }: { file: string; after: string },
): string[] | null {
  const before = source.read(file);
  const isNavigation = NAVIGATION[kind.name].describe(source, site).files.includes(file);
  return isNavigation && before !== undefined
    ? NAVIGATION[kind.name].otherChanges(site, file, before, after)
    : null;
}

function describe({ kind, source, site }: SiteState, readAtSite = 0): SiteDescription {
  const { files, rule } = NAVIGATION[kind.name].describe(source, site);
  return {
    kind: kind.name,
    title: site.generator ? `${site.generator}, read as ${kind.title}` : kind.title,
    docsFolder: site.docsFolder,
    basePath: site.basePath,
    addressRule: site.addressRule,
    navigationRule: rule,
    navigationFiles: files.filter(file => source.has(file)),
    configFiles: site.configFiles.filter(file => source.has(file)),
    unread: site.unread.map(({ message }) => message),
    unreadPages: unreadPages(source, site.docsFolder, readAtSite),
  };
}

function check(
  base: BaseSite,
  state: SiteState,
  edits: ReadonlyMap<string, string | null>,
  project: WantedSite,
  all: boolean,
): CheckAnswer {
  const before = checkedBase(base, project);
  const now = edits.size === 0 ? before : (state.checked ?? checkedSite(state.source, state));
  state.checked = now;
  const findings = all ? allFindings(now) : newFindings(before, now, edits);
  return { findings, links: linksOf(before) };
}

function changesOfDocsJson(
  base: BaseSite,
  edits: ReadonlyMap<string, string | null>,
  docsFolder: string,
  { before, after, isPart }: Extract<SiteQuestion, { kind: 'docs-json-changes' }>,
): string[] {
  const isThere = (path: string) =>
    edits.has(path) ? edits.get(path) !== null : base.source.has(path);
  const hasFile = (path: string) => [path, `${docsFolder}/${path}`].some(isThere);
  return docsJsonChanges(before, after, { isPart, hasFile });
}

function checkedBase(base: BaseSite, project: WantedSite): CheckedSite {
  const key = JSON.stringify(project);
  const checked =
    base.checked.get(key) ?? checkedSite(base.source, stateOf(base, new Map(), project));
  base.checked.set(key, checked);
  return checked;
}

function linksOf(checked: CheckedSite): CheckAnswer['links'] {
  const { site } = checked;
  const broken = ownFindings(checked).filter(({ rule }) => rule === 'link').length;
  const all = site.pages.reduce(
    (sum, page) =>
      sum +
      site
        .outline(page.file)
        .links.filter(({ url }) => !/^(?:[a-z][a-z\d+.-]*:|\/\/|#|$)/i.test(url)).length,
    0,
  );
  return { all, broken };
}
