import { isSeq, isScalar, isMap, type Node, visit, isNode, type Pair } from 'yaml';
import { editLists } from '../entry-lists/edit-lists.ts';
import type { NavigationChange, NavigationEdit, NavigationEditing } from '../navigation-edit.ts';
import { pageTitle } from '../page-title.ts';
import { below, folderOf, isExternal } from '../../../sites/kinds/paths.ts';
import { isInsideTarget, isPlainLabel } from '../../policy/targets.ts';
import type { Site, SiteSource } from '../../../sites/kinds/site-kind.ts';
import { type MkDocsConfig, readMkDocsConfig } from '../../../sites/kinds/mkdocs/config.ts';
import { navFiles, readNavLists } from './nav-lists.ts';
import {
  memberOf,
  parsePlaces,
  restOf,
  endOf,
  linesOfSpan,
  spanOf,
  writeScalar,
} from './yaml-text.ts';
import { applyEdits, insertLines, type TextEdit } from '../entry-lists/text-edits.ts';

/** `nav` of mkdocs.yml, `.nav.yml`, `.pages`, `SUMMARY.md`, and the plugin `redirects`. */
export const mkdocsNavigation: NavigationEditing = {
  describe(source, site) {
    const config = configOf(source, site);
    const files = [...config.files, ...navFiles(source, config)];
    const { lists, isByFolder } = readNavLists(source, site, config);
    const written = [...new Set(lists.map(list => list.file))].slice(0, 3).join(', ');
    const rule =
      written === ''
        ? 'Without `nav`, the navigation is made from the folders: a new page needs no entry.'
        : `The navigation is the list of pages in ${written}` +
          `${isByFolder ? '; the rest is made from the folders' : ''}.`;
    return { files, rule };
  },
  edit(source, site, edit) {
    const config = configOf(source, site);
    const change = editEntries(source, site, config, edit);
    if ('refused' in change) return change;
    const redirect = redirectOf(edit, site);
    return redirect ? withRedirect(change, source, config, redirect) : change;
  },
  otherChanges: (site, file, before, after) =>
    /\.(?:md|markdown)$/.test(file)
      ? []
      : otherYamlChanges(file, before, after, isFolderList(site, file)),
};

/** `.nav.yml` and `.pages`; a file that `INHERIT` names may hold all that mkdocs.yml may. */
function isFolderList({ configFiles, docsFolder }: Site, file: string): boolean {
  return file !== configFiles[0] && below(docsFolder, file) !== undefined;
}

function configOf(source: SiteSource, site: Site): MkDocsConfig {
  const marker = site.configFiles[0] ?? 'mkdocs.yml';
  return readMkDocsConfig(source, { root: folderOf(marker), marker });
}

function editEntries(
  source: SiteSource,
  site: Site,
  config: MkDocsConfig,
  edit: NavigationEdit,
): NavigationChange {
  if (edit.kind === 'add-redirect') return { files: new Map(), done: [], left: [] };
  const { lists, unread, isByFolder } = readNavLists(source, site, config);
  const touchesPage = edit.kind === 'move-page' || edit.kind === 'remove-page';
  if (unread.length > 0 && !touchesPage) return { refused: `${unread.join('. ')}.` };
  if (edit.kind === 'add-page' && isByFolder && !edit.position && !isListed(lists, edit.file))
    return {
      files: new Map(),
      done: ['The navigation is made from the folders: the page needs no entry.'],
      left: [],
    };
  if (lists.length === 0 && !touchesPage)
    return {
      refused:
        'This site has no list of pages: MkDocs makes the navigation from the folders, by file ' +
        'name, with the title of each page. Rename or move the files instead.',
    };
  const change = editLists(lists, file => pageTitle(source, file), edit);
  return 'refused' in change ? change : { ...change, left: [...change.left, ...unread] };
}

/** Whether the folder of the page has a list of its own that does not take in the rest. */
function isListed(lists: ReturnType<typeof readNavLists>['lists'], file: string): boolean {
  const own = lists.find(list => folderOf(list.file) === folderOf(file));
  const takesRest = own?.entries.some(({ target }) => /^\.\.\.|[*]/.test(target ?? ''));
  return own !== undefined && !takesRest && !/append_unmatched:\s*true/.test(own.text);
}

interface RedirectPaths {
  from: string;
  to: string;
}

/** Paths below the docs folder, as the plugin names pages. */
function redirectOf(edit: NavigationEdit, site: Site): RedirectPaths | undefined {
  const inDocs = (path: string) =>
    isExternal(path) ? path : (below(site.docsFolder, path) ?? path);
  const fileOf = (path: string) =>
    site.pages.find(page => page.path === path)?.file ??
    `${path.replace(/^\/|\/$/g, '') || 'index'}.md`;
  if (edit.kind === 'move-page' && edit.redirect)
    return { from: inDocs(edit.from), to: inDocs(edit.to) };
  if (edit.kind === 'remove-page' && edit.redirectTo !== undefined)
    return { from: inDocs(edit.file), to: inDocs(edit.redirectTo) };
  if (edit.kind !== 'add-redirect') return undefined;
  const to = edit.to.startsWith('/') ? fileOf(edit.to) : edit.to;
  return { from: inDocs(fileOf(edit.from)), to: inDocs(to) };
}

function withRedirect(
  change: Exclude<NavigationChange, { refused: string }>,
  source: SiteSource,
  config: MkDocsConfig,
  { from, to }: RedirectPaths,
): NavigationChange {
  const currentText = (file: string) => change.files.get(file) ?? source.read(file) ?? '';
  const file = config.files.find(one => redirectMap(parsePlaces(currentText(one)).contents));
  const text = file === undefined ? null : addRedirect(currentText(file), from, to);
  if (text === null || file === undefined) {
    const main = config.files[0] ?? 'mkdocs.yml';
    const left = `${main} has no redirect_maps of the plugin redirects, so none was added for ${from}`;
    return { ...change, left: [...change.left, left] };
  }
  return {
    ...change,
    files: new Map([...change.files, [file, text]]),
    done: [...change.done, `Redirect from ${from} to ${to} added in ${file}.`],
  };
}

/** What changes besides `nav` and the redirects; of `.pages`, besides the list. */
function otherYamlChanges(
  file: string,
  before: string,
  after: string,
  isFolderFile: boolean,
): string[] {
  const documents = [parsePlaces(before), parsePlaces(after)];
  const rests = documents.map(document => {
    const { contents } = document;
    const keys = isFolderFile ? ['nav', 'arrange', 'title'] : ['nav'];
    const left: (Node | undefined)[] = keys.map(key => memberOf(contents, key));
    return restOf(document, isFolderFile ? left : [...left, redirectMap(contents)]);
  });
  const [old, now] = rests;
  const [, { contents } = { contents: null }] = documents;
  const found: string[] = [];
  if (now === undefined) found.push(`${file} cannot be read as YAML that holds only data.`);
  else if (old !== now) found.push(`${file} changes more than navigation and redirects.`);
  const known = redirectTargets(redirectMap(documents[0]?.contents));
  for (const [from, to] of redirectTargets(redirectMap(contents)))
    if (known.get(from) !== to && (isExternal(to) || !isInsideTarget(to) || !isInsideTarget(from)))
      found.push(`${file} redirects ${from} to ${to}, which is not a plain path of the site.`);
  const oldTexts = scalarsOf(memberOf(documents[0]?.contents, 'nav'));
  const labels = scalarsOf(memberOf(contents, 'nav')).filter(text => !oldTexts.includes(text));
  for (const text of labels)
    if (!isPlainLabel(text) || /^\/|(?:^|\/)\.\.(?:\/|$)/.test(text))
      found.push(`${file} has an entry in \`nav\` that is not plain text, or leaves the docs.`);
  return [...found, ...strangeEntries(file, memberOf(contents, 'nav'))];
}

/** Entries are names of files, or addresses that a browser opens; tags would run code. */
function strangeEntries(file: string, nav: Node | undefined): string[] {
  const found: string[] = [];
  if (nav && !isSeq(nav)) found.push(`${file} has a \`nav\` that is not a list.`);
  if (nav)
    visit(nav, {
      Node: (_key, node) => {
        const isPlain = isScalar(node) || isSeq(node) || isMap(node);
        if (isPlain && node.tag !== undefined) found.push(`${file} has a tag in \`nav\`.`);
        if (isScalar(node) && /^(?!https?:|mailto:)[a-z][a-z\d+.-]*:\S/i.test(String(node.value)))
          found.push(`${file} has an address in \`nav\` that is not one of the web.`);
      },
    });
  return found;
}

function scalarsOf(nav: Node | undefined): string[] {
  const texts: string[] = [];
  if (nav) visit(nav, { Scalar: (_key, { value }) => void texts.push(String(value)) });
  return texts;
}

/** The map of redirects in the options of the plugin `redirects`. */
function redirectMap(contents: unknown): Node | undefined {
  const plugins = memberOf(contents, 'plugins');
  const options = isSeq(plugins)
    ? plugins.items.map(item => memberOf(item, 'redirects')).find(one => one !== undefined)
    : memberOf(plugins, 'redirects');
  return memberOf(options, 'redirect_maps');
}

/** Where redirects of a map lead, as written. */
function redirectTargets(map: Node | undefined): Map<string, string> {
  const targets = new Map<string, string>();
  for (const { key, value } of isMap(map) ? map.items : [])
    targets.set(textOf(key), isNode(value) ? textOf(value) : '');
  return targets;
}

/**
 * Adds a redirect between paths below the docs folder, leads those to the old one on, and takes out
 * one that would hide the new one. Null if there is no map of a line an entry to write into.
 */
function addRedirect(text: string, from: string, to: string): string | null {
  const document = parsePlaces(text);
  const map = redirectMap(document.contents);
  if (!isMap(map) || map.flow || document.errors.length > 0) return null;
  const [first] = map.items;
  const last = map.items.at(-1);
  if (!isNode(first?.key) || !isNode(last?.key)) return null;
  const edits: TextEdit[] = [];
  for (const pair of map.items) {
    const span = linesOf(text, pair);
    const target = isNode(pair.value) ? textOf(pair.value) : '';
    const path = target.replace(/#.*$/s, '');
    const suffix = target.slice(path.length);
    if (textOf(pair.key) === to || textOf(pair.key) === from)
      edits.push({ start: span[0], end: span[1], text: '' });
    else if (path === from && isScalar(pair.value)) {
      const [start, end] = spanOf(pair.value);
      const written = text.slice(start, end);
      edits.push({ start, end, text: writeScalar(isExternal(to) ? to : to + suffix, written) });
    }
  }
  const [keyAt] = spanOf(first.key);
  const indent = text.slice(text.lastIndexOf('\n', keyAt) + 1, keyAt);
  const [, quote = ''] = /^(['"])/.exec(text.slice(...spanOf(first.key))) ?? [];
  const valueAt = isNode(first.value) ? spanOf(first.value) : undefined;
  const like = valueAt ? text.slice(...valueAt) : '';
  const line = `${indent}${writeScalar(from, quote)}: ${writeScalar(to, like)}`;
  edits.push(insertLines(text, linesOf(text, last)[1], line));
  return applyEdits(text, edits);
}

function linesOf(text: string, { key, value }: Pair) {
  const start = isNode(key) ? spanOf(key)[0] : 0;
  return linesOfSpan(text, start, Math.max(start + 1, endOf(value)));
}

function textOf(node: unknown): string {
  return isScalar(node) ? String(node.value) : '';
}
